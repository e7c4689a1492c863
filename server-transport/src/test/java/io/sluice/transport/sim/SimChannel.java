/*
 * Copyright 2026 The Sluice Authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sluice.transport.sim;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * The server's end of a socket, driven as Netty's NIO channels are: one read turn when there is something to read
 * and reading is wanted, one write attempt when there is room again. Cuts and partial writes come from the dice.
 */
final class SimChannel extends AbstractChannel implements DuplexChannel
{
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final SimSocket socket;
    private final Dice dice;
    private final InetSocketAddress remote;
    private final SimChannelConfig config = new SimChannelConfig(this, this::clearReadPending);
    /** As epoll does: that the client has ended or reset is noticed once, whether reading is wanted or not. */
    private final boolean endAlwaysSeen;
    private boolean endSeen;
    private boolean open = true;
    private boolean readPending;
    private boolean readWanted;
    private boolean writePending;
    private boolean inputEnded;
    private boolean inputEndSeen;
    private boolean outputEnded;
    /** Something went wrong while answers were written that is not the socket's fault. */
    private Throwable writeError;

    SimChannel(final SimServerChannel parent,
        final SimSocket socket,
        final InetSocketAddress remote,
        final Dice dice,
        final boolean endAlwaysSeen)
    {
        super(parent);
        this.socket = socket;
        this.remote = remote;
        this.dice = dice;
        this.endAlwaysSeen = endAlwaysSeen;
        socket.channel = this;
    }

    SimLoop loop()
    {
        return (SimLoop)eventLoop();
    }

    Throwable writeError()
    {
        return writeError;
    }

    boolean canRead()
    {
        if (!open || !isRegistered())
        {
            return false;
        }
        if (endAlwaysSeen && !endSeen && (socket.clientReset || socket.clientEnded))
        {
            return true;
        }
        return readWanted && (!socket.toServer.isEmpty() || socket.clientReset || socket.clientEnded && !inputEndSeen);
    }

    boolean canWrite()
    {
        return open && isRegistered() && writePending && (socket.room() > 0 || socket.clientReset);
    }

    /** On the loop: one turn of reading. */
    void onReadable()
    {
        endSeen |= socket.clientEnded || socket.clientReset;
        ((SimUnsafe)unsafe()).readTurn();
    }

    /** On the loop: the socket has room again. */
    void onWritable()
    {
        ((SimUnsafe)unsafe()).forceFlush();
    }

    private void clearReadPending()
    {
        readPending = false;
        readWanted = false;
    }

    private int readInto(final ByteBuf buffer) throws IOException
    {
        if (socket.clientReset)
        {
            throw new IOException("Connection reset by peer");
        }
        if (socket.toServer.isEmpty())
        {
            return socket.clientEnded ? -1 : 0;
        }
        final int length = dice.cut(Math.min(socket.toServer.size(), buffer.writableBytes()));
        buffer.writeBytes(socket.toServer.take(length));
        return length;
    }

    @Override
    protected void doBeginRead()
    {
        readPending = true;
        readWanted = true;
    }

    @Override
    protected void doWrite(final ChannelOutboundBuffer out) throws Exception
    {
        try
        {
            write(out);
        }
        catch (final RuntimeException | Error e)
        {
            writeError = e;
            throw e;
        }
    }

    private void write(final ChannelOutboundBuffer out) throws IOException
    {
        while (out.current() != null)
        {
            final ByteBuf buffer = (ByteBuf)out.current();
            if (buffer.isReadable())
            {
                if (socket.clientReset || outputEnded)
                {
                    throw new IOException("Broken pipe");
                }
                final int room = Math.min(buffer.readableBytes(), socket.room());
                if (room == 0)
                {
                    writePending = true;
                    return;
                }
                final byte[] bytes = new byte[dice.cut(room)];
                buffer.readBytes(bytes);
                socket.answer(bytes);
                out.progress(bytes.length);
            }
            if (!buffer.isReadable())
            {
                out.remove();
            }
            else if (dice.oneIn(4))
            {
                writePending = true;
                return;
            }
        }
        writePending = false;
    }

    @Override
    protected Object filterOutboundMessage(final Object message)
    {
        if (message instanceof ByteBuf buffer && buffer.isDirect())
        {
            return message;
        }
        throw new UnsupportedOperationException("message: " + message + " (expected: a direct buffer)");
    }

    @Override
    protected void doClose()
    {
        open = false;
        readWanted = false;
        writePending = false;
        socket.closeByServer();
    }

    @Override
    protected void doShutdownOutput()
    {
        outputEnded = true;
        writePending = false;
        socket.serverEnded = true;
    }

    @Override
    public ChannelConfig config()
    {
        return config;
    }

    @Override
    public ChannelMetadata metadata()
    {
        return METADATA;
    }

    @Override
    public boolean isOpen()
    {
        return open;
    }

    @Override
    public boolean isActive()
    {
        return open;
    }

    @Override
    protected AbstractUnsafe newUnsafe()
    {
        return new SimUnsafe();
    }

    @Override
    protected boolean isCompatible(final EventLoop loop)
    {
        return loop instanceof SimLoop;
    }

    @Override
    protected SocketAddress localAddress0()
    {
        return ((SimServerChannel)parent()).localAddress0();
    }

    @Override
    protected SocketAddress remoteAddress0()
    {
        return remote;
    }

    @Override
    protected void doBind(final SocketAddress localAddress)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void doDisconnect()
    {
        doClose();
    }

    @Override
    public boolean isInputShutdown()
    {
        return inputEnded;
    }

    @Override
    public boolean isOutputShutdown()
    {
        return outputEnded;
    }

    @Override
    public boolean isShutdown()
    {
        return inputEnded && outputEnded;
    }

    @Override
    public ChannelFuture shutdownInput()
    {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(final ChannelPromise promise)
    {
        inputEnded = true;
        return promise.setSuccess();
    }

    @Override
    public ChannelFuture shutdownOutput()
    {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(final ChannelPromise promise)
    {
        ((SimUnsafe)unsafe()).shutdownOutput(promise);
        return promise;
    }

    @Override
    public ChannelFuture shutdown()
    {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(final ChannelPromise promise)
    {
        shutdownInput();
        return shutdownOutput(promise);
    }

    private final class SimUnsafe extends AbstractUnsafe
    {
        @Override
        public void connect(final SocketAddress remoteAddress, final SocketAddress local, final ChannelPromise promise)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void flush0()
        {
            // Flushed later, when there is room again.
            if (!writePending)
            {
                super.flush0();
            }
        }

        void forceFlush()
        {
            writePending = false;
            super.flush0();
        }

        @SuppressWarnings("deprecation")
        void readTurn()
        {
            if (inputEnded && (inputEndSeen || !config.isHalfClosure()))
            {
                clearReadPending();
                return;
            }
            final io.netty.channel.RecvByteBufAllocator.Handle handle = recvBufAllocHandle();
            handle.reset(config);
            ByteBuf buffer = null;
            boolean ended = false;
            try
            {
                do
                {
                    buffer = handle.allocate(config.getAllocator());
                    handle.lastBytesRead(readInto(buffer));
                    if (handle.lastBytesRead() <= 0)
                    {
                        buffer.release();
                        buffer = null;
                        ended = handle.lastBytesRead() < 0;
                        break;
                    }
                    handle.incMessagesRead(1);
                    readPending = false;
                    pipeline().fireChannelRead(buffer);
                    buffer = null;
                }
                while (handle.continueReading());
                handle.readComplete();
                pipeline().fireChannelReadComplete();
                if (ended)
                {
                    readPending = false;
                    closeOnRead(pipeline());
                }
            }
            catch (final IOException e)
            {
                buffer.release();
                handle.readComplete();
                pipeline().fireChannelReadComplete();
                pipeline().fireExceptionCaught(e);
                closeOnRead(pipeline());
            }
            finally
            {
                if (!readPending && !config.isAutoRead())
                {
                    readWanted = false;
                }
            }
        }

        private void closeOnRead(final ChannelPipeline pipeline)
        {
            if (!inputEnded)
            {
                if (config.isHalfClosure())
                {
                    inputEnded = true;
                    pipeline.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
                }
                else
                {
                    close(voidPromise());
                }
            }
            else if (!inputEndSeen)
            {
                inputEndSeen = true;
                pipeline.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
            }
        }
    }
}

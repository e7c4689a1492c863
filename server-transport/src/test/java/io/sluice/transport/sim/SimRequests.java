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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes what one client sends: good envelopes, bad ones, segments of both. */
final class SimRequests
{
    private static final int PROTOCOL_ERROR = 0x000A;
    private static final int INVALID = 0x2200;
    private static final int COMPRESSED = 0x01;
    private static final int TRACING = 0x02;
    private static final int CUSTOM_PAYLOAD = 0x04;
    private static final int HEADER = 9;
    /** Room for everything in a body that is no value. */
    private static final int OVERHEAD = 180;

    private final List<Ask> batched = new ArrayList<>();
    private final SimClient client;
    private final Dice dice;
    /** What has been made for the segment that is not sealed yet. */
    private WireBytes payload = new WireBytes();
    private boolean sendsSegments;
    private boolean started;
    private boolean loginSent;
    private boolean badStartups;

    SimRequests(final SimClient client, final Dice dice)
    {
        this.client = client;
        this.dice = dice;
    }

    boolean isStarted()
    {
        return started;
    }

    // ---- handshake

    void startUp()
    {
        for (int i = dice.below(3); i > 0; i--)
        {
            options();
        }
        if (client.damagesHandshake())
        {
            damageHandshake();
            return;
        }
        badStartups = dice.oneIn(8);
        if (badStartups)
        {
            refusedStartUp();
            if (dice.oneIn(2))
            {
                // Not waited for: what is behind a refused STARTUP is read as bare envelopes.
                badStartups = false;
                options();
                goodStartUp();
            }
            client.stage = SimClient.Stage.STARTING;
            return;
        }
        goodStartUp();
    }

    void startUpAgain()
    {
        if (badStartups)
        {
            badStartups = false;
            goodStartUp();
        }
    }

    private void refusedStartUp()
    {
        final Ask ask = client.ask(Ask.STARTUP, Ask.Kind.REFUSED);
        ask.errorCode = PROTOCOL_ERROR;
        final WireBytes body = switch (dice.below(3))
        {
            case 0 -> new WireBytes().shortOf(0);
            case 1 -> new WireBytes().shortOf(1).string("CQL_VERSION").string("2.0.0");
            default -> new WireBytes().shortOf(2)
                .string("CQL_VERSION")
                .string("3.0.0")
                .string("COMPRESSION")
                .string(
                    "zstd");
        };
        emit(ask, 0, body.take());
        seal();
    }

    private void goodStartUp()
    {
        final Ask ask = client.ask(Ask.STARTUP, Ask.Kind.GOOD);
        final int entries = 2 + (client.compression == null ? 0 : 1) + (client.throwsOnOverload ? 1 : 0);
        final WireBytes body = new WireBytes().shortOf(entries)
            .string("CQL_VERSION")
            .string("3.4.7")
            .string(
                "DRIVER_NAME")
            .string("simulation");
        if (client.compression != null)
        {
            body.string("COMPRESSION").string(client.compression);
        }
        if (client.throwsOnOverload)
        {
            body.string("THROW_ON_OVERLOAD").string("1");
        }
        emit(ask, 0, body.take());
        seal();
        client.stage = SimClient.Stage.STARTING;
        if (client.eager)
        {
            started();
            if (client.simulation.plan().loginNeeded)
            {
                logIn(0);
            }
        }
    }

    /** STARTUP was accepted, or is taken for accepted. */
    void started()
    {
        started = true;
        sendsSegments = client.version == 5;
    }

    /** True once the first token has been sent. */
    boolean isLoginSent()
    {
        return loginSent;
    }

    void logIn(final int step)
    {
        loginSent = true;
        final Ask ask = client.ask(Ask.AUTH_RESPONSE, Ask.Kind.GOOD);
        String token = step == 0 ? "one" : "two";
        if (dice.oneIn(8))
        {
            token = "bad";
        }
        else if (dice.oneIn(16))
        {
            token = "boom";
            ask.mode = Ask.Mode.THROW;
        }
        emit(ask, 0, new WireBytes().bytesOf(token.getBytes(java.nio.charset.StandardCharsets.US_ASCII)).take());
        seal();
    }

    /** Ends the connection before STARTUP. */
    private void damageHandshake()
    {
        client.fatalSent = true;
        switch (dice.below(4))
        {
            case 0 ->
            {
                final Ask ask = client.ask(Ask.QUERY, Ask.Kind.FATAL);
                emit(ask, 0, new WireBytes().longString("x").shortOf(1).byteOf(0).take());
            }
            case 1 ->
            {
                final Ask ask = client.ask(Ask.OPTIONS, Ask.Kind.FATAL);
                ask.anyVersion = true;
                emitRaw(ask, WireBytes.envelope(dice.of(0, 7, 65, 66, 127), 0, ask.stream, Ask.OPTIONS, new byte[0]));
            }
            case 2 ->
            {
                client.legacy = true;
                client.append(new WireBytes().byteOf(dice.between(1, 2)).byteOf(0).byteOf(3).byteOf(5).intOf(0).take());
            }
            default ->
            {
                final Ask ask = client.ask(Ask.STARTUP, Ask.Kind.FATAL);
                emitRaw(ask, WireBytes.envelope(client.version, 0, ask.stream, Ask.STARTUP, dice.of(-1, 1 << 30,
                    Integer.MAX_VALUE, Integer.MIN_VALUE), new byte[0]));
            }
        }
        seal();
        if (dice.oneIn(2))
        {
            client.append(WireBytes.envelope(client.version, 0, client.ask(Ask.OPTIONS, Ask.Kind.VOID).stream,
                Ask.OPTIONS, new byte[0]));
        }
    }

    // ---- good requests

    /** One segment, envelope or run of pieces of good requests. */
    void good()
    {
        for (int i = dice.of(1, 1, 3, 8); i > 0; i--)
        {
            goodOne();
        }
        seal();
    }

    private void goodOne()
    {
        switch (dice.below(16))
        {
            case 0 -> options();
            case 1 -> register();
            default -> request(Ask.Kind.GOOD);
        }
    }

    Ask options()
    {
        final Ask ask = client.ask(Ask.OPTIONS, Ask.Kind.GOOD);
        emit(ask, 0, new byte[0]);
        return ask;
    }

    private void register()
    {
        final Ask ask = client.ask(Ask.REGISTER, Ask.Kind.GOOD);
        emit(ask, 0, new WireBytes().shortOf(1).string("STATUS_CHANGE").take());
    }

    /** A heartbeat, alone: to see whether somebody is there. */
    Ask probe()
    {
        final Ask ask = options();
        seal();
        return ask;
    }

    private Ask request(final Ask.Kind kind)
    {
        final Ask ask = client.ask(dice.of(Ask.QUERY, Ask.QUERY, Ask.EXECUTE, Ask.PREPARE, Ask.BATCH), kind);
        final SimPlan plan = client.simulation.plan();
        ask.mode = dice.oneIn(3) ? dice.of(Ask.Mode.values()) : dice.of(Ask.Mode.ANSWER_NOW, Ask.Mode.ANSWER_LATER);
        ask.answerBytes = dice.size(plan.largestAnswer);
        ask.traced = dice.oneIn(8);
        ask.warned = dice.oneIn(8);
        ask.payload = client.version >= 4 && dice.oneIn(8);
        ask.watchesAbandonment = dice.oneIn(3);
        final WireBytes body = new WireBytes();
        if (ask.payload)
        {
            body.shortOf(1).string("k").bytesOf(SimEngine.payload());
        }
        writeBody(ask, body, plan.largestRequest - OVERHEAD);
        emit(ask, (ask.traced ? TRACING : 0) | (ask.payload ? CUSTOM_PAYLOAD : 0), body.take());
        return ask;
    }

    private void writeBody(final Ask ask, final WireBytes body, final int room)
    {
        switch (ask.opcode)
        {
            case Ask.QUERY ->
            {
                body.longString(Integer.toString(ask.nonce));
                writeParameters(ask, body, room);
            }
            case Ask.EXECUTE ->
            {
                body.shortBytes(new WireBytes().intOf(ask.nonce).raw(new byte[12]).take());
                if (client.version == 5)
                {
                    body.shortBytes(WireBytes.pattern(ask.nonce, 16));
                }
                writeParameters(ask, body, room);
            }
            case Ask.PREPARE ->
            {
                final String text = Integer.toString(ask.nonce);
                body.longString(text + " ".repeat(dice.size(room)));
                if (client.version == 5)
                {
                    body.intOf(0);
                }
            }
            default -> writeBatch(ask, body, room);
        }
    }

    private void writeBatch(final Ask ask, final WireBytes body, final int room)
    {
        body.byteOf(0).shortOf(2).byteOf(0).longString(Integer.toString(ask.nonce)).shortOf(0);
        body.byteOf(1).shortBytes(new byte[16]);
        chooseValues(ask, room);
        body.shortOf(ask.values.length);
        writeValues(ask, body);
        body.shortOf(1);
        writeFlags(body, 0);
    }

    private void writeParameters(final Ask ask, final WireBytes body, final int room)
    {
        chooseValues(ask, room);
        ask.namedValues = ask.values.length > 0 && dice.oneIn(5);
        body.shortOf(1);
        writeFlags(body, (ask.values.length > 0 ? 0x01 : 0) | (ask.namedValues ? 0x40 : 0));
        if (ask.values.length > 0)
        {
            body.shortOf(ask.values.length);
            writeValues(ask, body);
        }
    }

    private void chooseValues(final Ask ask, final int room)
    {
        ask.values = new int[dice.below(4)];
        int left = room;
        for (int i = 0; i < ask.values.length; i++)
        {
            ask.values[i] = dice.oneIn(8) ? client.version == 3 ? -1 : dice.of(-1, -2) : dice.size(left);
            left -= Math.max(0, ask.values[i]);
        }
    }

    private void writeValues(final Ask ask, final WireBytes body)
    {
        for (int i = 0; i < ask.values.length; i++)
        {
            if (ask.namedValues)
            {
                body.string("v" + i);
            }
            if (ask.values[i] < 0)
            {
                body.intOf(ask.values[i]);
            }
            else
            {
                body.bytesOf(WireBytes.pattern(ask.nonce + i, ask.values[i]));
            }
        }
    }

    private void writeFlags(final WireBytes body, final int flags)
    {
        if (client.version == 5)
        {
            body.intOf(flags);
        }
        else
        {
            body.byteOf(flags);
        }
    }

    // ---- from envelopes to the wire

    private void emit(final Ask ask, final int flags, final byte[] body)
    {
        if (!sendsSegments && client.compression != null && client.stage == SimClient.Stage.READY && dice.oneIn(2))
        {
            final byte[] compressed = WireBodies.compress(client.compression, body);
            if (compressed.length <= body.length || body.length < 1_000)
            {
                emitRaw(ask, WireBytes.envelope(client.version, flags | COMPRESSED, ask.stream, ask.opcode,
                    compressed));
                return;
            }
        }
        emitRaw(ask, WireBytes.envelope(client.version, flags, ask.stream, ask.opcode, body));
    }

    private void emitRaw(final Ask ask, final byte[] envelope)
    {
        if (!sendsSegments)
        {
            client.append(envelope);
            ask.endOffset = client.generated();
            return;
        }
        if (envelope.length > WireSegments.MAX_PAYLOAD || envelope.length > HEADER && dice.oneIn(6))
        {
            seal();
            emitPieces(ask, envelope);
            return;
        }
        if (payload.length() + envelope.length > WireSegments.MAX_PAYLOAD)
        {
            seal();
        }
        payload.raw(envelope);
        batched.add(ask);
    }

    private void emitPieces(final Ask ask, final byte[] envelope)
    {
        int done = 0;
        while (done < envelope.length)
        {
            final int left = envelope.length - done;
            final int least = done == 0 ? HEADER : 1;
            int piece = Math.max(least, Math.min(WireSegments.MAX_PAYLOAD, dice.cut(left)));
            if (left > 20_000)
            {
                piece = Math.max(piece, left / 8);
            }
            piece = Math.min(Math.min(piece, left), WireSegments.MAX_PAYLOAD);
            segment(Arrays.copyOfRange(envelope, done, done + piece), false);
            done += piece;
            if (done < envelope.length && ask.kind == Ask.Kind.GOOD && ask.isForNode() && dice.oneIn(6))
            {
                // Whole envelopes between the pieces of a large one are served at once.
                final Ask between = client.ask(Ask.OPTIONS, Ask.Kind.GOOD);
                segment(WireBytes.envelope(client.version, 0, between.stream, Ask.OPTIONS, new byte[0]), true);
                between.endOffset = client.generated();
            }
        }
        ask.endOffset = client.generated();
    }

    private void segment(final byte[] bytes, final boolean selfContained)
    {
        client.append(client.compression == null
            ? WireSegments.plain(bytes, selfContained)
            : WireSegments.lz4(bytes, selfContained, !dice.oneIn(4)));
    }

    /** Sends the segment that has been gathering. */
    void seal()
    {
        if (payload.length() > 0)
        {
            segment(payload.take(), true);
            payload = new WireBytes();
            for (final Ask ask : batched)
            {
                ask.endOffset = client.generated();
            }
            batched.clear();
        }
    }

    // ---- bad ones

    /** A request whose last bytes never come. */
    void truncate()
    {
        final long before = client.generated();
        request(Ask.Kind.VOID);
        seal();
        client.truncated = true;
        final int length = (int)(client.generated() - before);
        client.withheld = Math.min(length, 1 + dice.cut(length));
    }

    /** Something that is wrong, alone or among good requests. */
    void damage()
    {
        if (dice.oneIn(2))
        {
            goodOne();
        }
        if (dice.oneIn(3))
        {
            fatal();
        }
        else if (client.version < 5 && client.stage == SimClient.Stage.READY && dice.oneIn(6))
        {
            wild();
        }
        else
        {
            refused();
            if (dice.oneIn(2))
            {
                goodOne();
            }
        }
        seal();
    }

    private void refused()
    {
        switch (dice.below(9))
        {
            case 0 -> refusedEnvelope(client.version, dice.of(0x7F, 0x11, 0x04, 0xFF), new byte[dice.below(20)]);
            case 1 -> refusedEnvelope(client.version, dice.of(0x00, 0x02, 0x08, 0x0C), new byte[dice.below(20)]);
            case 2 -> refusedEnvelope(client.version | 0x80, Ask.OPTIONS, new byte[dice.below(20)]);
            case 3 -> refusedEnvelope(client.version == 4 ? 3 : 4, Ask.OPTIONS, new byte[dice.below(20)]);
            case 4 -> refusedEnvelope(client.version, Ask.QUERY, new WireBytes().intOf(dice.of(100, Integer.MAX_VALUE,
                -1)).take());
            case 5 -> refusedEnvelope(client.version, Ask.STARTUP, new WireBytes().shortOf(0).take());
            case 6 -> refusedEnvelope(client.version, Ask.AUTH_RESPONSE, new WireBytes().intOf(-1).take());
            case 7 -> refusedValue(dice.of(Integer.MAX_VALUE, 1 << 20));
            default -> oversize();
        }
    }

    private void refusedEnvelope(final int versionByte, final int opcode, final byte[] body)
    {
        final Ask ask = client.ask(opcode, Ask.Kind.REFUSED);
        ask.errorCode = PROTOCOL_ERROR;
        seal();
        emitRaw(ask, WireBytes.envelope(versionByte, 0, ask.stream, opcode, body));
    }

    private void refusedValue(final int claimed)
    {
        final WireBytes body = new WireBytes().longString("x").shortOf(1);
        writeFlags(body, 1);
        refusedEnvelope(client.version, Ask.QUERY, body.shortOf(1).intOf(claimed).take());
    }

    private void oversize()
    {
        final Ask ask = client.ask(Ask.QUERY, Ask.Kind.REFUSED);
        ask.errorCode = INVALID;
        emitRaw(ask, WireBytes.envelope(client.version, 0, ask.stream, Ask.QUERY,
            new byte[client.simulation.plan().largestRequest + dice.below(50)]));
    }

    private void fatal()
    {
        final int kinds = sendsSegments ? 7 : 1;
        switch (dice.below(kinds))
        {
            case 0 -> fatalLength();
            case 1 -> straySegment();
            case 2 -> flippedSegment();
            case 3 -> pastTheEnd();
            case 4 -> twoInARow();
            case 5 -> emptyPiece();
            default -> badBlock();
        }
        seal();
        client.fatalSent = true;
        for (int i = dice.below(3); i > 0; i--)
        {
            request(Ask.Kind.VOID);
        }
        seal();
    }

    private void fatalLength()
    {
        final Ask ask = client.ask(Ask.QUERY, Ask.Kind.FATAL);
        final byte[] envelope = WireBytes.envelope(client.version, 0, ask.stream, Ask.QUERY, dice.of(-1,
            Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 29), new byte[dice.below(30)]);
        if (sendsSegments)
        {
            seal();
            segment(envelope, true);
            ask.endOffset = client.generated();
        }
        else
        {
            emitRaw(ask, envelope);
        }
    }

    /** Bytes behind the last envelope that are too few for another. */
    private void straySegment()
    {
        goodOne();
        if (payload.length() == 0)
        {
            options0();
        }
        payload.raw(new byte[dice.between(1, 8)]);
    }

    private void options0()
    {
        final Ask ask = client.ask(Ask.OPTIONS, Ask.Kind.GOOD);
        payload.raw(WireBytes.envelope(client.version, 0, ask.stream, Ask.OPTIONS, new byte[0]));
        batched.add(ask);
    }

    /** One bit is wrong, anywhere in a segment: nothing in it may be served. */
    private void flippedSegment()
    {
        seal();
        final Ask ask = client.ask(Ask.OPTIONS, Ask.Kind.VOID);
        final byte[] envelope = WireBytes.envelope(client.version, 0, ask.stream, Ask.OPTIONS, new byte[0]);
        final byte[] bytes = client.compression == null
            ? WireSegments.plain(envelope, true)
            : WireSegments.lz4(envelope, true, dice.oneIn(2));
        bytes[dice.below(bytes.length)] ^= (byte)(1 << dice.below(8));
        client.append(bytes);
    }

    private void pastTheEnd()
    {
        seal();
        final Ask ask = client.ask(Ask.QUERY, Ask.Kind.FATAL);
        segment(WireBytes.envelope(client.version, 0, ask.stream, Ask.QUERY, 10, new byte[dice.below(10)]), true);
        ask.endOffset = client.generated();
    }

    private void twoInARow()
    {
        seal();
        final Ask first = client.ask(0x7F, Ask.Kind.REFUSED);
        first.errorCode = PROTOCOL_ERROR;
        final Ask second = client.ask(0x7E, Ask.Kind.FATAL);
        segment(new WireBytes().raw(WireBytes.envelope(5, 0, first.stream, 0x7F, new byte[3]))
            .raw(WireBytes.envelope(5, 0, second.stream, 0x7E, new byte[0]))
            .take(), true);
        first.endOffset = client.generated();
        second.endOffset = client.generated();
    }

    private void emptyPiece()
    {
        seal();
        segment(new byte[dice.below(9)], false);
    }

    private void badBlock()
    {
        if (client.compression == null)
        {
            flippedSegment();
            return;
        }
        seal();
        final Ask ask = client.ask(Ask.OPTIONS, Ask.Kind.VOID);
        final byte[] block = WireSegments.lz4Block(WireBytes.envelope(5, 0, ask.stream, Ask.OPTIONS, new byte[0]));
        client.append(WireSegments.lz4(block, HEADER + dice.of(-3, -1, 1, 40, 100_000), true));
    }

    /** From here on nothing can be expected but bytes that parse. */
    private void wild()
    {
        client.wild = true;
        final byte[] bytes = WireBytes.pattern(client.index, 40);
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)dice.next();
        }
        bytes[0] = dice.oneIn(2) ? (byte)client.version : bytes[0];
        client.append(bytes);
        client.fatalSent = true;
    }
}

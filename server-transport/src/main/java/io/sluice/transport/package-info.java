
/** The transport: sockets, handshake, admission, dispatch, flushing, TLS and life cycle. */
package io.sluice.transport;

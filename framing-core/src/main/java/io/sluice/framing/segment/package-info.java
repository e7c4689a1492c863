
/** Segments of version 5: checksums, LZ4, accumulation of cut ones, batching of outgoing envelopes. */
package io.sluice.framing.segment;

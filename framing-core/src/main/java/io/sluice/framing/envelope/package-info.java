
/**
 * Envelopes: headers, reading them from segments or plain bytes, assembling large ones, body compression of versions 3
 * and 4.
 */
package io.sluice.framing.envelope;


/** The native protocol as bytes: versions, opcodes, errors and the primitives that the sub-packages share. */
package io.sluice.framing;

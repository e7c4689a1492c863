
/** Buffers and who owns them, byte budgets and leak accounting. Knows nothing of the protocol. */
package io.sluice.memory;

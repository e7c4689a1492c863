
/** Benchmarks of Sluice beside the stock transport. */
package io.sluice.bench;

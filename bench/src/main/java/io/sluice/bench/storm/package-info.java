/** Thousands of new connections at once beside steady ones. */
package io.sluice.bench.storm;

/** JMH benchmarks: each operation with Sluice, stock Cassandra 5.0.8 and DataStax native-protocol side by side. */
package io.sluice.bench.micro;

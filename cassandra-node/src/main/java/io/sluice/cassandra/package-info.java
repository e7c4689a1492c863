
/** Apache Cassandra 5.0 behind Sluice: the runnable node. */
package io.sluice.cassandra;

/**
 * The stock transport of Apache Cassandra, made to run without a node so that it can be measured. In Cassandra's own
 * package because the parts it is made of are visible only there.
 */
package org.apache.cassandra.transport;

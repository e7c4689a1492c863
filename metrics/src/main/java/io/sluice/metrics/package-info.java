
/** Dropwizard metrics and JMX names over the transport's listener. */
package io.sluice.metrics;

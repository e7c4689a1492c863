/** What tests of the transport share: a client of raw bytes, a recording engine, watches over logs and leaks. */
package io.sluice.transport.testkit;

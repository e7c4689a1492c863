/** Builds wire bytes without the production encoders, cuts them, records what comes out, counts leases. */
package io.sluice.framing.testkit;

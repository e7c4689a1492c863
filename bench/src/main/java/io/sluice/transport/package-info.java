/** Sluice's transport, made to run without a socket so that it can be measured. */
package io.sluice.transport;

/**
 * The whole transport in one thread and one seed: loops, sockets, clocks, clients and an engine that are all fakes,
 * and the rules that must hold whatever happens. Start at {@code Simulation}.
 */
package io.sluice.transport.sim;

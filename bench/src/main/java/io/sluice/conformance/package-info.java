/** Opens the byte builder and the parser of the conformance checks to clients of this module. */
package io.sluice.conformance;

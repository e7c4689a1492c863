
/** Black-box wire checks against any server of the native protocol. */
package io.sluice.conformance;

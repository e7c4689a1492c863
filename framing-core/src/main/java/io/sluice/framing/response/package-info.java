
/** Response bodies: from values to bytes, per version. */
package io.sluice.framing.response;

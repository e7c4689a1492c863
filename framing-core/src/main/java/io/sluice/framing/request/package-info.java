
/** Request bodies: from bytes to requests with cells. */
package io.sluice.framing.request;

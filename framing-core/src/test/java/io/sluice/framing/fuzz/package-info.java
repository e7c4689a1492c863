/**
 * Fuzz targets. In the ordinary build they run over the committed inputs; docs/fuzzing.md says how to make them search
 * for new ones.
 */
package io.sluice.framing.fuzz;

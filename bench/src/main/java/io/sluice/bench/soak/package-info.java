/** Mixed good, bad and dying clients against a real node, for as long as one likes. */
package io.sluice.bench.soak;

/** Benchmarks of the collector, in its own package. */
@NullMarked
package io.leeway.hindex.internal.collect;

import org.jspecify.annotations.NullMarked;

/** LazyBase beside others, in one run. */
@NullMarked
package io.leeway.benchmarks.lazybase;

import org.jspecify.annotations.NullMarked;

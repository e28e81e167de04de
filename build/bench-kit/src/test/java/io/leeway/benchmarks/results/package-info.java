/** Tests of the benchmark results. */
@NullMarked
package io.leeway.benchmarks.results;

import org.jspecify.annotations.NullMarked;

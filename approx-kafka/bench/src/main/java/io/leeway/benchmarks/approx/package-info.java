/** Measures ATP against TCP over a bottleneck. */
@NullMarked
package io.leeway.benchmarks.approx;

import org.jspecify.annotations.NullMarked;

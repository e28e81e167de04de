/** Plots of the documentation, made from the results of benchmarks. */
@NullMarked
package io.leeway.benchmarks.plots;

import org.jspecify.annotations.NullMarked;

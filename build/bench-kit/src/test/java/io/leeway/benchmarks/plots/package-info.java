/** Tests of the plots. */
@NullMarked
package io.leeway.benchmarks.plots;

import org.jspecify.annotations.NullMarked;

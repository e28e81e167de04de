/** What is measured of AutoTune. */
@NullMarked
package io.leeway.benchmarks.autotune;

import org.jspecify.annotations.NullMarked;

/** Measurements of epsilon-PPI. */
@NullMarked
package io.leeway.benchmarks.eppi;

import org.jspecify.annotations.NullMarked;

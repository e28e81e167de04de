/** Benchmarks, and their results as data. */
@NullMarked
package io.leeway.benchmarks;

import org.jspecify.annotations.NullMarked;

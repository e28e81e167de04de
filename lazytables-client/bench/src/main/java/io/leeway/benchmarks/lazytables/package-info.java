/** Figures of LazyTables. */
@NullMarked
package io.leeway.benchmarks.lazytables;

import org.jspecify.annotations.NullMarked;

/** Sorting, resolving and merging of runs: the algorithm, free of hosts, clocks and randomness. */
@NullMarked
package io.leeway.lazybase.internal.merge;

import org.jspecify.annotations.NullMarked;

/** What the simulator reaches: agreement with the published tables, and speed. */
@NullMarked
package io.leeway.benchmarks.netsim;

import org.jspecify.annotations.NullMarked;

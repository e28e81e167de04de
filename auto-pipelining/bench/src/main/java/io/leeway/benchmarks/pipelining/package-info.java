/** Measurements of auto-pipelining. */
@NullMarked
package io.leeway.benchmarks.pipelining;

import org.jspecify.annotations.NullMarked;

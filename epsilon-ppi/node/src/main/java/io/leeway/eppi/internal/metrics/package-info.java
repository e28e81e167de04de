/** Counters, and how they are read. */
@NullMarked
package io.leeway.eppi.internal.metrics;

import org.jspecify.annotations.NullMarked;

/** Latencies at the entry points, and what the JVM says about itself. */
@NullMarked
package io.leeway.autotune.internal.measure;

import org.jspecify.annotations.NullMarked;

/** Traces of requests: readers of four formats, critical paths, and what services do to latency. */
@NullMarked
package io.leeway.autotune.lab.internal.trace;

import org.jspecify.annotations.NullMarked;

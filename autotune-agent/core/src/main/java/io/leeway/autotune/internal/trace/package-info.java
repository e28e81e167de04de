/** Traces between services: what is read of OTLP, Zipkin and headers, and the critical path through them. Pure. */
@NullMarked
package io.leeway.autotune.internal.trace;

import org.jspecify.annotations.NullMarked;

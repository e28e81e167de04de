/** The agent: start, instrumentation, control channel, what goes back by itself. */
@NullMarked
package io.leeway.autotune.internal.agent;

import org.jspecify.annotations.NullMarked;

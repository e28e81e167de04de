/** Boundaries between flows of Pekko Streams. */
@NullMarked
package io.leeway.pipelining.reactive.internal.pekko;

import org.jspecify.annotations.NullMarked;

/** Boundaries between operators of Reactor. */
@NullMarked
package io.leeway.pipelining.reactive.internal.reactor;

import org.jspecify.annotations.NullMarked;

/** Which threads reach which operators: AutoPipelining §4.7.1. */
@NullMarked
package io.leeway.pipelining.internal.propagate;

import org.jspecify.annotations.NullMarked;

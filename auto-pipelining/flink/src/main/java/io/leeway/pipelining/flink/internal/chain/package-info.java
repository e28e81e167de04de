/** Threaded ports in one running chain of operators. */
@NullMarked
package io.leeway.pipelining.flink.internal.chain;

import org.jspecify.annotations.NullMarked;

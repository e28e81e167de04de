/** What the queues of all hosts have in common: how a producer waits where one is full. */
@NullMarked
package io.leeway.pipelining.internal.queue;

import org.jspecify.annotations.NullMarked;

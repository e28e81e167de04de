/** How graphs run: workers, queues, pauses. */
@NullMarked
package io.leeway.pipelining.graph.internal.run;

import org.jspecify.annotations.NullMarked;

/** Auto-pipelining in Flink's task managers: the agent. */
@NullMarked
package io.leeway.pipelining.flink;

import org.jspecify.annotations.NullMarked;

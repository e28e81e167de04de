/** All chains of a task manager as one host. */
@NullMarked
package io.leeway.pipelining.flink.internal.host;

import org.jspecify.annotations.NullMarked;

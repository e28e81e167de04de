/** What is changed in Flink's classes. */
@NullMarked
package io.leeway.pipelining.flink.internal.agent;

import org.jspecify.annotations.NullMarked;

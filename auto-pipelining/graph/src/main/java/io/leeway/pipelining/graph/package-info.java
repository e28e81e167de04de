/** Operator graphs for plain JVM code, with threads that are placed while they run. */
@NullMarked
package io.leeway.pipelining.graph;

import org.jspecify.annotations.NullMarked;

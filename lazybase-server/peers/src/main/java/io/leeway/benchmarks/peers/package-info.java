/** Apache Cassandra on the same rows as LazyBase. */
@NullMarked
package io.leeway.benchmarks.peers;

import org.jspecify.annotations.NullMarked;

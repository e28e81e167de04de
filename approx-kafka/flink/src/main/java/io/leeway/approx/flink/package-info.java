/** Approximate topics in Flink: a source of records with their reports, and an answer with its interval for each window. */
@NullMarked
package io.leeway.approx.flink;

import org.jspecify.annotations.NullMarked;

/** Answers from a sample, each with its interval, or refused where none would be honest. Depends on nothing. */
@NullMarked
package io.leeway.approx.estimate;

import org.jspecify.annotations.NullMarked;

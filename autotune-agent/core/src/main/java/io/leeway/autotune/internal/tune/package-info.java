/** Tuning a running service: rounds, verdicts, keeping the best, verifying it. Pure: service, time and seed are passed in. */
@NullMarked
package io.leeway.autotune.internal.tune;

import org.jspecify.annotations.NullMarked;

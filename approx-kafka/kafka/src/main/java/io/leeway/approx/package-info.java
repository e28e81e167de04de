/** Approximate topics for unmodified Kafka clients: what a user configures, starts and reads. */
@NullMarked
package io.leeway.approx;

import org.jspecify.annotations.NullMarked;

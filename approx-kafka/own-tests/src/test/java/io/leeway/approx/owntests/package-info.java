/** Kafka's own tests through the shim. */
@org.jspecify.annotations.NullMarked
package io.leeway.approx.owntests;

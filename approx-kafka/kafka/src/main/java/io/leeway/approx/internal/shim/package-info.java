/** The Kafka protocol beside the client: passes exact topics through, takes approximate ones. */
@NullMarked
package io.leeway.approx.internal.shim;

import org.jspecify.annotations.NullMarked;

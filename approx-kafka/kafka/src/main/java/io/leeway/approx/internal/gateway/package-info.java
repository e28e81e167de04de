/** The gateway: sessions of shims, and what it writes into topics. */
@NullMarked
package io.leeway.approx.internal.gateway;

import org.jspecify.annotations.NullMarked;

/** Tests of the gateway's parts. */
@NullMarked
package io.leeway.approx.internal.gateway;

import org.jspecify.annotations.NullMarked;

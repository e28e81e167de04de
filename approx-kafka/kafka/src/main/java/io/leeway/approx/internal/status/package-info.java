/** Status, metrics and the live page over HTTP. */
@NullMarked
package io.leeway.approx.internal.status;

import org.jspecify.annotations.NullMarked;

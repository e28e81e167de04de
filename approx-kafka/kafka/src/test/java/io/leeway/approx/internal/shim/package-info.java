/** Tests of the shim. */
@NullMarked
package io.leeway.approx.internal.shim;

import org.jspecify.annotations.NullMarked;

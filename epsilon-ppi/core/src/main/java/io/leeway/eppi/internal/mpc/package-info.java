/** Secure computation of Boolean circuits on many persons at once, in two profiles. */
@NullMarked
package io.leeway.eppi.internal.mpc;

import org.jspecify.annotations.NullMarked;

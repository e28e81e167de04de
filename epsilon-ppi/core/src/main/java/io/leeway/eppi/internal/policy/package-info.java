/** How much noise a wish needs: exact tails, thresholds of common persons, mixing, classes of wishes. */
@NullMarked
package io.leeway.eppi.internal.policy;

import org.jspecify.annotations.NullMarked;

/** SecSumShare: additive shares of memberships among coordinators. */
@NullMarked
package io.leeway.eppi.internal.share;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.leeway.approx.internal.wire;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.leeway.approx.internal.window;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.leeway.approx;

import org.jspecify.annotations.NullMarked;

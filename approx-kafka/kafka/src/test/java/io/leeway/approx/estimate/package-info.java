@NullMarked
package io.leeway.approx.estimate;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.leeway.approx.atp;

import org.jspecify.annotations.NullMarked;

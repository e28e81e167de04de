@NullMarked
package io.leeway.autotune.internal.sim;

import org.jspecify.annotations.NullMarked;

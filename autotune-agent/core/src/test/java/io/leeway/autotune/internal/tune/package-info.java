@NullMarked
package io.leeway.autotune.internal.tune;

import org.jspecify.annotations.NullMarked;

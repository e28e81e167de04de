@NullMarked
package io.leeway.autotune.internal.learn;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.leeway.autotune.internal.knobs;

import org.jspecify.annotations.NullMarked;

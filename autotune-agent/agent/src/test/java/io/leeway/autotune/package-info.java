@NullMarked
package io.leeway.autotune;

import org.jspecify.annotations.NullMarked;

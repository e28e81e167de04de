@NullMarked
package io.leeway.autotune.internal.deploy;

import org.jspecify.annotations.NullMarked;

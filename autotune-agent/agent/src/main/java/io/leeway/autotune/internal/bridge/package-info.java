/** The one class that changed classes of the host call; it lives in the bootstrap loader and uses nothing but java.base. */
@NullMarked
package io.leeway.autotune.internal.bridge;

import org.jspecify.annotations.NullMarked;

/** How messages are written as bytes and read back. */
@NullMarked
package io.leeway.lazytables.internal.wire;

import org.jspecify.annotations.NullMarked;

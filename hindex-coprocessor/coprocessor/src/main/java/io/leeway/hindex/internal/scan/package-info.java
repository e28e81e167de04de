/** Reads regions without holding a handler for longer than it says. */
@NullMarked
package io.leeway.hindex.internal.scan;

import org.jspecify.annotations.NullMarked;

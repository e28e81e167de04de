/** A network on one machine. */
@NullMarked
package io.leeway.eppi.internal.local;

import org.jspecify.annotations.NullMarked;

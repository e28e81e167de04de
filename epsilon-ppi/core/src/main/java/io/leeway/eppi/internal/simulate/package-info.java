/** A whole network in one process: every step of a construction as nodes do it, with method calls instead of connections. */
@NullMarked
package io.leeway.eppi.internal.simulate;

import org.jspecify.annotations.NullMarked;

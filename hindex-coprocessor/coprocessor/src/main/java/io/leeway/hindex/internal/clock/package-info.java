/** Timestamps that strictly increase for each row. */
@NullMarked
package io.leeway.hindex.internal.clock;

import org.jspecify.annotations.NullMarked;

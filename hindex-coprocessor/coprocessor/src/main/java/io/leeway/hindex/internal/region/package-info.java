/** The parts that keep the indexes of one region's table, put together. */
@NullMarked
package io.leeway.hindex.internal.region;

import org.jspecify.annotations.NullMarked;

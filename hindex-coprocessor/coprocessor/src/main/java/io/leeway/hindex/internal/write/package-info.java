/** From a write of the base table to writes of its indexes. */
@NullMarked
package io.leeway.hindex.internal.write;

import org.jspecify.annotations.NullMarked;

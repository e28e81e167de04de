/** Which versions are obsolete in a stream of cells: a function of the stream alone. */
@NullMarked
package io.leeway.hindex.internal.collect;

import org.jspecify.annotations.NullMarked;

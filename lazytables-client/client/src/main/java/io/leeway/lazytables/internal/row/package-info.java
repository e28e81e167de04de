/** Rows of primitive cells, and what is logged of updates. */
@NullMarked
package io.leeway.lazytables.internal.row;

import org.jspecify.annotations.NullMarked;

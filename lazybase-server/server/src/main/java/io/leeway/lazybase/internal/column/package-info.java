/** Rows in columns, keys that compare as bytes, and the encodings of columns. */
@NullMarked
package io.leeway.lazybase.internal.column;

import org.jspecify.annotations.NullMarked;

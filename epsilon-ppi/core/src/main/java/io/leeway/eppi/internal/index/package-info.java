/** The published index: compressed bitmaps under one signed root. */
@NullMarked
package io.leeway.eppi.internal.index;

import org.jspecify.annotations.NullMarked;

/** Files of extents, and the local directory they lie in. */
@NullMarked
package io.leeway.lazybase.internal.storage;

import org.jspecify.annotations.NullMarked;

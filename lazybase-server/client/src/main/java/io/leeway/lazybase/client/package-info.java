/** Updates in bulk, and tokens by which one's own commits are read. */
@NullMarked
package io.leeway.lazybase.client;

import org.jspecify.annotations.NullMarked;

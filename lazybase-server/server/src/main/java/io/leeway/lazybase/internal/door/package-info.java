/** Ways in beside PostgreSQL's protocol, which optional parts bring. */
@NullMarked
package io.leeway.lazybase.internal.door;

import org.jspecify.annotations.NullMarked;

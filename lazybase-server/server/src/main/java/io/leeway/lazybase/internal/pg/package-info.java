/** The door: PostgreSQL's wire protocol. */
@NullMarked
package io.leeway.lazybase.internal.pg;

import org.jspecify.annotations.NullMarked;

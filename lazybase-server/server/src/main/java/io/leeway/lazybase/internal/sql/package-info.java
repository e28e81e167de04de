/** SQL on top: Calcite plans, definitions of tables, statements that write, the catalogue. */
@NullMarked
package io.leeway.lazybase.internal.sql;

import org.jspecify.annotations.NullMarked;

/**
 * What the database says about its tables: columns, how their {@code =} works, keys and foreign keys. Only what the
 * database enforces is told; only tables that somebody asks for are read.
 */
@NullMarked
package io.leeway.privoxy.internal.schema;

import org.jspecify.annotations.NullMarked;

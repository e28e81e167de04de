/** The tree that the SQL front end reads a statement into: immutable records, every node with its offset in the text. */
@NullMarked
package io.leeway.privoxy.internal.sql.ast;

import org.jspecify.annotations.NullMarked;

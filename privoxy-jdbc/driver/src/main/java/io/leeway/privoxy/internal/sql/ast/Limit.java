package io.leeway.privoxy.internal.sql.ast;

import org.jspecify.annotations.Nullable;

/**
 * LIMIT, OFFSET and FETCH in any notation.
 *
 * @param count number of rows, or null for no limit
 * @param offset rows to skip, or null for none
 * @param withTies whether rows equal to the last one in order come along
 */
public record Limit(@Nullable Expr count, @Nullable Expr offset, boolean withTies, int position) implements Node {}

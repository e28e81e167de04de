package io.leeway.privoxy.internal.sql;

import java.util.Set;

/**
 * Whether an index computes anything that can fail for a row, or compares more than its columns.
 *
 * <p>An index fails where its expression does or its values are not unique, so that somebody who may choose the
 * expression can ask for any bit of any row: almost any function and operator fails for some value. A column in one
 * case, and comparisons with literals, do not; a condition of a unique index may only say where a column is null.
 */
final class DdlIndex {

    /** What a condition of an index may consist of besides columns, literals and comparisons: none of it can fail. */
    private static final Set<String> MAY_FAIL = Set.of(
            "LIKE",
            "ILIKE",
            "SIMILAR",
            "ESCAPE",
            "CASE",
            "CAST",
            "AT",
            "COLLATE",
            "ARRAY",
            "ROW",
            "ANY",
            "ALL",
            "SOME",
            "OPERATOR",
            "OVERLAPS");

    // Of columns with literals these cannot fail. (An arithmetic operator can: by zero, or out of range.)
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");

    private final Cursor cursor;

    DdlIndex(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Reads a statement from its first token. */
    boolean computes(int begin) {
        boolean unique = false;
        boolean computes = false;
        boolean where = false;
        int depth = 0;
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            unique |= depth == 0 && cursor.at("UNIQUE");
            if (where) {
                // A condition of a unique index on more than IS NULL makes two rows collide or not by what a hidden
                // column compares to.
                computes |= unique ? !cursor.at(TokenKind.WORD) && !cursor.at(TokenKind.QUOTED) : !isHarmless();
            }
            where |= depth == 0 && cursor.at("WHERE");
            if (isCased()) {
                cursor.next();
                cursor.next();
                cursor.next();
            } else if (cursor.at(TokenKind.LEFT_PAREN)) {
                depth++;
                // name(10): the first ten characters of a column, which no value lacks.
                boolean prefix = cursor.isMariaDb()
                        && cursor.kind(1) == TokenKind.INTEGER
                        && cursor.kind(2) == TokenKind.RIGHT_PAREN;
                computes |= depth > 1 && !where && !prefix;
            } else if (cursor.at(TokenKind.RIGHT_PAREN)) {
                depth--;
            } else if (!where && depth > 0) {
                computes |= cursor.at(TokenKind.OPERATOR) && !cursor.atOperator("=");
            }
        }
        return computes;
    }

    /** A column in one case, of which both are there for every text. */
    private boolean isCased() {
        return (cursor.at("LOWER") || cursor.at("UPPER"))
                && cursor.kind(1) == TokenKind.LEFT_PAREN
                && (cursor.kind(2) == TokenKind.WORD || cursor.kind(2) == TokenKind.QUOTED)
                && cursor.kind(3) == TokenKind.RIGHT_PAREN;
    }

    /** Whether a token of a condition is of a kind that computes nothing that can fail. */
    private boolean isHarmless() {
        if (cursor.at(TokenKind.WORD)) {
            boolean calls = cursor.kind(1) == TokenKind.LEFT_PAREN
                    && !cursor.atAny("IN", "AND", "OR", "NOT", "WHERE", "BETWEEN");
            return !calls && !cursor.atAny(0, MAY_FAIL);
        }
        return cursor.at(TokenKind.QUOTED)
                ? cursor.kind(1) != TokenKind.LEFT_PAREN
                : cursor.kind(0).isPlainLiteral()
                        || cursor.at(TokenKind.LEFT_PAREN)
                        || cursor.at(TokenKind.RIGHT_PAREN)
                        || cursor.at(TokenKind.COMMA)
                        || COMPARISONS.stream().anyMatch(cursor::atOperator);
    }
}

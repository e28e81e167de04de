package io.leeway.privoxy.internal.sql;

import java.util.Set;

/**
 * What a default computes in a text that changes the schema: whether it looks at other columns, and whether it gives
 * each row that is there another value.
 *
 * <p>Where a default ends has to be found without a grammar of expressions, so both questions go from word to word and
 * hold each against a list. Without them an added column would be a copy of a hidden one, or number hidden rows.
 */
final class DdlDefaults {

    /** Words that no column can be called without quotes, in MariaDB and H2, and that stand in defaults. */
    private static final Set<String> CONSTANTS = Set.of(
            "NULL",
            "TRUE",
            "FALSE",
            "CURRENT_TIMESTAMP",
            "CURRENT_DATE",
            "CURRENT_TIME",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "CURRENT_USER",
            "INTERVAL",
            "AND",
            "OR",
            "NOT",
            "IS",
            "FOR",
            "ON");

    /** The same in MariaDB only. */
    private static final Set<String> MARIADB_CONSTANTS = Set.of("UTC_TIMESTAMP", "UTC_DATE", "UTC_TIME", "DIV", "MOD");

    /** The same in H2 only. */
    private static final Set<String> H2_CONSTANTS = Set.of("SESSION_USER", "USER");

    /** Units; also names of columns, but not behind a number of them. */
    private static final Set<String> UNITS = Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    /**
     * With these an expression goes on behind an operand. Where a default ends has to be found without reading it, as
     * NOT NULL and other clauses follow without a mark.
     */
    private static final Set<String> GOES_ON =
            Set.of("AND", "OR", "IS", "LIKE", "ILIKE", "REGEXP", "IN", "BETWEEN", "DIV", "MOD", "AT", "COLLATE");

    /**
     * What may be called in the default of a column that rows get which are there: what gives all of them the same, or
     * each something that nobody can foresee. Types with a length look like calls.
     */
    private static final Set<String> SAME_FOR_ALL = Set.of(
            "NOW",
            "CURRENT_TIMESTAMP",
            "LOCALTIMESTAMP",
            "LOCALTIME",
            "CURRENT_DATE",
            "CURRENT_TIME",
            "CURDATE",
            "CURTIME",
            "UTC_TIMESTAMP",
            "UTC_DATE",
            "UTC_TIME",
            "TRANSACTION_TIMESTAMP",
            "TIMEZONE",
            "GEN_RANDOM_UUID",
            "UUIDV4",
            "CAST",
            "COALESCE",
            "CONCAT",
            "LOWER",
            "UPPER",
            "JSON_OBJECT",
            "JSON_ARRAY",
            "JSONB_BUILD_OBJECT",
            "JSON_BUILD_OBJECT",
            "ROW",
            "ARRAY",
            "INTERVAL",
            "DEFAULT",
            "AND",
            "OR",
            "NOT",
            "IN",
            "VARCHAR",
            "CHAR",
            "CHARACTER",
            "VARYING",
            "NUMERIC",
            "DECIMAL",
            "BIT",
            "BINARY",
            "VARBINARY",
            "TIMESTAMP",
            "TIMESTAMPTZ",
            "DATETIME",
            "TIME",
            "FLOAT");

    /**
     * Clauses behind a default, after which brackets are no call. DEFAULT 0 CHECK (n > 0): what is in those brackets
     * belongs to another clause.
     */
    private static final Set<String> BEHIND_DEFAULT =
            Set.of("REFERENCES", "CHECK", "CONSTRAINT", "UNIQUE", "PRIMARY", "COMMENT", "AFTER", "FIRST", "GENERATED");

    private final Cursor cursor;

    DdlDefaults(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Whether one behind a token numbers the rows that are there. */
    boolean numberRows(int begin) {
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            if (cursor.at("DEFAULT") && !isOfRowsToCome() && isCounted()) {
                return true;
            }
        }
        return false;
    }

    /** ALTER [COLUMN] name SET DEFAULT, which no row that is there is given. */
    private boolean isOfRowsToCome() {
        boolean column = cursor.at(-3, "COLUMN") && cursor.at(-4, "ALTER");
        return cursor.index() > 4 && cursor.at(-1, "SET") && (column || cursor.at(-3, "ALTER"));
    }

    /** Whether the default here may give each row another value. */
    private boolean isCounted() {
        int depth = 0;
        for (int ahead = 1; cursor.kind(ahead) != TokenKind.END && cursor.kind(ahead) != TokenKind.SEMICOLON; ahead++) {
            TokenKind kind = cursor.kind(ahead);
            boolean calls = cursor.kind(ahead + 1) == TokenKind.LEFT_PAREN;
            if (kind == TokenKind.LEFT_PAREN) {
                depth++;
            } else if (kind == TokenKind.RIGHT_PAREN) {
                depth--;
            }
            boolean behind = kind == TokenKind.COMMA || kind == TokenKind.WORD && cursor.atAny(ahead, BEHIND_DEFAULT);
            if (depth < 0 || depth == 0 && behind) {
                return false;
            }
            // A name in two parts is a function of whoever made it.
            boolean qualified = cursor.kind(ahead - 1) == TokenKind.DOT;
            boolean known = kind == TokenKind.WORD && !qualified && cursor.atAny(ahead, SAME_FOR_ALL);
            // With an argument H2's RANDOM_UUID(7) gives the time, too.
            boolean random = cursor.at(ahead, "RANDOM_UUID") && cursor.kind(ahead + 2) == TokenKind.RIGHT_PAREN;
            boolean isCall = calls && (kind == TokenKind.WORD || kind == TokenKind.QUOTED);
            if (isCall && !known && !random || cursor.at(ahead, "NEXT") && cursor.at(ahead + 1, "VALUE")) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the one that begins here looks at columns. Only MariaDB and H2 have defaults that look at other columns.
     *
     * <p>{@code ADD COLUMN shown INT DEFAULT (secret)} copies the hidden column into the new one, for all rows
     * ({@code AttackerCasesIT.aColumnWithTheNameOfAConstantIsAColumn}).
     */
    boolean readsColumns() {
        if (cursor.isPostgres()) {
            return false;
        }
        int depth = 0;
        for (int ahead = 1; ; ahead++) {
            TokenKind kind = cursor.kind(ahead);
            if (kind == TokenKind.LEFT_PAREN) {
                depth++;
            } else if (kind == TokenKind.RIGHT_PAREN) {
                depth--;
            } else if (isColumn(ahead, kind)) {
                return true;
            }
            // Behind the first operand outside of brackets other clauses may follow; an operator continues it.
            boolean ends = depth <= 0
                    && (kind != TokenKind.WORD || cursor.kind(ahead + 1) != TokenKind.LEFT_PAREN)
                    && kind != TokenKind.OPERATOR
                    && cursor.kind(ahead + 1) != TokenKind.OPERATOR
                    && !(kind == TokenKind.WORD && cursor.atAny(ahead, GOES_ON))
                    && !cursor.atAny(ahead + 1, GOES_ON)
                    && !cursor.at(ahead, "NOT")
                    && !cursor.at(ahead, "INTERVAL")
                    && !cursor.at(ahead, "NEXT")
                    && !cursor.at(ahead, "VALUE")
                    && !cursor.at(ahead, "FOR");
            if (ends || kind == TokenKind.END) {
                return false;
            }
        }
    }

    private boolean isColumn(int ahead, TokenKind kind) {
        boolean isSequence =
                cursor.at(ahead - 1, "FOR") && cursor.at(ahead - 2, "VALUE") && cursor.at(ahead - 3, "NEXT");
        if (kind == TokenKind.QUOTED) {
            // In quotes it is a name whatever it is called: "CURRENT_DATE" is a column.
            return !isSequence;
        }
        return kind == TokenKind.WORD
                && cursor.kind(ahead + 1) != TokenKind.LEFT_PAREN
                && cursor.kind(ahead + 1) != TokenKind.STRING
                && !isSequence
                && !isOfSequence(ahead)
                && !isUnit(ahead)
                && !cursor.at(ahead - 1, "AS")
                && !cursor.at(ahead, "AS")
                && !cursor.atAny(ahead, CONSTANTS)
                && !cursor.atAny(ahead, cursor.isMariaDb() ? MARIADB_CONSTANTS : H2_CONSTANTS);
    }

    /** A word of NEXT VALUE FOR. */
    private boolean isOfSequence(int ahead) {
        int next = cursor.at(ahead, "NEXT") ? ahead : ahead - 1;
        return cursor.at(next, "NEXT") && cursor.at(next + 1, "VALUE") && cursor.at(next + 2, "FOR");
    }

    /** The unit of INTERVAL 1 DAY. */
    private boolean isUnit(int ahead) {
        boolean counted = cursor.kind(ahead - 1) == TokenKind.INTEGER || cursor.kind(ahead - 1) == TokenKind.STRING;
        return counted && cursor.at(ahead - 2, "INTERVAL") && cursor.atAny(ahead, UNITS);
    }
}

package io.leeway.privoxy.internal.sql;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Looks through the words of a change of the schema for what would let data out: functions, which run for each row
 * there is, and what makes rows that are there appear under another name.
 *
 * <p>A function that nobody knows may write, read or fail for each row; the names found here are held against the list
 * of known ones. Names in front of brackets are many in DDL (types, objects, lists of columns), so a call is told by
 * what stands before it; {@code DEFAULT f(x)}, {@code (f(x))}, {@code , f(x)}, {@code = f(x)}.
 */
final class DdlWords {

    /** Before a type or the name of an object a bracket follows too; before a call stands one of these, or a mark. */
    private static final Set<String> BEFORE_EXPRESSION = Set.of(
            "DEFAULT",
            "USING",
            "AND",
            "OR",
            "XOR",
            "NOT",
            "WHERE",
            "WHEN",
            "THEN",
            "ELSE",
            "CASE",
            "BETWEEN",
            "LIKE",
            "ILIKE",
            "IS",
            "DISTINCT",
            "UPDATE",
            "RETURN",
            "DIV",
            "MOD",
            "COLLATE",
            "FROM",
            "SIMILAR",
            "ESCAPE",
            "INTERVAL",
            "CALL");

    /** Words with a bracket behind them that are no functions. */
    private static final Set<String> NO_FUNCTION = Set.of(
            "ALL",
            "ANY",
            "ARRAY",
            "AS",
            "CASE",
            "CHECK",
            "EXCLUDE",
            "EXISTS",
            "FULLTEXT",
            "IN",
            "INCLUDE",
            "INDEX",
            "KEY",
            "NOT",
            "AND",
            "OR",
            "PERIOD",
            "ROW",
            "SOME",
            "SPATIAL",
            "UNIQUE",
            "VALUES",
            "WHERE",
            "WITH");

    private final Cursor cursor;
    private final Set<String> functions = new LinkedHashSet<>();
    private boolean givesRowsAnotherName;

    DdlWords(Cursor cursor) {
        this.cursor = cursor;
    }

    /**
     * Reads from a token to the end of the statement.
     *
     * <p>Calls are looked for at any depth, other names outside of parentheses only, where the clauses of the change
     * stand.
     */
    DdlWords read(int from, String kind) {
        boolean index = kind.endsWith("INDEX");
        cursor.reset(from);
        int depth = 0;
        boolean partitioned = false;
        while (!cursor.atEnd()) {
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                depth++;
            } else if (cursor.at(TokenKind.RIGHT_PAREN)) {
                depth--;
            } else if (cursor.kind(1) == TokenKind.LEFT_PAREN
                    && (cursor.at(TokenKind.WORD) || cursor.at(TokenKind.QUOTED))) {
                called(from, index);
            }
            partitioned |= depth == 0 && cursor.at("PARTITION");
            // Partitions may have engines of their own.
            givesRowsAnotherName |= (depth == 0 || partitioned && cursor.at("ENGINE")) && namesAnew();
            cursor.next();
        }
        return this;
    }

    Set<String> functions() {
        return functions;
    }

    boolean givesRowsAnotherName() {
        return givesRowsAnotherName;
    }

    /**
     * Notes a call by its name: in quotes as it stands, otherwise folded, with the schema if one is named, as
     * {@code app.now()} is not the database's.
     */
    private void called(int from, boolean index) {
        int first = cursor.index();
        Tokens tokens = cursor.tokens();
        while (first - 2 >= from && tokens.kind(first - 1) == TokenKind.DOT) {
            first -= 2;
        }
        boolean qualified = first < cursor.index();
        if (first == from || !standsInExpression(tokens, first - 1, index)) {
            return;
        }
        if (!qualified && cursor.at(TokenKind.WORD) && NO_FUNCTION.contains(word(tokens, cursor.index()))) {
            return;
        }
        // A column of which the first characters only are in an index: no function takes a number alone here.
        boolean prefix =
                cursor.isMariaDb() && cursor.kind(2) == TokenKind.INTEGER && cursor.kind(3) == TokenKind.RIGHT_PAREN;
        if (!prefix) {
            String schema = qualified ? cursor.tokens().text(first) + "." : "";
            functions.add(schema + (cursor.at(TokenKind.WORD) ? Chars.toLowerAscii(cursor.text()) : cursor.text()));
        }
    }

    private static boolean standsInExpression(Tokens tokens, int before, boolean index) {
        return switch (tokens.kind(before)) {
            case LEFT_PAREN, LEFT_BRACKET, COMMA -> true;
            // Behind :: stands a type with its length.
            case OPERATOR -> !tokens.isOperator(before, "::");
            case WORD -> {
                String word = word(tokens, before);
                // USING btree (a) in an index: the method and its columns.
                boolean method = word.equals("USING")
                        && (index || before > 0 && word(tokens, before - 1).equals("EXCLUDE"));
                yield !method && BEFORE_EXPRESSION.contains(word);
            }
            default -> false;
        };
    }

    /**
     * The policy shows rows by the name of their table. {@code RENAME hidden TO posts}, {@code ATTACH PARTITION
     * hidden}, {@code INHERIT} or {@code EXCHANGE PARTITION} would show rows by a name that is not theirs.
     */
    private boolean namesAnew() {
        if (!cursor.at(TokenKind.WORD)) {
            return false;
        }
        return switch (Chars.toUpperAscii(cursor.tokens().raw(cursor.index()))) {
            case "RENAME" -> !renamesConstraint();
            case "INHERIT", "ATTACH", "EXCHANGE" -> true;
            // Files of another table, and tables of another server.
            case "TABLESPACE" -> cursor.isMariaDb();
            case "FOREIGN" -> cursor.at(1, "TABLE");
            // CHANGE old new TYPE: a hidden column under the name of one that is shown.
            case "CHANGE" -> cursor.isMariaDb();
            case "SET" -> cursor.at(1, "SCHEMA");
            case "ENGINE" -> cursor.isMariaDb() && !isOrdinaryEngine(cursor);
            default -> false;
        };
    }

    // Names of constraints and indexes are no rows'.
    private boolean renamesConstraint() {
        return cursor.at(1, "CONSTRAINT") || cursor.isMariaDb() && (cursor.at(1, "INDEX") || cursor.at(1, "KEY"));
    }

    /**
     * One that keeps the table's rows itself; others show files, other servers or other tables.
     *
     * <p>{@code CONNECT}, {@code FEDERATED}, {@code SPIDER} and {@code MERGE} show other tables' rows, {@code CSV} a
     * file's.
     */
    static boolean isOrdinaryEngine(Cursor cursor) {
        int ahead = cursor.atOperator(1, "=") ? 2 : 1;
        return cursor.at(ahead, "INNODB")
                || cursor.at(ahead, "MYISAM")
                || cursor.at(ahead, "ARIA")
                || cursor.at(ahead, "MEMORY")
                || cursor.at(ahead, "ARCHIVE")
                || cursor.at(ahead, "ROCKSDB");
    }

    private static String word(Tokens tokens, int index) {
        return tokens.kind(index) == TokenKind.WORD ? Chars.toUpperAscii(tokens.raw(index)) : "";
    }
}

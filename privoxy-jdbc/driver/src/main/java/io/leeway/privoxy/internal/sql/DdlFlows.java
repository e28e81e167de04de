package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Statement.Retyped;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a change of the schema for ways in which values of rows that are there, or of rows that come, would get
 * into another column, or tell by an error which they are: what an UPDATE or a query would do without being called so.
 */
final class DdlFlows {

    private static final Set<String> NO_COLUMN = Set.of(
            "CONSTRAINT",
            "PRIMARY",
            "UNIQUE",
            "FOREIGN",
            "INDEX",
            "KEY",
            "CHECK",
            "FULLTEXT",
            "SPATIAL",
            "EXCLUDE",
            "PARTITION",
            "PERIOD",
            "SYSTEM");

    private static final Set<String> INDEX_METHODS = Set.of("INDEX", "BTREE", "HASH", "RTREE");

    /** Words in a default that are no columns. */
    private static final Set<String> CONSTANTS = Set.of(
            "NULL",
            "TRUE",
            "FALSE",
            "CURRENT_TIMESTAMP",
            "CURRENT_DATE",
            "CURRENT_TIME",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "UTC_TIMESTAMP",
            "UTC_DATE",
            "UTC_TIME",
            "CURRENT_USER",
            "SESSION_USER",
            "USER",
            "INTERVAL",
            "YEAR",
            "MONTH",
            "DAY",
            "HOUR",
            "MINUTE",
            "SECOND",
            "DATE",
            "TIME",
            "TIMESTAMP",
            "AND",
            "OR",
            "NOT",
            "IS",
            "DIV",
            "MOD",
            "NEXT",
            "VALUE",
            "FOR",
            "ON",
            "UUID",
            "X",
            "N",
            "E");

    private final Cursor cursor;
    private final List<Retyped> retyped = new ArrayList<>();
    private final List<String> added = new ArrayList<>();
    private @Nullable String flow;

    DdlFlows(Cursor cursor) {
        this.cursor = cursor;
    }

    /**
     * Reads a statement.
     *
     * @param begin its first token
     * @param kind its first words
     */
    DdlFlows read(int begin, String kind) {
        switch (kind) {
            case "CREATE TABLE" -> table(begin, false);
            case "ALTER TABLE" -> {
                table(begin, true);
                actions(begin);
            }
            case "CREATE INDEX" -> index(begin);
            case "ALTER DOMAIN" -> {
                if (find(begin, "CHECK")) {
                    found("a check of rows that are there, which tells by an error what they are");
                }
            }
            default -> {
                // Nothing in it is computed for rows.
            }
        }
        return this;
    }

    /** How values would flow, or null if they do not. */
    @Nullable
    String flow() {
        return flow;
    }

    /** Columns of rows that are there which get another type. */
    List<Retyped> retyped() {
        return retyped;
    }

    /** Names of the columns that are added to a table that is there. */
    List<String> added() {
        return added;
    }

    private void found(String what) {
        flow = flow == null ? what : flow;
    }

    private boolean find(int begin, String word) {
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            if (cursor.at(word)) {
                return true;
            }
        }
        return false;
    }

    /** Definitions of columns and constraints. */
    private void table(int begin, boolean alters) {
        Deque<Boolean> casts = new ArrayDeque<>();
        boolean afterCast = false;
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                casts.push(afterCast);
            } else if (cursor.at(TokenKind.RIGHT_PAREN) && !casts.isEmpty()) {
                casts.pop();
            } else if (cursor.at(TokenKind.WORD)) {
                boolean inCast = !casts.isEmpty() && casts.peek();
                definition(alters, inCast);
            }
            afterCast =
                    cursor.at(TokenKind.WORD) && (cursor.at("CAST") || cursor.at("TRY_CAST") || cursor.at("CONVERT"));
        }
    }

    private void definition(boolean alters, boolean inCast) {
        switch (word()) {
            case "AS" -> {
                if (!inCast && !cursor.at(1, "IDENTITY") && !cursor.at(1, "ROW")) {
                    found("a column that is computed from others");
                }
            }
            case "INHERITS" -> found("a table whose rows appear in another one");
            case "PARTITION" -> {
                if (cursor.at(1, "OF") || (alters && cursor.isMariaDb())) {
                    found("a partition, which tells by an error what rows there are");
                }
            }
            case "DEFAULT" -> defaultValue();
            case "USING" -> {
                if (alters && INDEX_METHODS.stream().noneMatch(method -> cursor.at(1, method))) {
                    found("an expression that gives rows that are there other values");
                }
            }
            case "CHECK" -> {
                if (alters && cursor.kind(1) == TokenKind.LEFT_PAREN) {
                    found("a check of rows that are there, which tells by an error what they are");
                }
            }
            case "EXCLUDE" -> {
                if (alters) {
                    found("a comparison of rows that are there, which tells by an error what they are");
                }
            }
            case "CONVERT" -> {
                if (alters && cursor.at(1, "TO")) {
                    found("another collation, with which other values are equal");
                }
            }
            default -> {
                // Nothing that computes.
            }
        }
    }

    /** Only MariaDB and H2 have defaults that look at other columns. */
    private void defaultValue() {
        if (cursor.isPostgres()) {
            return;
        }
        int depth = 0;
        for (int ahead = 1; ; ahead++) {
            TokenKind kind = cursor.kind(ahead);
            if (kind == TokenKind.LEFT_PAREN) {
                depth++;
            } else if (kind == TokenKind.RIGHT_PAREN) {
                depth--;
            } else if (isColumn(ahead, kind)) {
                found("a default that is computed from other columns");
                return;
            }
            // Behind the first operand outside of brackets other clauses may follow; an operator continues it.
            boolean ends = depth <= 0
                    && (kind != TokenKind.WORD || cursor.kind(ahead + 1) != TokenKind.LEFT_PAREN)
                    && kind != TokenKind.OPERATOR
                    && cursor.kind(ahead + 1) != TokenKind.OPERATOR
                    && !cursor.at(ahead, "NEXT")
                    && !cursor.at(ahead, "VALUE")
                    && !cursor.at(ahead, "FOR");
            if (ends || kind == TokenKind.END) {
                return;
            }
        }
    }

    private boolean isColumn(int ahead, TokenKind kind) {
        if (kind == TokenKind.QUOTED) {
            return !cursor.at(ahead - 1, "FOR");
        }
        return kind == TokenKind.WORD
                && cursor.kind(ahead + 1) != TokenKind.LEFT_PAREN
                && cursor.kind(ahead + 1) != TokenKind.STRING
                && !cursor.at(ahead - 1, "FOR")
                && !cursor.at(ahead - 1, "AS")
                && !cursor.at(ahead, "AS")
                && CONSTANTS.stream().noneMatch(constant -> cursor.at(ahead, constant));
    }

    /** What is done to the columns of a table that is there. */
    private void actions(int begin) {
        int depth = 0;
        boolean start = false;
        boolean list = false;
        cursor.reset(begin);
        // ALTER TABLE [IF EXISTS] [ONLY] name
        while (!cursor.atEnd() && !cursor.at("TABLE")) {
            cursor.next();
        }
        cursor.next();
        while (cursor.at("IF") || cursor.at("EXISTS") || cursor.at("ONLY")) {
            cursor.next();
        }
        if (cursor.atName(Keywords.NOT_TABLE)) {
            cursor.qualifiedName(Keywords.NOT_TABLE);
            start = true;
        }
        while (!cursor.atEnd()) {
            int here = cursor.index();
            if (start && depth == 0) {
                list = action();
                start = false;
                if (cursor.index() != here) {
                    continue;
                }
            }
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                depth++;
                if (list && depth == 1) {
                    add(1);
                }
            } else if (cursor.at(TokenKind.RIGHT_PAREN)) {
                depth--;
            } else if (cursor.at(TokenKind.COMMA)) {
                start = depth == 0;
                if (list && depth == 1) {
                    add(1);
                }
            }
            cursor.next();
        }
    }

    /** Reads the beginning of an action; returns whether a list of columns to add follows. */
    private boolean action() {
        if (cursor.accept("ADD")) {
            cursor.accept("COLUMN");
            while (cursor.at("IF") || cursor.at("NOT") || cursor.at("EXISTS")) {
                cursor.next();
            }
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                return true;
            }
            add(0);
        } else if (cursor.accept("MODIFY")) {
            cursor.accept("COLUMN");
            redefined();
        } else if (cursor.accept("ALTER")) {
            cursor.accept("COLUMN");
            while (cursor.at("IF") || cursor.at("EXISTS")) {
                cursor.next();
            }
            altered();
        }
        return false;
    }

    private void add(int ahead) {
        boolean named = cursor.kind(ahead) == TokenKind.QUOTED
                || (cursor.kind(ahead) == TokenKind.WORD
                        && NO_COLUMN.stream().noneMatch(word -> cursor.at(ahead, word)));
        if (named) {
            added.add(cursor.tokens().text(cursor.index() + ahead));
        }
    }

    private void altered() {
        if (!cursor.at(TokenKind.WORD) && !cursor.at(TokenKind.QUOTED)) {
            return;
        }
        int name = cursor.index();
        boolean type = cursor.at(1, "TYPE") || (cursor.at(1, "SET") && cursor.at(2, "DATA"));
        boolean other = cursor.at(1, "SET")
                || cursor.at(1, "DROP")
                || cursor.at(1, "ADD")
                || cursor.at(1, "RESTART")
                || cursor.at(1, "RESET")
                || cursor.at(1, "RENAME")
                || cursor.at(1, "SELECTIVITY");
        if (type || !other) {
            String column = cursor.tokens().text(name);
            cursor.next();
            while (cursor.at("SET") || cursor.at("DATA") || cursor.at("TYPE")) {
                cursor.next();
            }
            retyped.add(new Retyped(column, type(), isMore()));
        }
    }

    private void redefined() {
        if (cursor.at(TokenKind.WORD) || cursor.at(TokenKind.QUOTED)) {
            String column = cursor.tokens().text(cursor.index());
            cursor.next();
            retyped.add(new Retyped(column, type(), isMore()));
        }
    }

    /** The words of a type, lower-case, with its length. */
    private String type() {
        var type = new StringBuilder();
        while (cursor.at(TokenKind.WORD) && !isBehindType()) {
            type.append(type.length() == 0 ? "" : " ").append(Chars.toLowerAscii(cursor.text()));
            cursor.next();
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                while (!cursor.atEnd() && !cursor.at(TokenKind.RIGHT_PAREN)) {
                    type.append(cursor.text());
                    cursor.next();
                }
                type.append(')');
                cursor.next();
            }
        }
        return type.toString();
    }

    private boolean isBehindType() {
        return cursor.atAny(
                "NULL",
                "NOT",
                "DEFAULT",
                "USING",
                "COLLATE",
                "COMMENT",
                "FIRST",
                "AFTER",
                "AUTO_INCREMENT",
                "PRIMARY",
                "UNIQUE",
                "CHECK",
                "REFERENCES",
                "GENERATED",
                "INVISIBLE",
                "ON",
                "KEY");
    }

    /** Whether up to the next action anything follows that changes what is equal, or where the column stands. */
    private boolean isMore() {
        int depth = 0;
        while (!cursor.atEnd() && !(depth == 0 && cursor.at(TokenKind.COMMA))) {
            if (cursor.atAny("COLLATE", "FIRST", "AFTER", "CHARACTER", "CHARSET", "USING")) {
                return true;
            }
            depth += cursor.at(TokenKind.LEFT_PAREN) ? 1 : cursor.at(TokenKind.RIGHT_PAREN) ? -1 : 0;
            cursor.next();
        }
        return false;
    }

    /**
     * An index fails where its expression does or its values are not unique, so that somebody who may choose the
     * expression can ask for any bit of any row. A column in one case, and where a column is null, is no choice.
     */
    private void index(int begin) {
        boolean unique = false;
        boolean computes = false;
        boolean fails = false;
        boolean where = false;
        int depth = 0;
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            unique |= depth == 0 && cursor.at("UNIQUE");
            computes |= where && !cursor.at(TokenKind.WORD) && !cursor.at(TokenKind.QUOTED);
            where |= depth == 0 && cursor.at("WHERE");
            fails |= cursor.atOperator("/") || cursor.atOperator("%") || cursor.atOperator("::") || cursor.at("CAST");
            boolean cased = (cursor.at("LOWER") || cursor.at("UPPER"))
                    && cursor.kind(1) == TokenKind.LEFT_PAREN
                    && (cursor.kind(2) == TokenKind.WORD || cursor.kind(2) == TokenKind.QUOTED)
                    && cursor.kind(3) == TokenKind.RIGHT_PAREN;
            if (cased) {
                cursor.next();
                cursor.next();
                cursor.next();
            } else if (cursor.at(TokenKind.LEFT_PAREN)) {
                depth++;
                boolean prefix = cursor.isMariaDb()
                        && cursor.kind(1) == TokenKind.INTEGER
                        && cursor.kind(2) == TokenKind.RIGHT_PAREN;
                computes |= depth > 1 && !prefix;
            } else if (cursor.at(TokenKind.RIGHT_PAREN)) {
                depth--;
            }
        }
        if ((computes && unique) || fails) {
            found("an index on an expression, which tells by an error what rows there are");
        }
    }

    private String word() {
        return Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
    }
}

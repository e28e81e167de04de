package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Statement.Retyped;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What {@code ALTER TABLE} does to the columns of a table that is there, action by action.
 *
 * <p>Whether an action does harm may depend on what the column is now, which the text does not tell; so the columns are
 * named here, for whoever knows the schema. An action that begins with an unknown word is not understood: it may hide
 * another one.
 */
final class TableActions {

    // Behind ADD: no name of a new column, but the beginning of a constraint, an index or a partition.
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

    /**
     * With one of these an action begins, or an option of MariaDB's tables. What begins otherwise is not understood.
     * Once an action that began with an unknown word hid the one behind it
     * (SeventhAttackIT.whatIsNotUnderstoodOfAChangeOfATableIsRefused).
     */
    private static final Set<String> ACTIONS = Set.of(
            "ADD",
            "ALTER",
            "MODIFY",
            "CHANGE",
            "DROP",
            "RENAME",
            "SET",
            "RESET",
            "ENABLE",
            "DISABLE",
            "VALIDATE",
            "FORCE",
            "NO",
            "NOT",
            "OF",
            "OWNER",
            "CLUSTER",
            "REPLICA",
            "INHERIT",
            "ATTACH",
            "DETACH",
            "CONVERT",
            "PARTITION",
            "TRUNCATE",
            "EXCHANGE",
            "ORDER",
            "ALGORITHM",
            "LOCK",
            "ENGINE",
            "AUTO_INCREMENT",
            "COMMENT",
            "DEFAULT",
            "CHARACTER",
            "CHARSET",
            "COLLATE",
            "ROW_FORMAT",
            "KEY_BLOCK_SIZE",
            "PAGE_COMPRESSED",
            "STATS_PERSISTENT",
            "STATS_AUTO_RECALC",
            "STATS_SAMPLE_PAGES");

    /**
     * What may be set of a column without another type. To H2 ALTER COLUMN c SET may be followed by a type; what is
     * none of these words counts as one.
     */
    private static final Set<String> SET_OF_COLUMN = Set.of(
            "DEFAULT",
            "NOT",
            "NULL",
            "STATISTICS",
            "STORAGE",
            "COMPRESSION",
            "VISIBLE",
            "INVISIBLE",
            "ON",
            "GENERATED",
            "EXPRESSION",
            "INCREMENT",
            "START",
            "MINVALUE",
            "MAXVALUE",
            "CYCLE",
            "CACHE",
            "NO");

    private static final Set<String> DROPPED_OF_COLUMN = Set.of("DEFAULT", "NOT", "EXPRESSION", "IDENTITY", "ON");

    private final Cursor cursor;
    private final List<Retyped> retyped = new ArrayList<>();
    private final List<String> added = new ArrayList<>();
    private final List<String> filled = new ArrayList<>();
    private boolean known = true;

    TableActions(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Reads a statement from its first token. */
    void read(int begin) {
        actions(begin);
        keys(begin);
    }

    /** Whether each begins with a word that is known. */
    boolean areKnown() {
        return known;
    }

    /**
     * Columns of rows that are there which get another type.
     *
     * <p>Whether the other type holds every value as it is depends on the column's type now, which the text does not
     * tell; so it is asked by who knows the schema.
     */
    List<Retyped> retyped() {
        return retyped;
    }

    /**
     * Names of the columns that are added to a table that is there.
     *
     * <p>A policy that compares a column of that name would judge the rows that are there by its default.
     */
    List<String> added() {
        return added;
    }

    /**
     * Names of columns that hold no NULL from then on: MariaDB may put another value in the place of those that are
     * there.
     */
    List<String> filled() {
        return filled;
    }

    /**
     * What is done to the columns of a table that is there.
     *
     * <p>Each action is read up to what decides about it: a name that is added, a type that is changed. Where the next
     * one begins is told by commas outside of parentheses.
     */
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
        if (cursor.isMariaDb() && !cursor.accept("NOWAIT") && cursor.accept("WAIT")) {
            cursor.next();
        }
        // Between the name and the first action may stand something that nobody reads (PostgreSQL's *, a list in
        // brackets).
        if (!start || !cursor.atAny(0, ACTIONS)) {
            known = false;
        }
        while (!cursor.atEnd()) {
            int here = cursor.index();
            if (start && depth == 0) {
                // H2 has one action; what it drops is a list.
                if (!cursor.isH2() && !cursor.atAny(0, ACTIONS)) {
                    known = false;
                }
                // H2 and MariaDB take a list of new columns in parentheses behind ADD.
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
                || (cursor.kind(ahead) == TokenKind.WORD && !cursor.atAny(ahead, NO_COLUMN));
        if (named) {
            added.add(cursor.tokens().text(cursor.index() + ahead));
        }
    }

    /**
     * What is neither known to leave the type alone nor a change of type counts as one: {@code ALTER COLUMN c INT} is
     * H2's way to change it.
     */
    private void altered() {
        if (!cursor.at(TokenKind.WORD) && !cursor.at(TokenKind.QUOTED)) {
            return;
        }
        int name = cursor.index();
        boolean type = cursor.at(1, "TYPE") || (cursor.at(1, "SET") && cursor.at(2, "DATA"));
        // To H2 what stands here may be a type that is called so.
        boolean bracket = cursor.kind(2) == TokenKind.LEFT_PAREN;
        boolean other = cursor.at(1, "SET") && (cursor.atAny(2, SET_OF_COLUMN) || bracket)
                || cursor.at(1, "DROP") && cursor.atAny(2, DROPPED_OF_COLUMN)
                || cursor.at(1, "ADD") && cursor.at(2, "GENERATED")
                || cursor.at(1, "RESTART") && (cursor.isPostgres() || cursor.at(2, "WITH"))
                || cursor.at(1, "RESET") && cursor.isPostgres() && bracket
                || cursor.at(1, "RENAME") && cursor.at(2, "TO")
                || cursor.at(1, "SELECTIVITY") && cursor.kind(2) == TokenKind.INTEGER;
        if (type || !other) {
            String column = cursor.tokens().text(name);
            cursor.next();
            while (cursor.at("SET") || cursor.at("DATA") || cursor.at("TYPE")) {
                cursor.next();
            }
            retyped.add(new Retyped(column, type(), isMore(column)));
        }
    }

    private void redefined() {
        if (cursor.at(TokenKind.WORD) || cursor.at(TokenKind.QUOTED)) {
            String column = cursor.tokens().text(cursor.index());
            cursor.next();
            retyped.add(new Retyped(column, type(), isMore(column)));
        }
    }

    /**
     * The columns of a primary key or a period.
     *
     * <p>Their columns hold no NULL from then on, on MariaDB by putting zeros in the place of those that are there.
     */
    private void keys(int begin) {
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            if (cursor.at("PRIMARY", "KEY") || cursor.at("PERIOD", "FOR")) {
                while (cursor.at(TokenKind.WORD) || cursor.at(TokenKind.QUOTED)) {
                    cursor.next();
                }
                if (cursor.at(TokenKind.LEFT_PAREN)) {
                    columnsOfKey();
                }
            }
        }
    }

    private void columnsOfKey() {
        for (int depth = 0; !cursor.atEnd(); cursor.next()) {
            boolean begins = cursor.at(TokenKind.COMMA) || cursor.at(TokenKind.LEFT_PAREN);
            depth += cursor.at(TokenKind.LEFT_PAREN) ? 1 : cursor.at(TokenKind.RIGHT_PAREN) ? -1 : 0;
            if (depth == 0) {
                return;
            }
            if (begins && depth == 1) {
                filled.add(cursor.tokens().text(cursor.index() + 1));
            }
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

    // Clauses that may stand behind a type. A word of the type's own name is none of these.
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

    /**
     * Whether up to the next action anything follows that changes what is equal, or where the column stands.
     *
     * <p>Type and clause together: {@code MODIFY c VARCHAR(20) COLLATE utf8mb4_bin} is another equality though the type
     * holds all values, and {@code AFTER d} moves the column in every {@code *} and {@code INSERT} without a list.
     */
    private boolean isMore(String column) {
        // Behind the type stands a clause, or nothing: a type's name may have two parts, or be one of arrays.
        if (!cursor.atEnd() && !cursor.at(TokenKind.COMMA) && !cursor.at(TokenKind.WORD)) {
            return true;
        }
        int depth = 0;
        while (!cursor.atEnd() && !(depth == 0 && cursor.at(TokenKind.COMMA))) {
            if (cursor.atAny("COLLATE", "FIRST", "AFTER", "CHARACTER", "CHARSET", "USING")) {
                return true;
            }
            if (cursor.at("NOT", "NULL") || cursor.at("PRIMARY") || cursor.at("KEY") && !cursor.at(-1, "UNIQUE")) {
                // NOT NULL in a redefinition is as much as SET NOT NULL.
                filled.add(column);
            }
            depth += cursor.at(TokenKind.LEFT_PAREN) ? 1 : cursor.at(TokenKind.RIGHT_PAREN) ? -1 : 0;
            cursor.next();
        }
        return false;
    }
}

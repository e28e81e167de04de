package io.leeway.privoxy.internal.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a change of the schema for ways in which values of rows that are there, or of rows that come, would get
 * into another column, or tell by an error which they are: what an UPDATE or a query would do without being called so.
 *
 * <p>Changes of the schema have to pass, as migrations need them; but an account that may change the schema can have
 * the database compute over hidden rows. {@code ALTER COLUMN shown TYPE TEXT USING secret} copies; {@code ADD CHECK
 * (secret <> 7)} and {@code CREATE UNIQUE INDEX ON t ((secret / (id - 1)))} fail or not; {@code ADD COLUMN n SERIAL}
 * numbers the rows in the order in which they lie. Each is refused with what it would do; run over the plain URL it
 * passes.
 *
 * <p>It looks through words, without a grammar of each database's DDL: a word counts wherever it stands. Lists say what
 * is known to be harmless where a list can (what begins an action, what a default may call, what stands behind a type);
 * there, what is on none is refused. {@code SchemaFlows} tries the clauses of all three databases.
 */
final class DdlFlows {

    // MariaDB's USING BTREE chooses an index, PostgreSQL's USING gives an expression.
    private static final Set<String> INDEX_METHODS = Set.of("INDEX", "BTREE", "HASH", "RTREE");

    /** What stands behind ON UPDATE without looking at rows: what becomes of rows that refer, and the time. */
    private static final Set<String> AFTER_UPDATE = Set.of(
            "CASCADE", "RESTRICT", "NO", "SET", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_DATE", "LOCALTIME");

    /**
     * Types and clauses by which a database gives each row that is there a number of its own. Types of PostgreSQL by
     * any of their names, the words of the others.
     */
    private static final Set<String> NUMBERING = Set.of(
            "SERIAL",
            "BIGSERIAL",
            "SMALLSERIAL",
            "SERIAL2",
            "SERIAL4",
            "SERIAL8",
            "AUTO_INCREMENT",
            "AUTOINCREMENT",
            "IDENTITY");

    private static final String NUMBERED =
            "a column that numbers the rows that are there, which tells how many there are and in which order";

    private static final String FILLED = "a default that rows get in the place of NULL, also when the table is copied";

    private final Cursor cursor;
    private final TableActions actions;
    private final DdlDefaults defaults;
    private @Nullable String flow;

    DdlFlows(Cursor cursor) {
        this.cursor = cursor;
        this.actions = new TableActions(cursor);
        this.defaults = new DdlDefaults(cursor);
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
                ignored(begin);
                carried(begin);
                table(begin, true);
                numbers(begin);
                actions.read(begin);
                if (!actions.areKnown()) {
                    found("an action that is not known");
                }
            }
            case "CREATE INDEX" -> {
                if (new DdlIndex(cursor).computes(begin)) {
                    found("an index on an expression, which tells by an error what rows there are");
                }
            }
            case "CREATE STATISTICS" -> statistics(begin);
            case "CREATE SCHEMA", "CREATE DATABASE" -> {
                // CREATE SCHEMA s CREATE VIEW …: what stands in it would be read by nobody
                // (ThirdAttackIT.aSchemaIsMadeWithoutWhatStandsInIt).
                if (find(begin + 1, "CREATE") || find(begin + 1, "GRANT")) {
                    found("other statements in it");
                }
            }
            case "ALTER TYPE" -> {
                // Rows of a composite type compare field by field, so without a field different ones become equal.
                if (find(begin, "ATTRIBUTE")) {
                    found("another attribute, with or without which other values are equal");
                }
            }
            case "ALTER DOMAIN" -> {
                if (find(begin, "CHECK")) {
                    found("a check of rows that are there, which tells by an error what they are");
                }
                countedDefaults(begin);
            }
            // A column of the type that is added to a table later has its default.
            case "CREATE DOMAIN" -> countedDefaults(begin);
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

    /** What is done to the columns of a table that is there. */
    TableActions actions() {
        return actions;
    }

    // The first is told, though several may be found: one is enough to refuse.
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
        // AS begins a computed column, but not in CAST(x AS type), which may stand in a default at any depth.
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
                // GENERATED ALWAYS AS IDENTITY counts, and AS ROW START is MariaDB's time of a version: neither reads
                // columns.
                if (!inCast && !cursor.at(1, "IDENTITY") && !cursor.at(1, "ROW")) {
                    found("a column that is computed from others");
                }
            }
            case "INHERITS" -> found("a table whose rows appear in another one");
            case "PARTITION" -> {
                // Rows that do not fit a new partition make the change fail.
                if (cursor.at(1, "OF") || (alters && cursor.isMariaDb())) {
                    found("a partition, which tells by an error what rows there are");
                }
            }
            case "DEFAULT" -> {
                // H2 copies a table to which a column is added, and then puts the default for each NULL
                // (SeventhAttackIT.noDefaultTakesThePlaceOfNull).
                if (cursor.isH2() && cursor.at(1, "ON") && cursor.at(2, "NULL")) {
                    found(FILLED);
                }
                if (defaults.readsColumns()) {
                    found("a default that is computed from other columns");
                }
            }
            case "NULL_TO_DEFAULT" -> {
                if (cursor.isH2()) {
                    found(FILLED);
                }
            }
            case "USING" -> {
                if (alters && !cursor.atAny(1, INDEX_METHODS)) {
                    found("an expression that gives rows that are there other values");
                }
            }
            case "CHECK" -> {
                if (alters && cursor.kind(1) == TokenKind.LEFT_PAREN) {
                    found("a check of rows that are there, which tells by an error what they are");
                }
            }
            case "NOT" -> {
                // The chase would add rows for a foreign key that rows which are there need not obey
                // (SecondAttackIT.aForeignKeyThatIsNotValidIsRefused).
                if (alters && cursor.at(1, "VALID")) {
                    found("a constraint that rows need not obey");
                }
            }
            case "ON" -> {
                if (cursor.isH2() && cursor.at(1, "UPDATE") && !cursor.atAny(2, AFTER_UPDATE)) {
                    found("a value that is computed when a row changes");
                }
            }
            case "TRIGGER" -> {
                // Foreign keys are enforced by triggers that DISABLE TRIGGER ALL, or a name, switches off
                // (SeventhAttackIT.triggersThatEnforceAreNotSwitchedOff).
                boolean enforces = cursor.at(-1, "DISABLE") && !cursor.at(1, "USER") || cursor.at(-1, "REPLICA");
                if (alters && cursor.isPostgres() && enforces) {
                    found("triggers that are switched off, which may be those of foreign keys");
                }
            }
            case "NOCHECK", "REFERENTIAL_INTEGRITY" -> {
                if (alters && cursor.isH2()) {
                    found("a constraint that rows need not obey");
                }
            }
            case "EXCLUDE" -> {
                if (alters) {
                    found("a comparison of rows that are there, which tells by an error what they are");
                }
            }
            case "CONVERT" -> {
                // CONVERT TO CHARACTER SET: what was different becomes equal, and unique keys say so by failing.
                if (alters && cursor.at(1, "TO")) {
                    found("another collation, with which other values are equal");
                }
            }
            default -> {
                // Nothing that computes.
            }
        }
    }

    /**
     * A foreign key on columns that are there by which the database deletes or changes rows: which ones tells their
     * values. A column that is added has one value in all rows.
     */
    private void carried(int begin) {
        boolean isNew = true;
        boolean carries = false;
        for (cursor.reset(begin + 1); !cursor.atEnd(); cursor.next()) {
            isNew &= !cursor.atAny("FOREIGN", "MODIFY", "CHANGE", "ALTER");
            boolean acts = cursor.at("ON") && (cursor.at(1, "DELETE") || cursor.at(1, "UPDATE"));
            carries |= acts && (cursor.at(2, "CASCADE") || cursor.at(2, "SET"));
        }
        if (carries && !isNew) {
            found("a foreign key on columns that are there, by which rows are deleted or changed");
        }
    }

    /** MariaDB's ALTER IGNORE TABLE takes away the rows that a new key does not allow. */
    private void ignored(int begin) {
        for (cursor.reset(begin); !cursor.atEnd() && !cursor.at("TABLE"); cursor.next()) {
            if (cursor.at("IGNORE")) {
                found("rows that are taken away in silence where they are not unique");
            }
        }
    }

    /**
     * A column that is added gets its default in rows that are there too, one after the other as the table is read:
     * what counts, tells the time or draws from a known seed numbers them. A column that is there keeps its values, but
     * for MariaDB's zeros.
     */
    private void numbers(int begin) {
        boolean adds = false;
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            boolean makesIdentity =
                    cursor.isPostgres() && cursor.at(1, "GENERATED") && (cursor.at(2, "ALWAYS") || cursor.at(2, "BY"));
            adds |= cursor.at("ADD") && !makesIdentity;
            if (cursor.isMariaDb() && cursor.at("ORDER", "BY")) {
                found("an order in which rows are stored");
            }
        }
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            // As a table's option it is the next number, and no column.
            boolean option = cursor.at("AUTO_INCREMENT")
                    && (cursor.kind(1) == TokenKind.OPERATOR || cursor.kind(1) == TokenKind.INTEGER);
            // To PostgreSQL "serial" in quotes is the same.
            boolean named = cursor.at(TokenKind.WORD) || cursor.at(TokenKind.QUOTED);
            boolean numbers = named && NUMBERING.contains(Chars.toUpperAscii(cursor.text())) && !option;
            // In H2 a column's default may be given as SEQUENCE name, too.
            boolean isNext = cursor.isH2() && cursor.at("SEQUENCE");
            // MariaDB's MODIFY gives AUTO_INCREMENT to a column that is there, and its zeros numbers.
            if ((numbers || isNext) && (adds || cursor.isMariaDb())) {
                found(NUMBERED);
            }
        }
        // On PostgreSQL a column that is there keeps its values whatever its default becomes.
        if (adds || !cursor.isPostgres()) {
            countedDefaults(begin);
        }
    }

    private void countedDefaults(int begin) {
        if (defaults.numberRows(begin)) {
            found(NUMBERED);
        }
    }

    /** Every later ANALYZE computes it, the database's own too. */
    private void statistics(int begin) {
        boolean columns = false;
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            columns |= cursor.at("ON");
            if (columns && cursor.at(TokenKind.LEFT_PAREN)) {
                found("an expression that is computed for rows that are there");
            }
        }
    }

    private String word() {
        return Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
    }
}

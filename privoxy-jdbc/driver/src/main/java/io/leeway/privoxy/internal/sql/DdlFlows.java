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

    // MariaDB's USING BTREE chooses an index, PostgreSQL's USING gives an expression.
    private static final Set<String> INDEX_METHODS = Set.of("INDEX", "BTREE", "HASH", "RTREE");

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

    /** What stands behind ON UPDATE without looking at rows: what becomes of rows that refer, and the time. */
    private static final Set<String> AFTER_UPDATE = Set.of(
            "CASCADE", "RESTRICT", "NO", "SET", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_DATE", "LOCALTIME");

    // Of columns with literals these cannot fail. (An arithmetic operator can: by zero, or out of range.)
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");

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

    private static final String NUMBERED =
            "a column that numbers the rows that are there, which tells how many there are and in which order";

    private static final String UNKNOWN = "an action that is not known";
    private static final String FILLED = "a default that rows get in the place of NULL, also when the table is copied";

    private final Cursor cursor;
    private final List<Retyped> retyped = new ArrayList<>();
    private final List<String> added = new ArrayList<>();
    private final List<String> filled = new ArrayList<>();
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
                ignored(begin);
                carried(begin);
                table(begin, true);
                numbers(begin);
                actions(begin);
                keys(begin);
            }
            case "CREATE INDEX" -> index(begin);
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
                defaultValue();
            }
            case "NULL_TO_DEFAULT" -> {
                if (cursor.isH2()) {
                    found(FILLED);
                }
            }
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
            case "NOT" -> {
                // The chase would add rows for a foreign key that rows which are there need not obey
                // (SecondAttackIT.aForeignKeyThatIsNotValidIsRefused).
                if (alters && cursor.at(1, "VALID")) {
                    found("a constraint that rows need not obey");
                }
            }
            case "ON" -> {
                if (cursor.isH2() && cursor.at(1, "UPDATE") && !isAny(2, AFTER_UPDATE)) {
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
        for (cursor.reset(begin); !cursor.atEnd(); cursor.next()) {
            if (cursor.at("DEFAULT") && !isOfRowsToCome() && isCounted()) {
                found(NUMBERED);
            }
        }
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
            boolean behind = kind == TokenKind.COMMA || kind == TokenKind.WORD && isAny(ahead, BEHIND_DEFAULT);
            if (depth < 0 || depth == 0 && behind) {
                return false;
            }
            // A name in two parts is a function of whoever made it.
            boolean qualified = cursor.kind(ahead - 1) == TokenKind.DOT;
            boolean known = kind == TokenKind.WORD && !qualified && isAny(ahead, SAME_FOR_ALL);
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
     * Only MariaDB and H2 have defaults that look at other columns.
     *
     * <p>{@code ADD COLUMN shown INT DEFAULT (secret)} copies the hidden column into the new one, for all rows
     * ({@code AttackerCasesIT.aColumnWithTheNameOfAConstantIsAColumn}).
     */
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
                    && !(kind == TokenKind.WORD && isAny(ahead, GOES_ON))
                    && !isAny(ahead + 1, GOES_ON)
                    && !cursor.at(ahead, "NOT")
                    && !cursor.at(ahead, "INTERVAL")
                    && !cursor.at(ahead, "NEXT")
                    && !cursor.at(ahead, "VALUE")
                    && !cursor.at(ahead, "FOR");
            if (ends || kind == TokenKind.END) {
                return;
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
                && !isAny(ahead, CONSTANTS)
                && !isAny(ahead, cursor.isMariaDb() ? MARIADB_CONSTANTS : H2_CONSTANTS);
    }

    /** A word of NEXT VALUE FOR. */
    private boolean isOfSequence(int ahead) {
        int next = cursor.at(ahead, "NEXT") ? ahead : ahead - 1;
        return cursor.at(next, "NEXT") && cursor.at(next + 1, "VALUE") && cursor.at(next + 2, "FOR");
    }

    /** The unit of INTERVAL 1 DAY. */
    private boolean isUnit(int ahead) {
        boolean counted = cursor.kind(ahead - 1) == TokenKind.INTEGER || cursor.kind(ahead - 1) == TokenKind.STRING;
        return counted && cursor.at(ahead - 2, "INTERVAL") && isAny(ahead, UNITS);
    }

    private boolean isAny(int ahead, Set<String> words) {
        return words.stream().anyMatch(word -> cursor.at(ahead, word));
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
        if (!start || !isAny(0, ACTIONS)) {
            found(UNKNOWN);
        }
        while (!cursor.atEnd()) {
            int here = cursor.index();
            if (start && depth == 0) {
                // H2 has one action; what it drops is a list.
                if (!cursor.isH2() && !isAny(0, ACTIONS)) {
                    found(UNKNOWN);
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
                || (cursor.kind(ahead) == TokenKind.WORD
                        && NO_COLUMN.stream().noneMatch(word -> cursor.at(ahead, word)));
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
        boolean other = cursor.at(1, "SET") && (isAny(2, SET_OF_COLUMN) || bracket)
                || cursor.at(1, "DROP") && isAny(2, DROPPED_OF_COLUMN)
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

    /**
     * An index fails where its expression does or its values are not unique, so that somebody who may choose the
     * expression can ask for any bit of any row: almost any function and operator fails for some value. A column in one
     * case, and comparisons with literals, do not; a condition of a unique index may only say where a column is null.
     */
    private void index(int begin) {
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
        if (computes) {
            found("an index on an expression, which tells by an error what rows there are");
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
            return !calls && !isAny(0, MAY_FAIL);
        }
        return cursor.at(TokenKind.QUOTED)
                ? cursor.kind(1) != TokenKind.LEFT_PAREN
                : cursor.kind(0).isPlainLiteral()
                        || cursor.at(TokenKind.LEFT_PAREN)
                        || cursor.at(TokenKind.RIGHT_PAREN)
                        || cursor.at(TokenKind.COMMA)
                        || COMPARISONS.stream().anyMatch(cursor::atOperator);
    }

    private String word() {
        return Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
    }
}

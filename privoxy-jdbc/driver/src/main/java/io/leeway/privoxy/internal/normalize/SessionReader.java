package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SessionSettings;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements that are about the session or the schema. Lists of what is allowed: a setting may switch constraints off
 * on which the checker relies, or become another user; a statement may run SQL that is in a string.
 *
 * <p>What passes must change neither what is read nor what it means, unless the caller is told so: the results' flags
 * make the session's state be read anew, or facts be forgotten ({@link Normalized}).
 */
final class SessionReader {

    /** What MariaDB and H2 show; PostgreSQL's SHOW shows settings only. Not: counters, sizes, other sessions. */
    private static final Set<String> SHOWN = words("""
            VARIABLES DATABASES SCHEMAS TABLES COLUMNS FIELDS ENGINES COLLATION GRANTS PRIVILEGES PLUGINS CHARACTER \
            CREATE DESCRIBE""");

    private static final Set<String> SHOWN_TEXTS = Set.of("DATABASE", "SCHEMA", "VIEW");

    private static final Set<String> SHOW_QUALIFIERS = Set.of("FULL", "SESSION", "LOCAL", "GLOBAL");

    // Not VIEW, FUNCTION, PROCEDURE, TRIGGER, RULE, EVENT, POLICY, EXTENSION: what they read is read later, by
    // statements that do not show it, or under another account.
    private static final Set<String> SCHEMA_OBJECTS =
            words("TABLE INDEX SEQUENCE SCHEMA TYPE DOMAIN DATABASE COLUMN CONSTRAINT COLLATION STATISTICS");

    /** PostgreSQL's types that are no words of its grammar: it looks for them where it looks for others. */
    private static final Set<String> OWN_TYPES = words("int2 int4 int8 float4 float8 bool text varchar bpchar uuid date"
            + " numeric timestamp timestamptz time timetz interval json jsonb bytea name oid char money inet cidr regclass"
            + " regtype bit varbit xml point");

    private static final String ROLE = "role";
    private static final String NO_ROLE = "none";
    private static final String FOREIGN_KEYS = "foreign_key_checks";

    private final Work work;
    private final List<String> searchPath;
    // For SET ROLE and for schemas of the user's name; null where it is not certain who the session acts as.
    private final @Nullable String user;
    private final boolean explainAllowed;
    private final List<Demand> demands = new ArrayList<>();

    SessionReader(Work work, List<String> searchPath, @Nullable String user, boolean explainAllowed) {
        this.user = user;
        this.work = work;
        this.searchPath = searchPath;
        this.explainAllowed = explainAllowed;
    }

    Normalized read(Statement statement) {
        if (statement instanceof Statement.Transaction transaction) {
            return done(Kind.TRANSACTION, false).affecting(effects(transaction));
        }
        if (statement instanceof Statement.Set set) {
            return set(set);
        }
        if (statement instanceof Statement.Show show) {
            return show(show);
        }
        if (statement instanceof Statement.Ddl ddl) {
            return ddl(ddl);
        }
        if (statement instanceof Statement.Explain explain) {
            return explain(explain);
        }
        if (statement instanceof Statement.Other other) {
            return other(other);
        }
        if (statement instanceof Statement.Call call) {
            if (work.isAllowed(call.procedure())) {
                return procedure(call);
            }
            throw work.refuse("CALL of " + call.procedure() + ", which may do anything", call.position());
        }
        // COPY moves rows by a protocol of its own, past result sets, and to and from files of the server.
        if (statement instanceof Statement.Copy copy) {
            throw work.refuse("COPY", copy.position());
        }
        throw work.refuse("this statement", statement.position());
    }

    /**
     * It may do anything, so whatever is known becomes doubtful; a query among its arguments would be read unchecked.
     */
    private Normalized procedure(Statement.Call call) {
        call.arguments().forEach(this::checkArgument);
        new Vetting(work, searchPath).isPublic(call);
        // As a change of the schema it makes all requests forget, and the session's state is read again.
        return done(Kind.DDL, true).affecting(SessionEffects.ANY);
    }

    private static SessionEffects effects(Statement.Transaction transaction) {
        if (transaction.kind() == Statement.TransactionKind.PREPARED) {
            return SessionEffects.of(SessionEffects.Kind.PREPARES);
        }
        return transaction.choosesIsolation()
                ? SessionEffects.of(SessionEffects.Kind.CHOOSES_ISOLATION)
                : SessionEffects.NONE;
    }

    private void checkArgument(Node argument) {
        if (argument instanceof Query) {
            throw work.refuse("a sub-query in CALL", argument.position());
        }
        Tree.children(argument).forEach(this::checkArgument);
    }

    private Normalized done(Kind kind, boolean changesSession) {
        return new Normalized(
                Normalizer.plan(kind, work, Recording.NONE, List.of()).plan(), changesSession, demands);
    }

    // --- SET and SHOW ------------------------------------------------------------------------------------------------

    private Normalized set(Statement.Set set) {
        boolean changes = false;
        boolean own = false;
        boolean sets = false;
        boolean setsAny = false;
        for (Statement.Setting setting : set.settings()) {
            changes |= changesReading(setting);
            own |= !SessionSettings.isReadBack(setting.name().toString().toLowerCase(Locale.ROOT), work.dialect);
            sets |= !setting.values().isEmpty()
                    && (isOwn(setting)
                            || SessionSettings.givesMeaning(
                                    setting.name().toString().toLowerCase(Locale.ROOT)));
            setsAny |= !setting.values().isEmpty()
                    && SessionSettings.isAskable(setting.name().toString().toLowerCase(Locale.ROOT));
            setting.values().forEach(this::checkValue);
        }
        new Vetting(work, searchPath).isPublic(set);
        return done(Kind.SESSION, changes)
                .changingMeaning(own, sets, setsAny)
                .affecting(SettingEffects.of(set, work.dialect));
    }

    /** Whether the setting changes the reading of text; one that is not allowed is refused. */
    private boolean changesReading(Statement.Setting setting) {
        String name = setting.name().toString().toLowerCase(Locale.ROOT);
        boolean shared = setting.scope().equals("GLOBAL") || setting.scope().startsWith("PERSIST");
        // @x can carry a value from one statement into the next, past the questions of either; GLOBAL and PERSIST are
        // the settings of others.
        if (setting.userVariable() || shared) {
            throw work.refuse("SET " + (shared ? setting.scope() + " " : "@") + name, setting.position());
        }
        if (SessionSettings.isPinned(name)) {
            return true;
        }
        if (name.equals(ROLE) && keepsUser(setting)) {
            // The search path may name the user.
            return true;
        }
        if (name.equals(FOREIGN_KEYS) && keepsForeignKeys(setting)) {
            return false;
        }
        if (!SessionSettings.isHarmless(name) && !isOwn(setting)) {
            throw work.refuse("SET " + name, setting.position());
        }
        return false;
    }

    /**
     * A name in two parts is an application's own setting, of which the database knows nothing.
     *
     * <p>Views of the database, or PostgreSQL's row security, may ask for it by {@code current_setting('app.tenant')}:
     * so what rows mean may have changed.
     */
    private boolean isOwn(Statement.Setting setting) {
        return !setting.name().isSimple() && work.dialect == Dialect.POSTGRESQL;
    }

    /**
     * Whether the role stays what it was, so that every row that was seen is still seen and no other.
     *
     * <p>With another role other rows may be visible, and names mean other tables; the connection's facts are of the
     * account that it was checked as.
     */
    private boolean keepsUser(Statement.Setting setting) {
        if (work.dialect != Dialect.POSTGRESQL
                || user == null
                || setting.values().size() > 1) {
            return false;
        }
        String role =
                setting.values().isEmpty() ? NO_ROLE : name(setting.values().get(0));
        return NO_ROLE.equals(role) || user.equals(role);
    }

    private static @Nullable String name(Expr value) {
        if (value instanceof Expr.Literal literal && literal.kind() == Expr.LiteralKind.STRING) {
            return literal.text();
        }
        if (value instanceof Expr.Column column && column.name().isSimple()) {
            return column.name().last().text();
        }
        return value instanceof Expr.Keyword keyword ? keyword.word().toLowerCase(Locale.ROOT) : null;
    }

    /**
     * Whether the database still vouches for foreign keys, on which the checker relies: the value is 1.
     *
     * <p>Rows that are written without the check refer to nothing, and the chase would still add the rows that they
     * refer to.
     */
    private boolean keepsForeignKeys(Statement.Setting setting) {
        if (work.dialect != Dialect.MARIADB || setting.values().size() != 1) {
            return false;
        }
        Expr value = setting.values().get(0);
        if (value instanceof Expr.Parameter parameter) {
            demands.add(new Demand(parameter.slot(), Value.of(1), "SET " + FOREIGN_KEYS + " to another value than 1"));
            return work.arguments.expect(parameter.slot(), ColumnType.integer(""));
        }
        return value instanceof Expr.Literal literal
                && literal.kind() == Expr.LiteralKind.INTEGER
                && literal.text().equals("1");
    }

    /** A value is computed from nothing but literals and other settings. */
    private void checkValue(Node value) {
        if (value instanceof Query) {
            throw work.refuse("a sub-query in SET", value.position());
        }
        // SET x = y with a bare word: y is a name for a value, not a column.
        boolean word = value instanceof Expr.Column || value instanceof Expr.Keyword;
        if (!word) {
            Tree.children(value).forEach(this::checkValue);
        }
    }

    /** Of a table MariaDB shows the next number that it gives, among all variables how many warnings there were. */
    private boolean showsData(List<String> words, String what) {
        int at = words.indexOf(what);
        String next = at + 1 < words.size() ? words.get(at + 1) : "";
        return switch (what) {
            case "CREATE" -> !SHOWN_TEXTS.contains(next);
            // Among all of them are warning_count and counters of the session; one that is named is held against the
            // list (Vetting).
            case "VARIABLES" ->
                !words.contains("GLOBAL")
                        && !(next.equals("LIKE") && at + 3 == words.size() && Vetting.isPlain(words.get(at + 2)));
            default -> false;
        };
    }

    private Normalized show(Statement.Show show) {
        String what = "";
        for (String word : show.words()) {
            if (!SHOW_QUALIFIERS.contains(word) && !word.equals("SHOW")) {
                what = word;
                break;
            }
        }
        // By the first word that is not a qualifier: SHOW FULL TABLES is SHOW TABLES.
        if (work.dialect != Dialect.POSTGRESQL && (!SHOWN.contains(what) || showsData(show.words(), what))) {
            throw work.refuse("SHOW " + what, show.position());
        }
        return done(Kind.SESSION, false);
    }

    // --- the schema --------------------------------------------------------------------------------------------------

    private Normalized ddl(Statement.Ddl ddl) {
        String kind = ddl.kind();
        String object = kind.substring(kind.lastIndexOf(' ') + 1);
        boolean removes = kind.startsWith("DROP") || kind.startsWith("COMMENT") || kind.startsWith("TRUNCATE");
        // CREATE TABLE … AS has been taken for what it is; any other query in a change of the schema is none that a
        // reader would look into, TABLE and VALUES included (ThirdAttackIT.aQueryIsOneWithoutTheWordSelectToo).
        if (ddl.containsQuery()) {
            throw work.refuse(kind + " with a query, which would be read without being checked", ddl.position());
        }
        if (!removes && !SCHEMA_OBJECTS.contains(object)) {
            throw work.refuse(kind + ", which hides what later statements read or who runs them", ddl.position());
        }
        // ThirdAttackIT.whatConnectionsWillBeIsNotChanged: a search path for all sessions to come, for instance.
        if (ddl.kind().equals("ALTER DATABASE")) {
            throw work.refuse(kind + ", which changes the settings of connections to come", ddl.position());
        }
        // The default search path is "$user", public: a schema of the user's name comes before the policy's tables
        // (ThirdAttackIT.noSchemaOfTheUsersNameComesBeforeThePolicys).
        if (work.dialect == Dialect.POSTGRESQL && ddl.kind().equals("CREATE SCHEMA")) {
            boolean own = user == null
                    || ddl.names().isEmpty()
                    || ddl.names().get(0).last().text().equals(user);
            if (own) {
                throw work.refuse(kind + " of the user's own name, where names are looked up first", ddl.position());
            }
        }
        // With public before pg_catalog in the path, CAST(x AS text) would be a cast to that type; readers go by the
        // name (ThirdAttackIT.typesAreThoseOfTheDatabase).
        boolean named = ddl.kind().equals("CREATE DOMAIN") || ddl.kind().equals("CREATE TYPE");
        if (named
                && ddl.names().stream()
                        .anyMatch(name -> OWN_TYPES.contains(name.last().text()))) {
            throw work.refuse(kind + " with the name of one of the database's own types", ddl.position());
        }
        // RENAME of a hidden table to a name that the policy shows would show its rows.
        if (ddl.givesRowsAnotherName()) {
            throw work.refuse(kind + " that gives rows another name, which the policy may show", ddl.position());
        }
        // What the parser found that would be refused as an UPDATE or a query (DdlFlows).
        if (ddl.flow() != null) {
            throw work.refuse(kind + " with " + ddl.flow(), ddl.position());
        }
        ddl.retyped().forEach(column -> checkRetyped(ddl, column));
        ddl.filled().forEach(column -> checkFilled(ddl, column));
        for (String function : ddl.functions()) {
            if (!mayRunForEachRow(function)) {
                throw work.refuse("the function " + function + " in " + kind, ddl.position());
            }
        }
        // New columns are told, since a policy's condition may name a column that is missing now: of rows that are
        // there it would be the default.
        return done(Kind.DDL, true).adding(ddl.added());
    }

    /**
     * Another type is an UPDATE of all rows, unless each value stays what it is and equals what it did.
     *
     * <p>{@code ALTER COLUMN secret TYPE INTEGER} fails for some values and rounds others, so it tells which there are;
     * a narrower text type makes equal what was not, which a unique index then reports.
     */
    private void checkRetyped(Statement.Ddl ddl, Statement.Retyped column) {
        Column known = column(ddl, column.column());
        ColumnType old = known == null ? null : known.type();
        if (column.more() || old == null || !WiderTypes.holds(old.sqlName(), column.type(), work.dialect)) {
            throw work.refuse(
                    ddl.kind() + " that may give the values of " + column.column() + " another form", ddl.position());
        }
    }

    /**
     * MariaDB puts zeros, empty texts and the like in the place of NULLs that are there; only in strict mode, which the
     * session may leave, it fails instead.
     *
     * <p>A row that a view shows because its {@code deleted_at} is NULL, or hides, would change sides
     * ({@code SeventhAttackIT.aNullIsMadeNothingElse}).
     */
    private void checkFilled(Statement.Ddl ddl, String name) {
        Column known = column(ddl, name);
        boolean isNew = ddl.added().stream().anyMatch(added -> added.equalsIgnoreCase(name));
        if (work.dialect == Dialect.MARIADB && !isNew && (known == null || known.nullable())) {
            throw work.refuse(
                    ddl.kind() + " that may put another value in the place of NULLs of " + name, ddl.position());
        }
    }

    /**
     * A column of the table that is changed. Of several whose names differ in case it is not looked at which is meant.
     */
    private @Nullable Column column(Statement.Ddl ddl, String name) {
        List<String> table = ddl.names().isEmpty()
                ? List.of()
                : ddl.names().get(0).parts().stream().map(part -> part.text()).toList();
        if (!(work.resolver.resolve(table, searchPath) instanceof TableResolver.BaseTable known)) {
            return null;
        }
        List<Column> columns = known.table().columns().stream()
                .filter(column -> column.name().equalsIgnoreCase(name))
                .toList();
        return columns.size() == 1 ? columns.get(0) : null;
    }

    /**
     * A default, a check or an index is computed for rows that are there: only what looks at nothing else may.
     *
     * <p>An own function in a default or a check is run for rows that are there, and may write them elsewhere; one that
     * fails for some values tells which there are.
     */
    private boolean mayRunForEachRow(String function) {
        FunctionKind known = work.functions.kind(function.replaceFirst("^pg_catalog\\.", ""));
        return known != null && (known.isValue() || known == FunctionKind.FRESH);
    }

    private Normalized explain(Statement.Explain explain) {
        // EXPLAIN ANALYZE runs the statement.
        if (explain.analyze()) {
            throw work.refuse("EXPLAIN ANALYZE, which tells how many rows there are", explain.position());
        }
        if (!explainAllowed) {
            throw work.refuse("EXPLAIN, whose estimates come from samples of the data", explain.position());
        }
        // PostgreSQL computes calls with constant arguments while it plans.
        new Vetting(work, searchPath).isPublic(explain.statement());
        return done(Kind.SESSION, false);
    }

    private Normalized other(Statement.Other other) {
        return switch (other.keyword()) {
            // As if it set something that views may ask for: DATABASE() is another.
            case "USE" -> done(Kind.SESSION, true).changingMeaning(false, false, true);
            case "DISCARD ALL" -> done(Kind.SESSION, true).affecting(SessionEffects.of(SessionEffects.Kind.RESETS_ALL));
            case "DISCARD PLANS", "DISCARD SEQUENCES", "DISCARD TEMP", "DISCARD TEMPORARY" -> done(Kind.SESSION, true);
            case "DEALLOCATE", "CLOSE", "UNLISTEN" -> done(Kind.SESSION, false);
            default -> throw work.refuse(other.keyword(), other.position());
        };
    }

    private static Set<String> words(String text) {
        return Set.of(text.split(" "));
    }
}

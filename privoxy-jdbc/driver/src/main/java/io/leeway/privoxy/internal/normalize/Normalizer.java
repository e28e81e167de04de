package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SlotSource;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns a statement into a plan: a set of obligations, each a union of conjunctive queries with set semantics, such
 * that everything that the statement returns (rows as a bag, counts) is a function of the obligations' answers. Proving
 * each obligation compliant then proves the statement compliant. An obligation may ask for more than the statement
 * tells, which at worst refuses a harmless statement; never for less.
 *
 * <p>Not modelled: errors that the database raises while it evaluates an expression (a division by zero tells that
 * there was a zero), the order of rows where none is asked for, and time. A table without key is taken to have no two
 * equal rows.
 *
 * <p>What is not understood is refused with its position. A normaliser holds no state and is thread-safe.
 *
 * <p>The property is tested as it stands: {@code NormalizerPropertyTest.resultsAreFunctionsOfTheObligationsAnswers}
 * draws databases and queries and looks for two databases on which all obligations have the same answers and the
 * statement has not.
 */
public final class Normalizer {

    private final Dialect dialect;
    private final TableResolver resolver;
    private final boolean explainAllowed;
    private final AllowedFunctions functions;

    /**
     * A normaliser for one database.
     *
     * @param explainAllowed whether EXPLAIN (without ANALYZE) passes. It shows estimates of row counts, which come from
     *     samples of the data
     */
    public Normalizer(Dialect dialect, TableResolver resolver, boolean explainAllowed) {
        this(dialect, resolver, explainAllowed, AllowedFunctions.NONE);
    }

    /** The same with functions that may be called although nothing is known of them. */
    public Normalizer(Dialect dialect, TableResolver resolver, boolean explainAllowed, AllowedFunctions functions) {
        this.functions = functions;
        this.dialect = dialect;
        this.resolver = resolver;
        this.explainAllowed = explainAllowed;
    }

    /**
     * Reads a statement.
     *
     * @param statement a statement of the text
     * @param slots the text's slots, of all its statements; the plan's slots are these
     * @param sql the text, for positions in refusals
     * @param searchPath where unqualified tables are looked up
     * @param user the account that the session has acted as all the time, or null if that is not known
     * @param asksNumbers whether the numbers are shown that MariaDB answers a write with
     * @throws io.leeway.privoxy.internal.sql.UnsupportedSqlException if it is not understood or not allowed
     */
    public Normalized normalize(
            Statement statement,
            List<SlotSource> slots,
            String sql,
            List<String> searchPath,
            @Nullable String user,
            boolean asksNumbers) {
        var work = new Work(sql, dialect, resolver, new Arguments(kinds(slots)), false, Map.of(), functions);
        work.asksNumbers = asksNumbers;
        work.held = HeldTables.of(statement, dialect);
        return work.closed(
                () -> normalize(statement, work, searchPath, user)
                        .with(work.order.found())
                        .demanding(work.demands),
                statement.position());
    }

    /** The same of a statement whose numbers nobody asks for. */
    public Normalized normalize(
            Statement statement, List<SlotSource> slots, String sql, List<String> searchPath, @Nullable String user) {
        return normalize(statement, slots, sql, searchPath, user, false);
    }

    /** The same, with what is gathered meanwhile. */
    Normalized normalize(Statement statement, Work work, List<String> searchPath, @Nullable String user) {
        var place = new Place(null, null, searchPath);
        if (statement instanceof Statement.Select select) {
            // Before vetting, which refuses the function: scripts of pg_dump set the search path by it.
            if (SearchPathCall.is(select.query(), dialect)) {
                var plan = plan(Kind.SESSION, work, Recording.NONE, List.of()).plan();
                return new Normalized(plan, true);
            }
            return select(select, work, place);
        }
        if (statement instanceof Statement.Insert
                || statement instanceof Statement.Update
                || statement instanceof Statement.Delete
                || statement instanceof Statement.Merge) {
            // For what it refuses. A write is never public, even where it reads the catalogue only.
            new Vetting(work, searchPath).isPublic(statement);
            var writer = new WriteReader(work);
            writer.read(statement, place);
            // Last, when all readers have had the statement.
            work.refuseUnread(statement);
            return plan(Kind.WRITE, work, Recording.NONE, writer.changes());
        }
        if (statement instanceof Statement.CreateTableAs create) {
            return createTable(create, work, place);
        }
        return new SessionReader(work, searchPath, user, explainAllowed).read(statement);
    }

    // A lifted literal's kind is part of the text's shape, its value is not: 1 and 2 are one plan, 1 and '1' are two.
    private static List<@Nullable LiteralKind> kinds(List<SlotSource> slots) {
        List<@Nullable LiteralKind> kinds = new ArrayList<>(slots.size());
        for (SlotSource slot : slots) {
            kinds.add(
                    slot instanceof SlotSource.Lifted lifted ? lifted.literal().kind() : null);
        }
        return kinds;
    }

    private static Normalized select(Statement.Select select, Work work, Place place) {
        Query query = select.query();
        var writer = new WriteReader(work);
        Recording recording = Recording.NONE;
        if (!new Vetting(work, place.searchPath()).isPublic(select)) {
            writesOf(query.with(), writer, place);
            recording = QueryReader.statement(work, query, place);
        } else {
            work.account.ignore(select, Account.Ignored.CATALOGUE);
        }
        work.refuseUnread(select);
        Kind kind = writer.changes().isEmpty() ? Kind.QUERY : Kind.WRITE;
        // What is read beside a write of the same statement is of the state before it, so it may be untrue already; and
        // H2 may have read another table under a name of WITH.
        boolean recorded = kind == Kind.QUERY && !work.mayReadOthers();
        return plan(kind, work, recorded ? recording : Recording.NONE, writer.changes());
    }

    private static void writesOf(@Nullable With with, WriteReader writer, Place place) {
        if (with != null) {
            writer.with(with, place);
        }
    }

    /** The new table's rows are the query's. That the table is then read is another statement's matter. */
    private static Normalized createTable(Statement.CreateTableAs create, Work work, Place place) {
        if (create.materializedView()) {
            throw work.refuse("CREATE MATERIALIZED VIEW: what it shows later is not checked now", create.position());
        }
        new Vetting(work, place.searchPath()).isPublic(create);
        var writer = new WriteReader(work);
        writesOf(create.query().with(), writer, place);
        QueryReader.statement(work, create.query(), place);
        work.refuseUnread(create);
        Normalized normalized = plan(Kind.WRITE, work, Recording.NONE, writer.changes());
        return new Normalized(normalized.plan(), true);
    }

    static Normalized plan(Kind kind, Work work, Recording recording, List<Change> changes) {
        // A function of which nothing is known may write.
        boolean anything = work.callsAllowed() && kind != Kind.DDL;
        return new Normalized(
                new StatementPlan(
                        anything ? Kind.WRITE : kind,
                        work.obligations(),
                        work.splits(),
                        work.held.held(),
                        anything ? Recording.NONE : recording,
                        work.arguments.types(),
                        work.reads(),
                        work.outsideSnapshots(),
                        anything ? List.of(new Change.Any(StatementPlan.ANYTHING)) : changes,
                        work.columns),
                false);
    }
}

package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.SplitObligation;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is gathered while one statement is read. Not thread-safe; used once.
 *
 * <p>Readers are many and small; what they share is here: the statement's account, the questions so far, the variables'
 * numbers, and the bounds on all of them. A statement whose reading goes wrong anywhere leaves nothing behind but a
 * refusal.
 */
final class Work {

    /**
     * Most obligations of a statement, and most nested queries: more is no query that people write. Both bound what a
     * text can cost: each obligation may take a proof.
     */
    private static final int MAXIMUM_OBLIGATIONS = 256;

    private static final int MAXIMUM_DEPTH = 32;

    /** The refusal of a statement that the reader failed on. */
    static final String UNEXPECTED = "a statement that could not be taken apart";

    /** The refusal of a statement of which nobody read a part, which then may do anything. */
    static final String UNREAD = "a part of a statement that no reader accounts for";

    final Dialect dialect;
    final TableResolver resolver;
    final FunctionCatalogue functions;
    private final AllowedFunctions allowed;
    final Arguments arguments;
    /** Whether an over-approximation will not do: the text is a policy. */
    final boolean exact;
    /**
     * Types of the context parameters, declared or found by what they are compared with. Found where the policy
     * declares none: a context value compared with users.id is of its type.
     */
    final Map<String, ColumnType> context;

    /** What parameters must be for the statement to be allowed. */
    final Set<Demand> demands = new LinkedHashSet<>();

    /** Whether the numbers are shown that MariaDB answers a write with. */
    boolean asksNumbers;

    /** What it locks or writes. */
    HeldTables held;

    /** How many columns the statement's result has, as far as that is known. */
    int columns = StatementPlan.ANY_NUMBER;

    /** Where the statement leaves the order of rows to the database. */
    final RowOrder order = new RowOrder(this);

    /** What of the statement has been read. */
    final Account account = new Account();

    private final String sql;
    private final Set<Obligation> obligations = new LinkedHashSet<>();
    private final Set<SplitObligation> splits = new LinkedHashSet<>();
    private final Set<Use> besides = new HashSet<>();
    private final Set<String> reads = new LinkedHashSet<>();
    private final Set<String> outsideSnapshots = new LinkedHashSet<>();
    private boolean callsAllowed;
    private boolean usesCommonTable;
    private int nextVariable;
    private int depth;
    // Steps of reading. A text of some kilobytes can be read in more ways than there is time for (each outer join, each
    // IN, each name of WITH is read anew), and the reader must not be a way to stop a server.
    private int budget = 20_000;

    // How many want to know which parts are mentioned: sub-queries are read for them at once, which costs, so only if
    // somebody asks.
    private int watchers;
    private int subqueries;
    // While set nothing is emitted: the reading is for what it refuses and mentions.
    private boolean rehearsal;
    private Mentions mentions = new Mentions();

    Work(
            String sql,
            Dialect dialect,
            TableResolver resolver,
            Arguments arguments,
            boolean exact,
            Map<String, ColumnType> context,
            AllowedFunctions allowed) {
        this.allowed = allowed;
        this.sql = sql;
        this.dialect = dialect;
        this.resolver = resolver;
        this.functions = FunctionCatalogue.of(dialect);
        this.held = HeldTables.none(dialect);
        this.arguments = arguments;
        this.exact = exact;
        this.context = new HashMap<>(context);
    }

    /**
     * What a function of this name may do, or null if it must not be called.
     *
     * <p>The list of the database's own functions first: what the operator allows must not make a known one mean
     * something else. On PostgreSQL a function of that name in a schema of the search path cannot take its place, as
     * the catalogue is searched first; a path that names it later is refused (see the limits page).
     */
    @Nullable
    FunctionKind kind(QualifiedName name) {
        FunctionKind known = isBuiltIn(name) ? functions.kind(name.last().text()) : null;
        if (known != null || !allowed.has(name)) {
            return known;
        }
        callsAllowed = true;
        return FunctionKind.ALLOWED;
    }

    /** Whether a procedure may be called. */
    boolean isAllowed(QualifiedName procedure) {
        return allowed.has(procedure);
    }

    /** A name of WITH was met. */
    void usesCommonTable() {
        usesCommonTable = true;
    }

    /**
     * Whether the rows may be those of another table than was read: H2 takes a table of the session alone, of which
     * nobody else knows, before a name of WITH.
     */
    boolean mayReadOthers() {
        return usesCommonTable && dialect.has(DialectRule.TABLES_HIDE_COMMON_TABLES);
    }

    /** Whether something was called of which nothing is known. */
    boolean callsAllowed() {
        return callsAllowed;
    }

    /**
     * Whether a name can only mean the database's own function. Functions of information_schema are those that drivers
     * call for its own views.
     */
    private boolean isBuiltIn(QualifiedName name) {
        if (name.isSimple()) {
            return true;
        }
        String schema = name.parts().get(0).text();
        return dialect == Dialect.POSTGRESQL
                && name.parts().size() == 2
                && (schema.equals("pg_catalog") || schema.equals("information_schema"));
    }

    /** Refuses a statement of which a part was read by nobody. */
    void refuseUnread(Node statement) {
        Node unread = account.unread(statement);
        if (unread != null) {
            // A fault of ours, not of the application: to be seen by who runs it.
            // The node's kind only: text, values and names do not belong in a log.
            System.getLogger(Work.class.getName())
                    .log(
                            Logger.Level.WARNING,
                            "a statement was refused because nobody read its "
                                    + unread.getClass().getName());
            throw refuse(UNREAD + " (" + unread.getClass().getSimpleName() + ")", unread.position());
        }
    }

    /** The refusal of a construct that stands at a position of the text. */
    UnsupportedSqlException refuse(String construct, int position) {
        return UnsupportedSqlException.at(construct, sql, Math.max(position, 0));
    }

    /** The refusal of a table that does not exist. */
    UnsupportedSqlException noTable(String construct, int position, List<String> name) {
        return UnsupportedSqlException.noTable(construct, sql, Math.max(position, 0), name);
    }

    /** The refusal of a column's name that means none, or not one. */
    UnsupportedSqlException noColumn(String construct, int position) {
        return UnsupportedSqlException.noColumn(construct, sql, Math.max(position, 0));
    }

    /**
     * Runs the whole reading. Should it come to a state that it does not expect, the statement is refused as well: what
     * cannot be taken apart must not pass, and no other exception may reach the application.
     *
     * <p>A fault in a reader would otherwise come out as a runtime exception, with the connection in an unclear state,
     * or be caught by an application that goes on. StackOverflowError is none of these: depth is bounded by the parser.
     */
    <T> T closed(Supplier<T> reading, int position) {
        try {
            return reading.get();
        } catch (IllegalStateException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | NullPointerException
                | ClassCastException e) {
            System.getLogger(Work.class.getName())
                    .log(Logger.Level.WARNING, "a statement was refused after a fault", e);
            throw refuse(UNEXPECTED, position);
        }
    }

    /** Whether the database tells names apart that differ by case, whatever its settings. */
    boolean exactCase() {
        return !dialect.has(DialectRule.NAMES_IGNORE_CASE);
    }

    /** A new row of a table that a FROM names. */
    Use use(TableResolver.BaseTable base, FromItem.Table item) {
        Use use = use(base.table());
        if (!base.inSnapshots()) {
            outsideSnapshots.add(base.table().name());
        }
        if (!held.has(item)) {
            besides.add(use);
        }
        return use;
    }

    /** A new row of a table, which is written. */
    Use use(Table table) {
        reads.add(table.name());
        var use = new Use(table, nextVariable);
        // Each use has numbers of its own throughout the statement, so that conditions of different blocks can be put
        // together without renaming.
        nextVariable += table.arity();
        return use;
    }

    Set<String> reads() {
        return reads;
    }

    Set<String> outsideSnapshots() {
        return outsideSnapshots;
    }

    List<Obligation> obligations() {
        return List.copyOf(obligations);
    }

    /** Those with rows of several references to tables, told apart by these. */
    List<SplitObligation> splits() {
        return List.copyOf(splits);
    }

    /**
     * Emits the union of these queries as one question. Nothing is asked when no table is in them: what then is to be
     * known follows from the statement's own values.
     */
    void emit(List<Draft> drafts, String reason, int position) {
        spend(position);
        // VALUES (1) and SELECT ?: known without the database. But a head with a column in it has been read of some
        // row, and nobody would be asked about that.
        if (drafts.stream().allMatch(draft -> draft.uses().isEmpty())) {
            refuseForeign(drafts, List.of(), position);
            return;
        }
        if (rehearsal) {
            return;
        }
        var numbering = new Numbering(arguments);
        var query = numbering.union(drafts.stream().map(Folding::folded).toList());
        if (query.disjuncts().isEmpty()) {
            return;
        }
        // A set: the same question from two clauses is one.
        obligations.add(new Obligation(query, numbering.slots(), reason));
        SplitObligation split = new Numbering(arguments).split(drafts, reason, use -> !besides.contains(use));
        if (split.isOfSeveral()) {
            splits.add(split);
        }
        if (obligations.size() > MAXIMUM_OBLIGATIONS) {
            throw refuse("a statement of more than " + MAXIMUM_OBLIGATIONS + " parts to check", position);
        }
    }

    /**
     * Refuses what nobody is asked about although it is not made of the statement's own values: a value of a row that
     * stands neither in the query nor in the context that it is revealed for. (While something is rehearsed there is
     * none.)
     *
     * <p>The last line of defence: every hidden column could be read by {@code FROM t, LATERAL (SELECT * FROM (VALUES
     * (t.secret)) v) q} before this was looked at
     * ({@code SixthAttackIT.aQueryInsideALateralOneIsAskedAboutWithTheRowsAround}).
     *
     * @param known rows that are revealed elsewhere
     */
    void refuseForeign(List<Draft> drafts, List<Use> known, int position) {
        if (rehearsal) {
            return;
        }
        Set<Term.Variable> columns = new LinkedHashSet<>();
        for (Draft draft : drafts) {
            draft.head().forEach(term -> Terms.addColumns(term, columns));
            draft.conditions().forEach(condition -> columns.addAll(Conditions.columns(condition)));
        }
        boolean isForeign =
                columns.stream().anyMatch(column -> known.stream().noneMatch(use -> use.owns(column.index())));
        if (isForeign) {
            throw refuse("a column of a query around in a query that no table joins with it", position);
        }
    }

    /** Counts a step of work, so that no text can keep the reader busy for long. */
    void spend(int position) {
        if (--budget < 0) {
            throw refuse("a statement that is too complex to check", position);
        }
    }

    /** Runs something one query deeper. */
    <T> T deeper(int position, Supplier<T> action) {
        if (++depth > MAXIMUM_DEPTH) {
            throw refuse("queries nested more than " + MAXIMUM_DEPTH + " deep", position);
        }
        try {
            return action.get();
        } finally {
            depth--;
        }
    }

    /** Notes that a column of an optional part was read. */
    void mention(OptionalPart part) {
        mentions.all.add(part);
        // A part that a sub-query reads has to be decided on before: the sub-query is asked for rows of a context, in
        // which the part is there or not.
        if (subqueries > 0) {
            mentions.inSubqueries.add(part);
        }
    }

    /** Notes that a column was read. */
    void mention(Term.Variable column) {
        if (watchers > 0) {
            mentions.columns.add(column);
        }
    }

    /** Notes that a column of a relation was read whose rows are revealed by themselves. */
    void mention(Cell.Revealed column) {
        if (watchers > 0) {
            mentions.revealed.add(column);
        }
    }

    /** Runs something as part of a sub-query: the optional parts that it mentions are noted as such. */
    <T> T inSubquery(Supplier<T> action) {
        subqueries++;
        try {
            return action.get();
        } finally {
            subqueries--;
        }
    }

    /**
     * A sub-query to be revealed later. While somebody wants to know which optional parts are mentioned, it is
     * rehearsed now: read without emitting anything.
     *
     * <p>Otherwise a sub-query in a condition would seem to mention nothing, since it is read only when it is revealed,
     * and {@link Branching} would leave undecided what it speaks of.
     */
    Pending pending(Pending pending) {
        if (watchers > 0 && !rehearsal) {
            rehearse(() -> inSubquery(() -> {
                pending.reveal(Context.ROOT);
                return pending;
            }));
        }
        return pending;
    }

    /** Reads something without emitting anything: for what it refuses, and for what it mentions. */
    void rehearse(Runnable action) {
        boolean outer = rehearsal;
        rehearsal = true;
        try {
            action.run();
        } finally {
            rehearsal = outer;
        }
    }

    /** Runs something and tells which optional parts it mentions. */
    Mentions watch(Runnable action) {
        Mentions outer = mentions;
        int outerSubqueries = subqueries;
        mentions = new Mentions();
        subqueries = 0;
        watchers++;
        try {
            action.run();
            return mentions;
        } finally {
            watchers--;
            subqueries = outerSubqueries;
            Mentions inner = mentions;
            mentions = outer;
            // What was read for one who watches was read for those around as well.
            inner.all.forEach(this::mention);
            outer.inSubqueries.addAll(inner.inSubqueries);
            outer.columns.addAll(inner.columns);
            outer.revealed.addAll(inner.revealed);
        }
    }

    /**
     * What was read, by sub-queries too.
     *
     * @param all optional parts
     * @param inSubqueries those of them that sub-queries read
     * @param columns of tables
     * @param revealed columns of relations whose rows are revealed by themselves
     */
    record Mentions(
            Set<OptionalPart> all,
            Set<OptionalPart> inSubqueries,
            Set<Term.Variable> columns,
            Set<Cell.Revealed> revealed) {

        static final Mentions NONE = new Mentions(Set.of(), Set.of(), Set.of(), Set.of());

        private Mentions() {
            this(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
        }

        List<OptionalPart> among(List<OptionalPart> parts) {
            List<OptionalPart> found = new ArrayList<>(parts);
            found.retainAll(all);
            return found;
        }
    }
}

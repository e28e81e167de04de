package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.query.Reading;
import io.leeway.lazybase.internal.storage.RunFile.CorruptFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One client: its settings, its transaction, the last place in history that it saw. For one thread, but {@link #cancel} may be called by any.
 *
 * <p>Updates of a transaction become one commit at its end; queries of a transaction share one snapshot and do not see its updates, which
 * are nowhere before.
 */
public final class Session implements QueryContext.SessionInfo, AutoCloseable {

    private static final Duration COMMIT_WAIT = Duration.ofMinutes(2);

    private final Engine engine;
    private final String user;
    private final String database;
    private final boolean readOnly;
    private final SessionSettings settings;
    private final Preparer preparer;
    private final Updates updates;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private CommitToken seen = CommitToken.NONE;
    private CommitToken lastCommit = CommitToken.NONE;
    private final Map<Integer, List<Batch>> written = new HashMap<>();
    private final List<Mark> savepoints = new ArrayList<>();
    private boolean inTransaction;
    private boolean failed;
    private @Nullable Reading shared;
    private List<String> lastAnswer = List.of("", "", "", "", "", "");

    /** Number of batches of each table at a savepoint. */
    private record Mark(String name, Map<Integer, Integer> lengths) {}

    public Session(Engine engine, String user, String database, boolean readOnly) {
        this.engine = engine;
        this.user = user;
        this.database = database;
        this.readOnly = readOnly;
        this.settings = new SessionSettings(engine);
        this.preparer = new Preparer(engine);
        this.updates = new Updates(this, engine);
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String database() {
        return database;
    }

    /** How fresh the last answer was. */
    void answered(List<String> answer) {
        lastAnswer = answer;
    }

    @Override
    public List<String> lastAnswer() {
        return lastAnswer;
    }

    /** Whether a transaction was begun by the client. */
    public boolean isInTransaction() {
        return inTransaction;
    }

    /** Whether the transaction has failed. */
    public boolean hasFailed() {
        return failed;
    }

    /** The place of this session's last commit. */
    public CommitToken lastCommit() {
        return lastCommit;
    }

    /** The client asks for something: from here on it may be cancelled, also while it is parsed and planned. */
    public void begin() {
        cancelled.set(false);
    }

    /** Stops what the client asked for last, if it is a query and has not ended. */
    public void cancel() {
        cancelled.set(true);
    }

    @Override
    public @Nullable String setting(String name) {
        return settings.get(name);
    }

    /** Changes a setting; null is the default. Unknown ones of PostgreSQL are kept, unknown ones of our own are refused. */
    public void set(String name, @Nullable String value) {
        settings.set(name, value);
    }

    /** Whether answers say how fresh they are in a notice, too. */
    public boolean wantsNotice() {
        return settings.isOn(SessionSettings.NOTICE);
    }

    /**
     * Reads a statement, and plans it if it is a query.
     *
     * @param oids PostgreSQL's numbers of the parameters' types as far as the client says; 0 if it does not
     */
    public Prepared prepare(String sql, int[] oids) {
        return preparer.prepare(sql, oids);
    }

    // Executing.

    /** Runs a statement. */
    public Result execute(Prepared prepared, List<@Nullable Object> parameters) {
        Statement statement = prepared.statement();
        boolean endsFailure =
                (statement instanceof Statement.Transaction end && !end.word().equals("BEGIN"))
                        || (statement instanceof Statement.Savepoint savepoint
                                && savepoint.word().equals("ROLLBACK TO"));
        if (failed && !endsFailure) {
            throw new LazyBaseException(Code.ABORTED, "The statement was not executed.");
        }
        if (parameters.size() < prepared.parameters().size()) {
            throw new LazyBaseException(
                    Code.SYNTAX, "There is no value for parameter $" + (parameters.size() + 1) + ".");
        }
        try {
            return executed(prepared, statement, parameters);
        } catch (CorruptFileException e) {
            throw engine.damaged(e);
        }
    }

    private Result executed(Prepared prepared, Statement statement, List<@Nullable Object> parameters) {
        if (statement instanceof Statement.Query) {
            return new Result.Query(rows(prepared, parameters, "SELECT"));
        } else if (statement instanceof Statement.Explain explain) {
            return new Result.Query(explain(prepared, explain, parameters));
        } else if (statement instanceof Statement.Show show) {
            return new Result.Query(show(prepared, show));
        } else if (statement instanceof Statement.Set set) {
            set(set.name(), set.value());
            return new Result.Done(set.value() == null ? "RESET" : "SET");
        } else if (statement instanceof Statement.Transaction transaction) {
            return transaction(transaction);
        } else if (statement instanceof Statement.Savepoint savepoint) {
            return savepoint(savepoint);
        } else if (statement instanceof Statement.Nothing nothing) {
            return new Result.Done(nothing.tag());
        } else if (statement instanceof Statement.Empty || statement instanceof Statement.Deallocate) {
            return new Result.Done(statement instanceof Statement.Empty ? "" : "DEALLOCATE");
        } else if (statement instanceof Statement.Copy copy && !copy.in()) {
            return copyOut(copy);
        }
        if (readOnly) {
            throw new LazyBaseException(Code.DENIED, "User " + user + " may only read.");
        }
        if (statement instanceof Statement.Insert insert) {
            return new Result.Done("INSERT 0 " + updates.insert(insert, parameters));
        } else if (statement instanceof Statement.Update update) {
            return new Result.Done("UPDATE " + updates.update(update, parameters));
        } else if (statement instanceof Statement.Delete delete) {
            return new Result.Done("DELETE " + updates.delete(delete, parameters));
        } else if (statement instanceof Statement.Copy copy) {
            Table table = Definitions.need(engine.pipeline().catalog(), copy.table());
            var rows = Updates.copied(table, copy);
            return new Result.CopyIn(
                    new CopyInput(this, rows, copy.format(), engine.settings().copyRows()));
        }
        return define(statement);
    }

    private Result define(Statement statement) {
        if (inTransaction && !written.isEmpty()) {
            throw new LazyBaseException(Code.UNSUPPORTED, "Definitions after updates of the same transaction.");
        }
        return Definitions.run(engine, statement);
    }

    // Transactions and commits.

    private Result transaction(Statement.Transaction transaction) {
        if (transaction.word().equals("BEGIN")) {
            commit();
            inTransaction = true;
            return new Result.Done("BEGIN");
        }
        boolean rolledBack = failed || !transaction.word().equals("COMMIT");
        try {
            if (!rolledBack) {
                commit();
            }
        } finally {
            forget();
        }
        return new Result.Done(rolledBack ? "ROLLBACK" : "COMMIT");
    }

    /** Updates wait in lists until the commit, so a savepoint is how long these were. */
    private Result savepoint(Statement.Savepoint savepoint) {
        if (!inTransaction) {
            throw new LazyBaseException(Code.UNSUPPORTED, "A savepoint outside of a transaction.");
        }
        if (savepoint.word().equals("SAVEPOINT")) {
            var lengths = new HashMap<Integer, Integer>();
            written.forEach((table, parts) -> lengths.put(table, parts.size()));
            savepoints.add(new Mark(savepoint.name(), lengths));
            return new Result.Done("SAVEPOINT");
        }
        int found = savepoints.size() - 1;
        while (found >= 0 && !savepoints.get(found).name.equals(savepoint.name())) {
            found--;
        }
        if (found < 0) {
            throw new LazyBaseException(Code.NO_STATEMENT, "Savepoint " + savepoint.name() + ".");
        }
        Mark mark = savepoints.get(found);
        boolean back = savepoint.word().equals("ROLLBACK TO");
        savepoints.subList(back ? found + 1 : found, savepoints.size()).clear();
        if (back) {
            written.forEach((table, parts) -> parts.subList(mark.lengths.getOrDefault(table, 0), parts.size())
                    .clear());
            written.values().removeIf(List::isEmpty);
            failed = false;
        }
        return new Result.Done(back ? "ROLLBACK" : "RELEASE");
    }

    private void forget() {
        savepoints.clear();
        written.clear();
        inTransaction = false;
        failed = false;
        endSharedReading();
    }

    private void endSharedReading() {
        Reading mine = shared;
        shared = null;
        if (mine != null) {
            mine.close();
        }
    }

    /** A statement has failed: so has its transaction; what waits for the end of an implicit one is dropped. */
    public void fail() {
        if (inTransaction) {
            failed = true;
        }
        if (savepoints.isEmpty()) {
            written.clear();
        }
    }

    /** Keeps updates for the commit. */
    void write(Table table, Batch batch) {
        written.computeIfAbsent(table.id(), none -> new ArrayList<>()).add(batch);
    }

    /** Begins rows of a table that a client gives as values; {@link #put} takes them. */
    public RowBuilder rowsOf(String table, List<String> columns) {
        if (readOnly) {
            throw new LazyBaseException(Code.DENIED, "User " + user + " may only read.");
        }
        return RowBuilder.of(Definitions.need(engine.pipeline().catalog(), table), columns, Batch.PUT, List.of());
    }

    /** Puts rows, and commits them unless a transaction was begun. */
    public void put(RowBuilder rows) {
        if (rows.rows() > 0) {
            write(rows.table(), rows.build());
            commitIfAuto();
        }
    }

    void commitIfAuto() {
        if (!inTransaction) {
            commit();
        }
    }

    /** Ends what needs no COMMIT: everything since the last end. Returns whether anything was committed. */
    public boolean endImplicit() {
        if (inTransaction) {
            return false;
        }
        endSharedReading();
        return commit();
    }

    private boolean commit() {
        if (written.isEmpty()) {
            return false;
        }
        var batches = new HashMap<Integer, Batch>();
        written.forEach((table, parts) -> batches.put(table, Batch.concat(parts)));
        written.clear();
        CompletableFuture<CommitToken> answer = engine.pipeline().commit(batches);
        try {
            lastCommit = answer.get(COMMIT_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            seen = seen.max(lastCommit);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LazyBaseException(Code.CANCELLED, "The commit was interrupted.", e);
        } catch (TimeoutException e) {
            throw new LazyBaseException(
                    Code.STORE, "The commit took longer than " + COMMIT_WAIT.toMinutes() + " minutes.", e);
        } catch (java.util.concurrent.ExecutionException | CompletionException e) {
            if (e.getCause() instanceof LazyBaseException cause) {
                throw cause;
            }
            throw new LazyBaseException(Code.INTERNAL, String.valueOf(e.getCause()) + ".", e);
        }
    }

    // Reading.

    private Result copyOut(Statement.Copy copy) {
        String query = copy.query();
        if (query == null) {
            String columns = copy.columns().isEmpty()
                    ? "*"
                    : String.join(
                            ", ", copy.columns().stream().map(Updates::quoted).toList());
            query = "SELECT " + columns + " FROM " + Updates.quoted(copy.table());
        }
        return new Result.CopyOut(rows(prepare(query, new int[0]), List.of(), "COPY"), copy.format());
    }

    private Result.Rows show(Prepared prepared, Statement.Show show) {
        String value = setting(show.name());
        if (value == null) {
            throw new LazyBaseException(Code.NOT_FOUND, "There is no setting " + show.name() + ".");
        }
        return new FixedRows(
                prepared.columns() == null ? List.of() : prepared.columns(), List.of(new Object[][] {{value}}), "SHOW");
    }

    private Freshness freshness(Prepared.Hints hints) {
        String text = hints.freshness().isEmpty() ? settings.get(SessionSettings.FRESHNESS) : hints.freshness();
        return text == null ? Freshness.NOW : Freshness.parse(text);
    }

    private CommitToken atLeast(Prepared.Hints hints) {
        String given = hints.atLeast().isEmpty() ? settings.get(SessionSettings.AT_LEAST) : hints.atLeast();
        CommitToken token = SessionSettings.atLeast(given == null ? "" : given);
        return settings.isOn(SessionSettings.MONOTONIC) ? token.max(seen) : token;
    }

    private Result.Rows explain(Prepared prepared, Statement.Explain explain, List<@Nullable Object> parameters) {
        Plan plan = engine.plan(prepared.query(), engine.pipeline().catalog());
        var rows = new ArrayList<Object[]>();
        if (explain.freshness()) {
            return new FixedRows(
                    PriceRows.COLUMNS, PriceRows.of(engine, plan, inOrder(prepared, plan, parameters)), "EXPLAIN");
        }
        for (String line : plan.text().split("\n", -1)) {
            if (!line.isEmpty()) {
                rows.add(new Object[] {line});
            }
        }
        return new FixedRows(List.of(Preparer.text("QUERY PLAN")), rows, "EXPLAIN");
    }

    /** Parameters in the order of the question marks, as Calcite has them. */
    private static List<@Nullable Object> inOrder(Prepared prepared, Plan plan, List<@Nullable Object> parameters) {
        var values = new ArrayList<@Nullable Object>();
        for (int i = 0; i < prepared.order().size(); i++) {
            int number = prepared.order().get(i);
            Object value = number < parameters.size() ? parameters.get(number) : null;
            values.add(value == null ? null : Coercion.to(plan.parameters().get(i), value));
        }
        return values;
    }

    Result.Rows rows(Prepared prepared, List<@Nullable Object> parameters, String word) {
        Plan plan = engine.plan(prepared.query(), engine.pipeline().catalog());
        List<@Nullable Object> values = inOrder(prepared, plan, parameters);
        Freshness freshness = freshness(prepared.hints());
        Reading mine = shared;
        boolean owned = !inTransaction;
        if (owned || mine == null) {
            @SuppressWarnings({"unchecked", "NullAway"})
            List<Object> known = (List<Object>) (List<?>) values;
            mine = engine.read(freshness, atLeast(prepared.hints()), plan, known);
            shared = owned ? shared : mine;
        }
        seen = seen.max(mine.reach().token());
        long timeout = engine.settings().timeout().toNanos();
        String window = prepared.hints().window().isEmpty()
                ? settings.get(SessionSettings.WINDOW)
                : prepared.hints().window();
        var context = new QueryContext(
                mine,
                values,
                plan.internal(),
                this,
                engine.pool(),
                engine.settings().parallelism(),
                System.nanoTime() + timeout,
                cancelled,
                SessionSettings.window(window == null ? "" : window),
                plan.root());
        return new LiveRows(this, engine, prepared.statement().sql(), plan, context, owned, freshness, word);
    }

    @Override
    public void close() {
        forget();
    }
}

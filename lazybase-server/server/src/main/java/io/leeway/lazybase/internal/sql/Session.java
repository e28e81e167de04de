package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.query.Reading;
import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import io.leeway.lazybase.internal.sql.Statement.Value;
import io.leeway.lazybase.internal.storage.RunFile.CorruptFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/**
 * One client: its settings, its transaction, the last place in history that it saw. For one thread, but {@link #cancel} may be called by any.
 *
 * <p>Updates of a transaction become one commit at its end; queries of a transaction share one snapshot and do not see its updates, which
 * are nowhere before.
 */
public final class Session implements QueryContext.SessionInfo, AutoCloseable {

    private static final Pattern HINT =
            Pattern.compile("(freshness|window|at_least)\\s*\\(\\s*'([^']*)'\\s*\\)", Pattern.CASE_INSENSITIVE);
    private static final Duration COMMIT_WAIT = Duration.ofMinutes(2);
    private static final String FRESHNESS = "lazybase.freshness";
    private static final String MONOTONIC = "lazybase.monotonic";
    private static final String AT_LEAST = "lazybase.at_least";
    private static final String WINDOW = "lazybase.window";
    private static final String NOTICE = "lazybase.notice";

    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry(MONOTONIC, "on"),
            Map.entry(AT_LEAST, ""),
            Map.entry(WINDOW, ""),
            Map.entry(NOTICE, "off"),
            Map.entry("server_version", "15.0"),
            Map.entry("server_version_num", "150000"),
            Map.entry("server_encoding", "UTF8"),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("datestyle", "ISO, MDY"),
            Map.entry("intervalstyle", "postgres"),
            Map.entry("integer_datetimes", "on"),
            Map.entry("standard_conforming_strings", "on"),
            Map.entry("timezone", "UTC"),
            Map.entry("extra_float_digits", "3"),
            Map.entry("application_name", ""),
            Map.entry("search_path", "public"),
            Map.entry("transaction_isolation", "repeatable read"),
            Map.entry("default_transaction_isolation", "repeatable read"),
            Map.entry("transaction_read_only", "off"),
            Map.entry("default_transaction_read_only", "off"),
            Map.entry("max_identifier_length", "63"),
            Map.entry("max_index_keys", "32"),
            Map.entry("is_superuser", "off"),
            Map.entry("lc_collate", "C"),
            Map.entry("default_table_access_method", "heap"),
            Map.entry("statement_timeout", "0"));

    private final Engine engine;
    private final String user;
    private final String database;
    private final boolean readOnly;
    private final Map<String, String> settings = new TreeMap<>();
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
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String database() {
        return database;
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

    // Settings.

    @Override
    public @Nullable String setting(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        if (key.equals(FRESHNESS) && !settings.containsKey(key)) {
            return engine.settings().freshness().toString();
        }
        return settings.getOrDefault(key, DEFAULTS.get(key));
    }

    /** Changes a setting; null is the default. Unknown ones of PostgreSQL are kept, unknown ones of our own are refused. */
    public void set(String name, @Nullable String value) {
        String key = name.toLowerCase(Locale.ROOT);
        if (value == null) {
            settings.remove(key);
            return;
        }
        try {
            switch (key) {
                case FRESHNESS -> Freshness.parse(value);
                case WINDOW -> window(value);
                case AT_LEAST -> atLeast(value);
                case MONOTONIC, NOTICE -> {
                    if (!value.equals("on") && !value.equals("off")) {
                        throw new IllegalArgumentException("'" + value + "' is neither on nor off");
                    }
                }
                default -> {
                    if (key.startsWith("lazybase.")) {
                        throw new IllegalArgumentException("there is no setting " + name);
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw new LazyBaseException(Code.BAD_VALUE, e.getMessage() + ".", e);
        }
        settings.put(key, value);
    }

    private static CommitToken atLeast(String text) {
        return text.isEmpty() ? CommitToken.NONE : CommitToken.parse(text);
    }

    private static long window(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        return Freshness.parse(text) instanceof Freshness.Within within
                ? within.age().toMillis()
                : 0;
    }

    private boolean isOn(String name) {
        return "on".equals(setting(name));
    }

    /** Whether answers say how fresh they are in a notice, too. */
    public boolean wantsNotice() {
        return isOn(NOTICE);
    }

    // Preparing.

    /**
     * Reads a statement, and plans it if it is a query.
     *
     * @param oids PostgreSQL's numbers of the parameters' types as far as the client says; 0 if it does not
     */
    public Prepared prepare(String sql, int[] oids) {
        Statement statement = StatementParser.parse(sql);
        Catalog catalog = engine.pipeline().catalog();
        if (statement instanceof Statement.Query) {
            return query(statement, statement.sql(), oids, catalog);
        }
        if (statement instanceof Statement.Explain explain) {
            Prepared inner = query(explain.query(), explain.query().sql(), oids, catalog);
            List<Column> columns = explain.freshness() ? PriceRows.COLUMNS : List.of(text("QUERY PLAN"));
            return new Prepared(statement, inner.parameters(), columns, inner.query(), inner.order(), inner.hints());
        }
        if (statement instanceof Statement.Show show) {
            return new Prepared(statement, List.of(), List.of(text(show.name())), "", List.of(), Prepared.Hints.NONE);
        }
        return new Prepared(statement, parameters(statement, catalog), null, "", List.of(), Prepared.Hints.NONE);
    }

    private static Column text(String name) {
        return new Column(0, name, ColumnType.TEXT, 0, 0, false);
    }

    private Prepared query(Statement statement, String sql, int[] oids, Catalog catalog) {
        String rewritten = Rewriter.rewrite(sql);
        var order = new ArrayList<Integer>();
        Prepared.Hints hints = hints(rewritten);
        String marked = marked(rewritten, oids, order, false);
        Plan plan;
        try {
            plan = engine.plan(marked, catalog);
        } catch (LazyBaseException e) {
            if (order.isEmpty() || !String.valueOf(e.getMessage()).contains("dynamic parameter")) {
                throw e;
            }
            // The place does not say what type the parameter has; the client may.
            order.clear();
            marked = marked(rewritten, oids, order, true);
            plan = engine.plan(marked, catalog);
        }
        int count = order.stream().mapToInt(number -> number + 1).max().orElse(0);
        var parameters = new ArrayList<Column>();
        for (int i = 0; i < count; i++) {
            int place = order.indexOf(i);
            parameters.add(place < 0 ? text("?") : plan.parameters().get(place));
        }
        return new Prepared(statement, parameters, plan.columns(), marked, List.copyOf(order), hints);
    }

    private static Prepared.Hints hints(String sql) {
        String freshness = "";
        String window = "";
        String atLeast = "";
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() != Kind.HINT) {
                continue;
            }
            Matcher matcher = HINT.matcher(token.text());
            while (matcher.find()) {
                switch (matcher.group(1).toLowerCase(Locale.ROOT)) {
                    case "freshness" -> freshness = matcher.group(2);
                    case "window" -> window = matcher.group(2);
                    default -> atLeast = matcher.group(2);
                }
            }
        }
        try {
            if (!freshness.isEmpty()) {
                Freshness.parse(freshness);
            }
            window(window);
            atLeast(atLeast);
        } catch (IllegalArgumentException e) {
            throw new LazyBaseException(Code.SYNTAX, e.getMessage() + ".", e);
        }
        return new Prepared.Hints(freshness, window, atLeast);
    }

    /** Question marks instead of numbered parameters; hints are taken out, so that they do not make another plan. */
    private static String marked(String sql, int[] oids, List<Integer> order, boolean typed) {
        var text = new StringBuilder();
        int at = 0;
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() == Kind.PARAMETER) {
                int number = Integer.parseInt(token.text()) - 1;
                order.add(number);
                text.append(sql, at, token.from());
                int oid = number < oids.length ? oids[number] : 0;
                text.append(typed ? "CAST(? AS " + Oids.sqlName(oid) + ")" : " ? ");
                at = token.to();
            } else if (token.kind() == Kind.HINT) {
                text.append(sql, at, token.from()).append(' ');
                at = token.to();
            }
        }
        return text.append(sql, at, sql.length()).toString();
    }

    /** Parameters of a statement that writes have the types of the columns that they are for. */
    private static List<Column> parameters(Statement statement, Catalog catalog) {
        var found = new TreeMap<Integer, Column>();
        if (statement instanceof Statement.Insert insert) {
            Table table = Definitions.need(catalog, insert.table());
            for (List<Value> row : insert.rows()) {
                for (int c = 0; c < row.size(); c++) {
                    note(found, row.get(c), c < width(table, insert) ? columnOf(table, insert, c) : text("?"));
                }
            }
        } else if (statement instanceof Statement.Update update) {
            Table table = Definitions.need(catalog, update.table());
            update.sets().forEach(set -> note(found, set.value(), named(table, set.column())));
            update.keys().forEach(key -> note(found, key.value(), named(table, key.column())));
            noteRest(found, update.sql());
        } else if (statement instanceof Statement.Delete delete) {
            Table table = Definitions.need(catalog, delete.table());
            delete.keys().forEach(key -> note(found, key.value(), named(table, key.column())));
            noteRest(found, delete.sql());
        }
        int count = found.isEmpty() ? 0 : found.lastKey();
        var parameters = new ArrayList<Column>();
        for (int i = 1; i <= count; i++) {
            parameters.add(found.getOrDefault(i, text("?")));
        }
        return parameters;
    }

    private static int width(Table table, Statement.Insert insert) {
        return insert.columns().isEmpty()
                ? table.columns().size()
                : insert.columns().size();
    }

    private static Column columnOf(Table table, Statement.Insert insert, int c) {
        return insert.columns().isEmpty()
                ? table.columns().get(c)
                : named(table, insert.columns().get(c));
    }

    private static Column named(Table table, String name) {
        int place = table.indexOf(name);
        if (place < 0) {
            throw new LazyBaseException(Code.NO_COLUMN, "Table " + table.name() + " has no column " + name + ".");
        }
        return table.columns().get(place);
    }

    private static void note(Map<Integer, Column> found, Value value, Column column) {
        if (value instanceof Value.Parameter parameter) {
            found.putIfAbsent(parameter.number(), column);
        }
    }

    private static void noteRest(Map<Integer, Column> found, String sql) {
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() == Kind.PARAMETER) {
                found.putIfAbsent(Integer.parseInt(token.text()), text("?"));
            }
        }
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
            return new Result.Done("INSERT 0 " + insert(insert, parameters));
        } else if (statement instanceof Statement.Update update) {
            return new Result.Done("UPDATE " + update(update, parameters));
        } else if (statement instanceof Statement.Delete delete) {
            return new Result.Done("DELETE " + delete(delete, parameters));
        } else if (statement instanceof Statement.Copy copy) {
            Table table = Definitions.need(engine.pipeline().catalog(), copy.table());
            var rows = RowBuilder.of(table, copy.columns(), Batch.PUT, List.of());
            return new Result.CopyIn(
                    new CopyInput(this, rows, copy.format(), engine.settings().copyRows()));
        }
        return define(statement);
    }

    private Result define(Statement statement) {
        if (inTransaction && !written.isEmpty()) {
            throw new LazyBaseException(Code.UNSUPPORTED, "Definitions after updates of the same transaction.");
        }
        var pipeline = engine.pipeline();
        if (statement instanceof Statement.CreateTable create) {
            Definitions.create(pipeline, create);
            return new Result.Done("CREATE TABLE");
        } else if (statement instanceof Statement.CreateView create) {
            Definitions.createView(pipeline, create);
            return new Result.Done("CREATE INDEX");
        } else if (statement instanceof Statement.DropTable drop) {
            Definitions.drop(pipeline, drop);
            return new Result.Done("DROP TABLE");
        } else if (statement instanceof Statement.DropView drop) {
            Definitions.dropView(pipeline, drop);
            return new Result.Done("DROP INDEX");
        } else if (statement instanceof Statement.Truncate truncate) {
            Definitions.truncate(pipeline, truncate);
            return new Result.Done("TRUNCATE TABLE");
        } else if (statement instanceof Statement.CreateIngest create) {
            engine.ingests().create(create);
            return new Result.Done("CREATE INGEST");
        } else if (statement instanceof Statement.DropIngest drop) {
            engine.ingests().drop(drop.name(), drop.ifExists());
            return new Result.Done("DROP INGEST");
        } else if (statement instanceof Statement.AddColumn add) {
            Definitions.addColumn(pipeline, add);
        } else if (statement instanceof Statement.DropColumn drop) {
            Definitions.dropColumn(pipeline, drop);
        } else if (statement instanceof Statement.RenameColumn rename) {
            Definitions.renameColumn(pipeline, rename);
        } else if (statement instanceof Statement.RenameTable rename) {
            Definitions.renameTable(pipeline, rename);
        } else {
            throw new LazyBaseException(Code.UNSUPPORTED, "The statement is not known.");
        }
        return new Result.Done("ALTER TABLE");
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

    // Writing.

    private long insert(Statement.Insert insert, List<@Nullable Object> parameters) {
        Table table = Definitions.need(engine.pipeline().catalog(), insert.table());
        byte flag = insert.patch() ? Batch.PATCH : Batch.PUT;
        var rows = RowBuilder.of(table, insert.columns(), flag, insert.adds());
        String query = insert.query();
        int number = 0;
        try {
            if (query != null) {
                return insertQuery(rows, table, query, parameters);
            }
            for (List<Value> row : insert.rows()) {
                number++;
                if (row.size() != rows.columns().size()) {
                    throw new LazyBaseException(
                            Code.SYNTAX,
                            row.size() + " values for " + rows.columns().size() + " columns.");
                }
                for (Value value : row) {
                    rows.add(value(value, parameters));
                }
                rows.endRow();
            }
        } catch (LazyBaseException e) {
            throw new LazyBaseException(e.code(), "Row " + number + ": " + e.detail(), e);
        }
        int count = rows.rows();
        write(table, rows.build());
        return count;
    }

    private long insertQuery(RowBuilder rows, Table table, String query, List<@Nullable Object> parameters) {
        long count = 0;
        try (Result.Rows source = rows(prepare(query, new int[0]), parameters, "SELECT")) {
            if (source.columns().size() != rows.columns().size()) {
                throw new LazyBaseException(
                        Code.SYNTAX,
                        source.columns().size() + " values for "
                                + rows.columns().size() + " columns.");
            }
            for (Object[] row = source.next(); row != null; row = source.next()) {
                for (Object value : row) {
                    rows.add(value);
                }
                rows.endRow();
                count++;
            }
        }
        write(table, rows.build());
        return count;
    }

    private @Nullable Object value(Value value, List<@Nullable Object> parameters) {
        if (value instanceof Value.Constant constant) {
            return constant.value();
        }
        if (value instanceof Value.Parameter parameter) {
            if (parameter.number() > parameters.size()) {
                throw new LazyBaseException(Code.PROTOCOL, "Parameter $" + parameter.number() + " was not bound.");
            }
            return parameters.get(parameter.number() - 1);
        }
        String expression = ((Value.Expression) value).sql();
        if (expression.equalsIgnoreCase("DEFAULT")) {
            return null;
        }
        Prepared prepared = prepare("SELECT " + expression, new int[0]);
        try (Result.Rows rows = rows(prepared, parameters, "SELECT")) {
            @Nullable Object[] row = rows.next();
            // To its end, so that it does not count as one that was broken off.
            boolean more = row != null && rows.next() != null;
            if (more) {
                throw new LazyBaseException(Code.SYNTAX, "More than one row of a sub-query that is a value.");
            }
            return row == null ? null : row[0];
        }
    }

    private long update(Statement.Update update, List<@Nullable Object> parameters) {
        Table table = Definitions.need(engine.pipeline().catalog(), update.table());
        for (Statement.Assignment set : update.sets()) {
            if (table.isKey(named(table, set.column()).id())) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED,
                        "Column " + set.column() + " belongs to the key: delete the row and insert it.");
            }
        }
        var names = new ArrayList<String>();
        table.primary().key().forEach(id -> names.add(table.columnOf(id).name()));
        int keys = names.size();
        update.sets().forEach(set -> names.add(named(table, set.column()).name()));
        boolean simple = update.sets().stream().noneMatch(set -> set.value() instanceof Value.Expression)
                && isWholeKey(table, update.keys());
        if (simple) {
            var adds = new ArrayList<String>();
            update.sets().stream()
                    .filter(Statement.Assignment::add)
                    .forEach(set -> adds.add(named(table, set.column()).name()));
            var rows = RowBuilder.of(table, names, Batch.PATCH, adds);
            addKey(rows, table, update.keys(), parameters);
            update.sets().forEach(set -> rows.add(value(set.value(), parameters)));
            rows.endRow();
            write(table, rows.build());
            return 1;
        }
        var select = new StringBuilder("SELECT ");
        names.subList(0, keys).forEach(name -> select.append(quoted(name)).append(", "));
        select.append(String.join(", ", update.setTexts()));
        return writeSelected(table, names, Batch.PATCH, select, update.where(), parameters);
    }

    private long delete(Statement.Delete delete, List<@Nullable Object> parameters) {
        Table table = Definitions.need(engine.pipeline().catalog(), delete.table());
        var names = new ArrayList<String>();
        table.primary().key().forEach(id -> names.add(table.columnOf(id).name()));
        if (isWholeKey(table, delete.keys())) {
            var rows = RowBuilder.of(table, names, Batch.DELETE, List.of());
            addKey(rows, table, delete.keys(), parameters);
            rows.endRow();
            write(table, rows.build());
            return 1;
        }
        var select = new StringBuilder("SELECT ");
        select.append(String.join(", ", names.stream().map(Session::quoted).toList()));
        return writeSelected(table, names, Batch.DELETE, select, delete.where(), parameters);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static boolean isWholeKey(Table table, List<Statement.Equality> keys) {
        var named = new ArrayList<Integer>();
        keys.forEach(key -> named.add(named(table, key.column()).id()));
        return named.size() == table.primary().key().size()
                && named.containsAll(table.primary().key());
    }

    private void addKey(
            RowBuilder rows, Table table, List<Statement.Equality> keys, List<@Nullable Object> parameters) {
        for (int id : table.primary().key()) {
            for (Statement.Equality key : keys) {
                if (named(table, key.column()).id() == id) {
                    rows.add(value(key.value(), parameters));
                }
            }
        }
    }

    /** Updates that need to read first: the rows are found at freshness 0, then written. What others write in between is not looked at. */
    private long writeSelected(
            Table table,
            List<String> names,
            byte flag,
            StringBuilder select,
            String where,
            List<@Nullable Object> parameters) {
        select.insert(0, "/*+ freshness('0 s') */ ");
        select.append(" FROM ").append(quoted(table.name()));
        if (!where.isEmpty()) {
            select.append(" WHERE ").append(where);
        }
        var rows = RowBuilder.of(table, names, flag, List.of());
        long count = 0;
        try (Result.Rows source = rows(prepare(select.toString(), new int[0]), parameters, "SELECT")) {
            for (Object[] row = source.next(); row != null; row = source.next()) {
                for (Object value : row) {
                    rows.add(value);
                }
                rows.endRow();
                count++;
            }
        }
        if (count > 0) {
            write(table, rows.build());
        }
        return count;
    }

    // Reading.

    private Result copyOut(Statement.Copy copy) {
        String query = copy.query();
        if (query == null) {
            String columns = copy.columns().isEmpty()
                    ? "*"
                    : String.join(
                            ", ", copy.columns().stream().map(Session::quoted).toList());
            query = "SELECT " + columns + " FROM " + quoted(copy.table());
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
        String text = hints.freshness().isEmpty() ? setting(FRESHNESS) : hints.freshness();
        return text == null ? Freshness.NOW : Freshness.parse(text);
    }

    private CommitToken atLeast(Prepared.Hints hints) {
        String given = hints.atLeast().isEmpty() ? setting(AT_LEAST) : hints.atLeast();
        CommitToken token = atLeast(given == null ? "" : given);
        return isOn(MONOTONIC) ? token.max(seen) : token;
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
        return new FixedRows(List.of(text("QUERY PLAN")), rows, "EXPLAIN");
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

    private Result.Rows rows(Prepared prepared, List<@Nullable Object> parameters, String word) {
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
                ? setting(WINDOW)
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
                window(window == null ? "" : window),
                plan.root());
        return new LiveRows(prepared.statement().sql(), plan, context, owned, freshness, word);
    }

    @Override
    public void close() {
        forget();
    }

    /** Rows as a query finds them. */
    private final class LiveRows implements Result.Rows {

        private final String sql;
        private final Plan plan;
        private final QueryContext context;
        private final boolean owned;
        private final Freshness freshness;
        private final String word;
        private final PgFunctions.Surroundings surroundings;
        private final long id;
        private final long began = System.nanoTime();
        private @Nullable Enumerator<@Nullable Object[]> rows;
        private long count;
        private boolean closed;
        private boolean broken = true;

        LiveRows(String sql, Plan plan, QueryContext context, boolean owned, Freshness freshness, String word) {
            this.sql = sql;
            this.plan = plan;
            this.context = context;
            this.owned = owned;
            this.freshness = freshness;
            this.word = word;
            this.surroundings =
                    new PgFunctions.Surroundings(context.reading().snapshot().state(), Session.this);
            this.id = engine.began(user, sql, freshness.toString());
            enter();
            try {
                rows = plan.run(context).enumerator();
            } catch (RuntimeException | Error e) {
                close();
                throw told(e);
            } finally {
                PgFunctions.leave();
            }
        }

        @Override
        public List<Column> columns() {
            return plan.columns();
        }

        @Override
        public List<String[]> answer() {
            Reading reading = context.reading();
            return List.of(
                    new String[] {"lazybase.snapshot", reading.reach().token().toString()},
                    new String[] {"lazybase.answer_age", reading.age() + " ms"},
                    new String[] {"lazybase.stages", reading.stages()});
        }

        @Override
        public String word() {
            return word;
        }

        @Override
        public @Nullable Object @Nullable [] next() {
            Enumerator<@Nullable Object[]> source = rows;
            enter();
            try {
                if (source == null || !source.moveNext()) {
                    broken = false;
                    return null;
                }
                if ((++count & 0xFF) == 0) {
                    context.check();
                }
                return source.current();
            } catch (RuntimeException | Error e) {
                close();
                throw told(e);
            } finally {
                PgFunctions.leave();
            }
        }

        /** Generated code may call functions that look at the definitions. */
        private void enter() {
            if (plan.scan() == null) {
                PgFunctions.enter(surroundings);
            }
        }

        private RuntimeException told(Throwable e) {
            Throwable cause = e;
            for (int depth = 0; depth < 10 && cause != null; depth++) {
                if (cause instanceof LazyBaseException own) {
                    return own;
                }
                if (cause instanceof CorruptFileException corrupt) {
                    return engine.damaged(corrupt);
                }
                if (cause instanceof ArithmeticException) {
                    return new LazyBaseException(Code.OVERFLOW, cause.getMessage() + ".", e);
                }
                if (cause instanceof NumberFormatException
                        || cause instanceof org.apache.calcite.runtime.CalciteException) {
                    return new LazyBaseException(Code.BAD_VALUE, cause.getMessage() + ".", e);
                }
                cause = cause.getCause();
            }
            return new LazyBaseException(Code.INTERNAL, e + ".", e);
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            Enumerator<@Nullable Object[]> source = rows;
            if (source != null) {
                source.close();
            }
            Reading reading = context.reading();
            long nanos = System.nanoTime() - began;
            lastAnswer = List.of(
                    reading.reach().token().toString(),
                    Long.toString(reading.age()),
                    reading.stages(),
                    Long.toString(count),
                    Long.toString(context.stats().rows()),
                    Long.toString(context.stats().bytes()));
            if (!broken && !plan.scans().isEmpty()) {
                engine.costs().learn(context.stats().rows(), nanos);
            }
            engine.ended(
                    id,
                    new Engine.Ran(
                            user,
                            sql,
                            freshness.toString(),
                            reading.reach().token().toString(),
                            reading.age(),
                            reading.stages(),
                            count,
                            context.stats().rows(),
                            context.stats().bytes(),
                            nanos / 1_000,
                            broken));
            if (owned) {
                context.close();
            }
        }
    }

    /** Rows that are there already. */
    private static final class FixedRows implements Result.Rows {

        private final List<Column> columns;
        private final Iterator<Object[]> rows;
        private final String word;

        FixedRows(List<Column> columns, List<Object[]> rows, String word) {
            this.columns = columns;
            this.rows = rows.iterator();
            this.word = word;
        }

        @Override
        public List<Column> columns() {
            return columns;
        }

        @Override
        public @Nullable Object @Nullable [] next() {
            return rows.hasNext() ? rows.next() : null;
        }

        @Override
        public List<String[]> answer() {
            return List.of();
        }

        @Override
        public String word() {
            return word;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}

package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.Denial;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardFactory;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.RowRecorder;
import io.leeway.privoxy.internal.guard.Ruling;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.TraceResult;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A guard that notes everything, refuses texts with the word {@code forbidden}, does not understand {@code TABLESAMPLE},
 * breaks at {@code BREAK}, and records the first column of queries in the trace under the table after FROM.
 */
public final class FakeGuard implements Guard, GuardFactory {

    private static final Pattern TABLE = Pattern.compile("(?i)\\b(?:from|into|update|table)\\s+([\\w.\"`]+)");
    private static final Pattern CONTEXT = Pattern.compile("(?i)\\s*set\\s+privoxy\\.(\\w+)\\s*=\\s*'?(\\w+)'?\\s*;?");
    private static final Pattern RESET = Pattern.compile("(?i)\\s*reset\\s+privoxy(?:\\.(\\w+))?\\s*;?");

    /** Texts that were read, in order. */
    public final List<String> prepared = new CopyOnWriteArrayList<>();
    /** Texts that were decided on, in order. */
    public final List<String> checked = new CopyOnWriteArrayList<>();
    /** Texts that were run, in order. */
    public final List<String> executed = new CopyOnWriteArrayList<>();
    /** The parameters of the last decision. */
    public final List<@Nullable Object> parameters = new CopyOnWriteArrayList<>();
    /** The session states in which texts were read. */
    public final List<SessionState> sessions = new CopyOnWriteArrayList<>();
    /** The requests that decisions were made for. */
    public final List<Request> requests = new CopyOnWriteArrayList<>();
    /** First cells of the rows that were recorded. */
    public final List<@Nullable Object> recorded = new CopyOnWriteArrayList<>();
    /** How many results were read to their end. */
    public final List<String> exhausted = new CopyOnWriteArrayList<>();
    /** How many guards were opened: one for each key. */
    public final List<PrivoxyConfig> opened = new CopyOnWriteArrayList<>();

    private final Map<String, Recording.Part> parts = new ConcurrentHashMap<>();

    /** Columns that are recorded of each query. */
    private volatile int[] columns = {1};

    /** What texts must not contain. */
    private volatile String refused = "forbidden";

    /** Refuses texts that contain something else. */
    public void refuse(String text) {
        refused = text;
    }

    /** Records other columns of each query. */
    public FakeGuard recording(int... wanted) {
        columns = wanted;
        return this;
    }

    @Override
    public Guard open(PrivoxyConfig config, Connection metadata, Dialect dialect) {
        opened.add(config);
        return this;
    }

    /** Forgets what was noted. */
    public void clear() {
        List.of(prepared, checked, executed, parameters, sessions, requests, recorded, exhausted)
                .forEach(List::clear);
    }

    /** The last request. */
    public Request request() {
        return requests.get(requests.size() - 1);
    }

    @Override
    public GuardedStatement prepare(String sql, SessionState session, Connection connection) throws SQLException {
        prepared.add(sql);
        sessions.add(session);
        int sample = sql.indexOf("TABLESAMPLE");
        if (sample >= 0) {
            throw UnsupportedQueryException.sql("TABLESAMPLE", sample, 1, sample + 1);
        }
        return statement(sql);
    }

    GuardedStatement statement(String sql) {
        return new Statement(this, sql, kind(sql), command(sql));
    }

    /** What queries of a table are in the trace. */
    Recording.Part part(String table) {
        return parts.computeIfAbsent(table, name -> {
            var query = new ConjunctiveQuery(List.of(new Atom(name, 0, 1)), List.of(), List.of(new Term.Variable(0)));
            return new Recording.Part(query, List.of(), List.of(0), -1);
        });
    }

    static String table(String sql) {
        Matcher matcher = TABLE.matcher(sql);
        String name = matcher.find() ? matcher.group(1) : "";
        return name.replaceAll("[\"`]", "").toLowerCase(Locale.ROOT).replaceAll("^.*\\.", "");
    }

    private static Kind kind(String sql) {
        String word = sql.strip().split("\\W", 2)[0].toLowerCase(Locale.ROOT);
        return switch (word) {
            case "insert", "update", "delete", "merge" -> Kind.WRITE;
            case "begin", "start", "commit", "rollback", "savepoint", "release" -> Kind.TRANSACTION;
            case "set", "reset" -> Kind.SESSION;
            case "create", "drop", "alter" -> Kind.DDL;
            default -> Kind.QUERY;
        };
    }

    private static @Nullable ContextCommand command(String sql) {
        Matcher set = CONTEXT.matcher(sql);
        if (set.matches()) {
            return new ContextCommand(set.group(1), set.group(2));
        }
        Matcher reset = RESET.matcher(sql);
        return reset.matches() ? new ContextCommand(reset.group(1) == null ? "" : reset.group(1), null) : null;
    }

    private record Statement(
            FakeGuard guard,
            String sql,
            Kind kind,
            @Nullable ContextCommand contextCommand) implements GuardedStatement {

        @Override
        public boolean changesSession() {
            return kind == Kind.SESSION;
        }

        @Override
        public Ruling check(Request request, Parameters parameters) {
            guard.checked.add(sql);
            guard.requests.add(request);
            guard.parameters.clear();
            for (int i = 1; i <= 12; i++) {
                guard.parameters.add(parameters.get(i));
            }
            if (sql.contains("BREAK")) {
                throw new IllegalStateException("broken with secret value 4711");
            }
            if (sql.contains(guard.refused)) {
                return new Denial.Decided(PrivoxyErrorCode.VIOLATION, Refusal.of("q1", "SELECT ?", "It is forbidden."));
            }
            boolean records = kind == Kind.QUERY && guard.columns.length > 0;
            return new FakePermit(this, request, records ? new FakeRecorder(this, request) : null);
        }
    }

    private record FakePermit(
            Statement statement, Request request, @Nullable RowRecorder recorder) implements Permit {

        @Override
        public void executed() {
            statement.guard.executed.add(statement.sql);
            if (statement.kind == Kind.WRITE) {
                request.trace().forgetTables(Set.of(table(statement.sql)));
            }
        }
    }

    private static final class FakeRecorder implements RowRecorder {

        private final Statement statement;
        private final TraceResult result;

        FakeRecorder(Statement statement, Request request) {
            this.statement = statement;
            this.result = request.trace().open(statement.guard.part(table(statement.sql)), List.of());
        }

        @Override
        public int[] columns() {
            return statement.guard.columns;
        }

        @Override
        public boolean row(@Nullable Object[] cells) {
            statement.guard.recorded.add(cells[0]);
            return result.add(new Value[] {cells[0] instanceof Number n ? Value.of(n.longValue()) : null});
        }

        @Override
        public void exhausted() {
            statement.guard.exhausted.add(statement.sql);
            result.complete();
        }
    }

    /** Everything noted, for messages of tests. */
    @Override
    public String toString() {
        return new ArrayList<>(Arrays.asList(prepared, checked, executed)).toString();
    }
}

package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.request.TraceResult;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ParsedSql;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * What a trace still holds after a write is true, and complete where it says so. Random statements read and write a small
 * database in H2; after each write every fact is held against what is in the tables then.
 */
class ForgettingPropertyTest {

    private static final int SCHEMAS = Depth.of(20, 600);
    private static final int STEPS = 60;

    private final List<RandomQuery.Statement> history = new ArrayList<>();
    private int written;
    private int outlived;
    private int rowsOutlived;
    private int completeOutlived;

    @Test
    void whatOutlivesAWriteIsTrue() throws SQLException {
        long seed = Seeds.seed("forgetting");

        for (int i = 0; i < SCHEMAS; i++) {
            try {
                session(new Random(seed + i));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + (seed + i) + ", after " + history, e);
            }
        }

        System.out.printf(
                "writes %d; results about a table written that outlived it %d, with %d rows, complete %d%n",
                written, outlived, rowsOutlived, completeOutlived);
        assertThat(outlived).isGreaterThan(written / 5);
        assertThat(rowsOutlived).isGreaterThan(written / 5);
        assertThat(completeOutlived).isGreaterThan(written / 20);
    }

    private void session(RandomGenerator random) throws SQLException {
        RandomSchema schema = schema(random);
        var trace = new Trace(new Trace.Bounds(100, 100, 10_000));
        List<Runnable> rest = new ArrayList<>();
        history.clear();
        try (var databases = new H2Databases(schema, List.of(schema.database()))) {
            for (int i = 0; i < STEPS; i++) {
                if (random.nextInt(3) > 0) {
                    RandomQuery.Statement query = random.nextInt(3) == 0
                            ? new RandomQuery(random, schema).query()
                            : new RandomWrite(random, schema).query();
                    history.add(query);
                    read(random, schema, databases, query, trace, rest);
                } else {
                    RandomQuery.Statement write = random.nextInt(8) == 0
                            ? new RandomQuery(random, schema).write()
                            : new RandomWrite(random, schema).write();
                    history.add(write);
                    write(schema, databases, write, trace);
                    rest.forEach(Runnable::run);
                    rest.clear();
                    check(trace, databases.present(0, schema), write);
                }
            }
        }
    }

    /** Not with keys that ignore case: H2 goes on to show the old spelling, from the index, when a row gets another. */
    private static RandomSchema schema(RandomGenerator random) {
        while (true) {
            var schema = new RandomSchema(random);
            boolean showsOld = schema.tables().stream()
                    .anyMatch(table -> table.keys().stream()
                            .flatMap(key -> key.columns().stream())
                            .anyMatch(column ->
                                    !table.columns().get(column).type().hasExactEquality()));
            if (!showsOld) {
                return schema;
            }
        }
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /** A statement, normalised. */
    private record Read(StatementPlan plan, List<Object> slots) {

        static Read of(RandomSchema schema, RandomQuery.Statement statement) {
            ParsedSql parsed =
                    Skeleton.of(statement.sql(), SqlOptions.of(Dialect.H2)).parse();
            StatementPlan plan = new Normalizer(Dialect.H2, schema.resolver(), false)
                    .normalize(parsed.statements().get(0), parsed.slots(), statement.sql(), List.of("S"), null)
                    .plan();
            return new Read(plan, NormalizerPropertyTest.slots(parsed.slots(), statement.parameters()));
        }

        Value slot(int slot) {
            return NormalizerPropertyTest.value(slots.get(slot));
        }
    }

    /** Reads into the trace; some results stop early, or go on after the next write. */
    private static void read(
            RandomGenerator random,
            RandomSchema schema,
            H2Databases databases,
            RandomQuery.Statement statement,
            Trace trace,
            List<Runnable> rest) {
        Read read;
        List<List<Value>> rows;
        try {
            read = Read.of(schema, statement);
            rows = databases.query(0, statement);
        } catch (UnsupportedSqlException | SQLException notRead) {
            return;
        }
        int now = random.nextInt(3) > 0 ? rows.size() : random.nextInt(rows.size() + 1);
        for (Recording.Part whole : read.plan().recording().parts()) {
            Recording.Part part = random.nextBoolean() ? whole : narrowed(random, whole);
            List<Value> arguments = part.arguments().stream()
                    .map(slot -> read.slot(((Slot.One) slot).slot()))
                    .toList();
            TraceResult result = trace.open(part, arguments);
            rows.subList(0, now).forEach(row -> add(part, row, result));
            Runnable end = () -> {
                rows.subList(now, rows.size()).forEach(row -> add(part, row, result));
                if (read.plan().recording().complete()) {
                    result.complete();
                }
            };
            if (now == rows.size() && random.nextInt(4) > 0) {
                end.run();
            } else {
                rest.add(end);
            }
        }
    }

    /** As the columns that tell nothing are left out. */
    private static Recording.Part narrowed(RandomGenerator random, Recording.Part part) {
        List<Term> head = new ArrayList<>();
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < part.query().head().size(); i++) {
            if (random.nextInt(3) > 0) {
                head.add(part.query().head().get(i));
                columns.add(part.resultColumns().get(i));
            }
        }
        var query = new ConjunctiveQuery(part.query().atoms(), part.query().conditions(), head);
        return new Recording.Part(query, part.arguments(), columns, part.guard());
    }

    private static void add(Recording.Part part, List<Value> row, TraceResult result) {
        if (part.guard() < 0 || !row.get(part.guard()).isNull()) {
            result.add(part.resultColumns().stream().map(row::get).toArray(Value[]::new));
        }
    }

    // --- writing -----------------------------------------------------------------------------------------------------

    private void write(RandomSchema schema, H2Databases databases, RandomQuery.Statement statement, Trace trace)
            throws SQLException {
        Read read;
        try {
            read = Read.of(schema, statement);
        } catch (UnsupportedSqlException refused) {
            return;
        }
        databases.write(0, statement);
        Invalidation.after(read.plan(), read::slot).in(trace, null);
        written++;
        for (TraceEntry entry : trace.entries()) {
            boolean concerned = entry.query().atoms().stream()
                    .anyMatch(atom -> read.plan().writes().contains(atom.table()));
            outlived += concerned ? 1 : 0;
            rowsOutlived += concerned ? entry.rows() : 0;
            completeOutlived += concerned && entry.complete() ? 1 : 0;
        }
    }

    private static void check(Trace trace, Rows present, RandomQuery.Statement write) {
        int cells = 0;
        for (TraceEntry entry : trace.entries()) {
            Set<List<Value>> answer = new Evaluator(present, entry.arguments(), Map.of()).answer(entry.query());
            Set<List<Value>> known = new HashSet<>();
            for (int row = 0; row < entry.rows(); row++) {
                List<Value> cellsOfRow = new ArrayList<>();
                for (int column = 0; column < entry.width(); column++) {
                    cellsOfRow.add(entry.cell(row, column));
                }
                known.add(cellsOfRow);
            }
            assertThat(answer)
                    .as("%s with %s after %s", entry.query(), entry.arguments(), write)
                    .containsAll(known);
            if (entry.complete()) {
                assertThat(known)
                        .as("complete %s with %s after %s", entry.query(), entry.arguments(), write)
                        .isEqualTo(answer);
            }
            cells += entry.rows() * entry.width();
        }
        assertThat(trace.cells()).isEqualTo(cells);
    }
}

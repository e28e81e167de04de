package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ParsedSql;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.SlotSource;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The decisive property: what a statement returns is a function of the answers to its obligations. Random statements run
 * on H2 over families of tiny databases that differ in a few rows; wherever two databases give equal answers to all
 * obligations they must give equal results. And what is recorded of a result must be true.
 */
class NormalizerPropertyTest {

    private static final int SCHEMAS = Depth.of(15, 400);
    private static final int DATABASES = 20;
    private static final int STATEMENTS = 60;

    private int refused;
    private int failed;
    private int run;
    private int compared;

    @Test
    void resultsAreFunctionsOfTheObligationsAnswers() throws SQLException {
        long seed = Seeds.seed("normalizer");

        for (int i = 0; i < SCHEMAS; i++) {
            family(seed + i);
        }

        System.out.printf(
                "statements run %d, refused %d, not accepted by H2 %d; pairs with equal answers %d%n",
                run, refused, failed, compared);
        assertThat(run).isGreaterThan(SCHEMAS * STATEMENTS / 2);
        assertThat(compared).isGreaterThan(run);
    }

    /** One schema, its databases and its statements; all follow from the seed. */
    private void family(long seed) throws SQLException {
        RandomGenerator random = new Random(seed);
        var schema = new RandomSchema(random);
        List<Rows> contents = new ArrayList<>(List.of(schema.database()));
        while (contents.size() < DATABASES) {
            contents.add(schema.mutated(contents.get(random.nextInt(contents.size()))));
        }
        try (var databases = new H2Databases(schema, contents)) {
            for (int i = 0; i < STATEMENTS; i++) {
                boolean write = random.nextInt(10) == 0;
                var generator = new RandomQuery(random, schema);
                RandomQuery.Statement statement = write ? generator.write() : generator.query();
                try {
                    check(schema, databases, statement, write);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ": " + statement, e);
                }
            }
        }
    }

    private void check(RandomSchema schema, H2Databases databases, RandomQuery.Statement statement, boolean write)
            throws SQLException {
        ParsedSql parsed;
        StatementPlan plan;
        try {
            parsed = Skeleton.of(statement.sql(), SqlOptions.of(Dialect.H2)).parse();
            plan = new Normalizer(Dialect.H2, schema.resolver(), false)
                    .normalize(parsed.statements().get(0), parsed.slots(), statement.sql(), List.of("S"), null)
                    .plan();
        } catch (UnsupportedSqlException e) {
            assertThat(e.construct()).isNotEqualTo(Work.UNEXPECTED);
            refused++;
            return;
        }
        List<Object> slots = slots(parsed.slots(), statement.parameters());
        Map<Object, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < databases.count(); i++) {
            groups.computeIfAbsent(answers(plan.obligations(), slots, databases.contents(i)), key -> new ArrayList<>())
                    .add(i);
        }
        try {
            for (List<Integer> group : groups.values()) {
                compare(group, databases, statement, write, schema.foldsCase(), plan, slots);
            }
            run++;
        } catch (SQLException e) {
            failed++;
        }
    }

    private void compare(
            List<Integer> group,
            H2Databases databases,
            RandomQuery.Statement statement,
            boolean write,
            boolean folds,
            StatementPlan plan,
            List<Object> slots)
            throws SQLException {
        Object expected = null;
        for (int database : group) {
            Object result;
            if (write) {
                result = databases.update(database, statement);
            } else {
                List<List<Value>> rows = databases.query(database, statement);
                checkRecording(plan.recording(), slots, databases.contents(database), rows);
                result = bag(rows, folds);
            }
            if (expected != null) {
                compared++;
                assertThat(result)
                        .as(() -> "databases " + databases.contents(group.get(0)) + " and "
                                + databases.contents(database) + " with obligations " + plan.obligations())
                        .isEqualTo(expected);
            }
            expected = result;
        }
    }

    private static List<String> bag(List<List<Value>> rows, boolean folds) {
        return rows.stream()
                .map(Object::toString)
                .map(row -> folds ? row.toLowerCase(Locale.ROOT) : row)
                .sorted()
                .toList();
    }

    // --- answers -----------------------------------------------------------------------------------------------------

    static List<Object> slots(List<SlotSource> sources, List<Object> parameters) {
        List<Object> slots = new ArrayList<>();
        for (SlotSource source : sources) {
            slots.add(
                    source instanceof SlotSource.Jdbc jdbc
                            ? parameters.get(jdbc.index() - 1)
                            : Literals.plain(
                                    ((SlotSource.Lifted) source).literal().kind(),
                                    ((SlotSource.Lifted) source).literal().text()));
        }
        return slots;
    }

    private static Object answers(List<Obligation> obligations, List<Object> slots, Rows rows) {
        List<Object> answers = new ArrayList<>();
        for (Obligation obligation : obligations) {
            for (List<Value> arguments : alternatives(obligation.arguments(), slots)) {
                answers.add(new Evaluator(rows, arguments, Map.of()).answer(obligation.query()));
            }
        }
        return answers;
    }

    /** All choices of values for the arguments. */
    private static List<List<Value>> alternatives(List<Slot> arguments, List<Object> slots) {
        List<List<Value>> all = List.of(List.of());
        for (Slot argument : arguments) {
            List<List<Value>> longer = new ArrayList<>();
            for (List<Value> prefix : all) {
                for (Value value : values(argument, slots)) {
                    List<Value> next = new ArrayList<>(prefix);
                    next.add(value);
                    longer.add(next);
                }
            }
            all = longer;
        }
        return all;
    }

    private static List<Value> values(Slot slot, List<Object> slots) {
        if (slot instanceof Slot.One one) {
            return List.of(value(slots.get(one.slot())));
        }
        if (slot instanceof Slot.Each each) {
            return each.slots().stream().map(number -> value(slots.get(number))).toList();
        }
        if (slot instanceof Slot.Literals literals) {
            return literals.values();
        }
        return ((List<?>) slots.get(((Slot.Elements) slot).slot()))
                .stream().map(NormalizerPropertyTest::value).toList();
    }

    static Value value(Object slot) {
        return slot instanceof Value value ? value : Value.of(ValueKind.OPAQUE, slot);
    }

    // --- recording ---------------------------------------------------------------------------------------------------

    private static void checkRecording(Recording recording, List<Object> slots, Rows contents, List<List<Value>> rows) {
        for (Recording.Part part : recording.parts()) {
            List<Value> arguments = part.arguments().stream()
                    .map(slot -> value(slots.get(((Slot.One) slot).slot())))
                    .toList();
            Set<List<Value>> answer = new Evaluator(contents, arguments, Map.of()).answer(part.query());
            Set<List<Value>> seen = new HashSet<>();
            for (List<Value> row : rows) {
                if (part.guard() < 0 || !row.get(part.guard()).isNull()) {
                    seen.add(part.resultColumns().stream().map(row::get).toList());
                }
            }
            assertThat(answer).as("answer of %s", part).containsAll(seen);
            if (recording.complete()) {
                assertThat(seen).as("complete answer of %s", part).isEqualTo(Objects.requireNonNull(answer));
            }
        }
    }
}

package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.request.TraceResult;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A policy and a request under way, for tests: says what was seen, asks, and generalises. */
final class Scene {

    private static final Object UNKNOWN = new Object();

    final CompiledPolicy policy;
    final ChaseEngine engine;
    final Generaliser generaliser;
    private final Map<String, Value> context = new HashMap<>();
    private Trace trace = new Trace(new Trace.Bounds(1000, 10_000, 100_000));

    Scene(Schema schema, List<UnionQuery> views, Inclusion... inclusions) {
        this(new Policy(schema, contextTypes(), named(views), Arrays.asList(inclusions)));
    }

    Scene(Policy policy) {
        this(policy, Budget.DEFAULT);
    }

    Scene(Policy policy, Budget budget) {
        this.policy = CompiledPolicy.of(policy);
        this.engine = new ChaseEngine(this.policy, budget);
        this.generaliser = Generaliser.of(this.policy, engine);
    }

    private static Map<String, ColumnType> contextTypes() {
        return Map.of("MyUId", ColumnType.integer("bigint"), "Now", ColumnType.exact(ValueKind.TIMESTAMP, "timestamp"));
    }

    private static List<View> named(List<UnionQuery> queries) {
        List<View> views = new ArrayList<>();
        for (UnionQuery query : queries) {
            views.add(new View("v" + views.size(), "", query, List.of(), ""));
        }
        return views;
    }

    static Object unknown() {
        return UNKNOWN;
    }

    /** The value of a test's Java object; null for what is unknown. */
    static @Nullable Value value(@Nullable Object object) {
        if (object == UNKNOWN) {
            return null;
        }
        if (object == null) {
            return Value.NULL;
        }
        if (object instanceof Value value) {
            return value;
        }
        if (object instanceof Boolean truth) {
            return Value.of(truth);
        }
        if (object instanceof LocalDateTime time) {
            return Value.of(ValueKind.TIMESTAMP, time);
        }
        return object instanceof String text ? Value.of(text) : Value.of(((Number) object).longValue());
    }

    static @Nullable Value[] values(@Nullable Object... objects) {
        return Arrays.stream(objects).map(Scene::value).toArray(Value[]::new);
    }

    /** Begins a new request. */
    Scene request(Object... context) {
        this.context.clear();
        this.trace = new Trace(new Trace.Bounds(1000, 10_000, 100_000));
        for (int i = 0; i < context.length; i += 2) {
            this.context.put((String) context[i], Objects.requireNonNull(value(context[i + 1])));
        }
        return this;
    }

    /** The request has asked a query and was given these rows. */
    Scene saw(ConjunctiveQuery query, List<?> arguments, Object[]... rows) {
        ConjunctiveQuery interned = policy.shape(query).query();
        List<Value> values = List.of(values(arguments.toArray()));
        TraceResult result = trace.open(new Recording.Part(interned, List.of(), List.of(), -1), values);
        for (Object[] row : rows) {
            @Nullable Value[] cells = values(row);
            result.add(cells);
        }
        result.complete();
        return this;
    }

    /** A row of the trace as the engine sees it. */
    Fact fact(TraceEntry entry, int row) {
        List<@Nullable Arg> cells = new ArrayList<>();
        for (int column = 0; column < entry.width(); column++) {
            Value cell = entry.cell(row, column);
            cells.add(cell == null ? null : Arg.of(cell));
        }
        return new Fact(policy.shape(entry.query()), args(entry.arguments()), cells);
    }

    private List<Fact> facts() {
        List<Fact> facts = new ArrayList<>();
        for (TraceEntry entry : trace.entries()) {
            for (int row = 0; row < entry.rows(); row++) {
                facts.add(fact(entry, row));
            }
        }
        return facts;
    }

    static Object[] row(@Nullable Object... cells) {
        return cells;
    }

    static List<Arg> args(List<Value> values) {
        return values.stream().map(Arg::of).toList();
    }

    Problem problem(UnionQuery goal, Object... arguments) {
        Map<String, Arg> parameters = new TreeMap<>();
        context.forEach((name, value) -> parameters.put(name, Arg.of(value)));
        return new Problem(policy.goal(goal), args(List.of(values(arguments))), parameters, facts(), List.of());
    }

    boolean isCompliant(UnionQuery goal, Object... arguments) {
        return engine.decide(problem(goal, arguments)).isCompliant();
    }

    @Nullable
    Template generalise(UnionQuery goal, Object... arguments) {
        return generaliser.generalise(problem(goal, arguments));
    }

    boolean matches(Template template, Object... arguments) {
        return new CompiledTemplate(template, policy).matches(values(arguments), context, trace::entriesOf);
    }

    boolean isProved(Template template) {
        return engine.decide(template.problem(policy)).isCompliant();
    }

    Map<String, Value> context() {
        return context;
    }

    Trace trace() {
        return trace;
    }
}

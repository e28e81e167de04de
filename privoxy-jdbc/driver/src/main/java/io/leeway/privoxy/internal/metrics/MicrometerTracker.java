package io.leeway.privoxy.internal.metrics;

import io.leeway.privoxy.PrivoxyMetrics;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Micrometer meters. Loaded only where Micrometer is on the class path. */
final class MicrometerTracker implements PrivoxyMetricsTracker {

    private static final Set<String> SOLVERS = Set.of("cvc5", "z3");

    private final MeterRegistry registry;
    private final Map<Stage, Map<Outcome, Timer>> checks;
    private final Map<Outcome, Counter> audited;
    private final Map<TemplateEvent, Counter> templates;
    private final Map<String, Timer> solvers = new ConcurrentHashMap<>();
    private final DistributionSummary traceEntries;
    private final DistributionSummary traceCells;

    MicrometerTracker(MeterRegistry registry) {
        this.registry = registry;
        this.checks = each(Stage.class, stage -> each(Outcome.class, outcome -> check(stage, outcome)));
        this.audited = each(
                Outcome.class, outcome -> counter(PrivoxyMetrics.AUDITED, PrivoxyMetrics.TAG_OUTCOME, tag(outcome)));
        this.templates = each(
                TemplateEvent.class, event -> counter(PrivoxyMetrics.TEMPLATE, PrivoxyMetrics.TAG_EVENT, tag(event)));
        this.traceEntries = summary(PrivoxyMetrics.TRACE_ENTRIES);
        this.traceCells = summary(PrivoxyMetrics.TRACE_CELLS);
    }

    @Override
    public void checked(Stage stage, Outcome outcome, long nanos) {
        Map<Outcome, Timer> timers = checks.get(stage);
        Timer timer = timers == null ? null : timers.get(outcome);
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void audited(Outcome outcome) {
        increment(audited.get(outcome));
    }

    @Override
    public void template(TemplateEvent event) {
        increment(templates.get(event));
    }

    @Override
    public void solver(String solver, SolverResult result, long nanos) {
        String name = SOLVERS.contains(solver) ? solver : "other";
        solvers.computeIfAbsent(
                        name + '/' + tag(result),
                        absent -> Timer.builder(PrivoxyMetrics.SOLVER)
                                .description(description(PrivoxyMetrics.SOLVER))
                                .tag(PrivoxyMetrics.TAG_SOLVER, name)
                                .tag(PrivoxyMetrics.TAG_OUTCOME, tag(result))
                                .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void traceSize(int entries, int cells) {
        traceEntries.record(entries);
        traceCells.record(cells);
    }

    private Timer check(Stage stage, Outcome outcome) {
        return Timer.builder(PrivoxyMetrics.CHECK)
                .description(description(PrivoxyMetrics.CHECK))
                .tag(PrivoxyMetrics.TAG_STAGE, tag(stage))
                .tag(PrivoxyMetrics.TAG_OUTCOME, tag(outcome))
                .register(registry);
    }

    private Counter counter(String name, String tag, String value) {
        return Counter.builder(name)
                .description(description(name))
                .tag(tag, value)
                .register(registry);
    }

    private DistributionSummary summary(String name) {
        return DistributionSummary.builder(name).description(description(name)).register(registry);
    }

    private static void increment(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    private static String description(String name) {
        return PrivoxyMetrics.all().stream()
                .filter(metric -> metric.name().equals(name))
                .map(PrivoxyMetrics.Metric::description)
                .findFirst()
                .orElse("");
    }

    private static String tag(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>, M> Map<E, M> each(Class<E> type, Function<E, M> meter) {
        var meters = new EnumMap<E, M>(type);
        for (E constant : type.getEnumConstants()) {
            meters.put(constant, meter.apply(constant));
        }
        return meters;
    }
}

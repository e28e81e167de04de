package io.leeway.autotune.internal.agent;

import io.leeway.autotune.AutoTuneMetrics;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.tune.Round;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Gauges in the Micrometer registries that the host has, so that its own exporter sends them: the agent brings no
 * registry and no exporter. Gauges read what the agent's thread left for them and never wait. Registries that only pass
 * on to others are left out, since those others are found too.
 */
final class HostMetrics {

    private static final String REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

    private final ConcurrentLinkedQueue<WeakReference<Object>> found = new ConcurrentLinkedQueue<>();
    private final List<WeakReference<Object>> registries = new ArrayList<>();
    private final Map<String, Double> values = new ConcurrentHashMap<>();
    private final Map<Object, Set<String>> registered = new java.util.WeakHashMap<>();
    private final Consumer<String> log;

    HostMetrics(Consumer<String> log) {
        this.log = log;
    }

    /** Whether an object that was seen is for here; returns at once. */
    boolean found(Object host) {
        boolean isRegistry = false;
        for (Class<?> type = host.getClass(); type != null && !isRegistry; type = type.getSuperclass()) {
            isRegistry = type.getName().equals(REGISTRY);
        }
        if (isRegistry && !host.getClass().getSimpleName().contains("Composite")) {
            found.add(new WeakReference<>(host));
        }
        return isRegistry;
    }

    /** What gauges say from now on, and gauges for what is new. Called by the agent's own thread. */
    void update(Window recent, Map<String, KnobValue> knobs, List<Round> rounds, boolean tuning) {
        for (WeakReference<Object> next = found.poll(); next != null; next = found.poll()) {
            registries.add(next);
        }
        registries.removeIf(registry -> registry.get() == null);
        if (registries.isEmpty()) {
            return;
        }
        gauge(AutoTuneMetrics.LATENCY, AutoTuneMetrics.TAG_PERCENTILE, "p50", recent.p50());
        gauge(AutoTuneMetrics.LATENCY, AutoTuneMetrics.TAG_PERCENTILE, "p95", recent.p95());
        gauge(AutoTuneMetrics.LATENCY, AutoTuneMetrics.TAG_PERCENTILE, "p99", recent.p99());
        gauge(AutoTuneMetrics.THROUGHPUT, "", "", recent.throughput());
        gauge(AutoTuneMetrics.ERRORS, "", "", recent.errorRate());
        gauge(AutoTuneMetrics.TUNING, "", "", tuning ? 1 : 0);
        knobs.forEach((name, value) -> {
            if (value instanceof KnobValue.Amount amount) {
                gauge(AutoTuneMetrics.KNOB, AutoTuneMetrics.TAG_KNOB, name, amount.value());
            }
        });
        for (Round.Verdict verdict : Round.Verdict.values()) {
            long times =
                    rounds.stream().filter(round -> round.verdict() == verdict).count();
            gauge(
                    AutoTuneMetrics.ROUNDS,
                    AutoTuneMetrics.TAG_VERDICT,
                    verdict.name().toLowerCase(Locale.ROOT),
                    (double) times);
        }
    }

    private void gauge(String name, String tag, String tagValue, double value) {
        String key = name + " " + tagValue;
        values.put(key, value);
        for (WeakReference<Object> reference : registries) {
            Object registry = reference.get();
            if (registry != null
                    && registered
                            .computeIfAbsent(registry, each -> new HashSet<>())
                            .add(key)) {
                try {
                    register(registry, name, tag, tagValue, key);
                } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                    log.accept("no metric in " + registry.getClass().getName() + ": " + e);
                }
            }
        }
    }

    private void register(Object registry, String name, String tag, String tagValue, String key)
            throws ReflectiveOperationException {
        Class<?> type = registry.getClass();
        while (!type.getName().equals(REGISTRY)) {
            type = type.getSuperclass();
        }
        Class<?> tags = Class.forName("io.micrometer.core.instrument.Tag", true, type.getClassLoader());
        Iterable<?> given = tag.isEmpty()
                ? List.of()
                : List.of(tags.getMethod("of", String.class, String.class).invoke(null, tag, tagValue));
        Method gauge = type.getMethod("gauge", String.class, Iterable.class, Object.class, ToDoubleFunction.class);
        // The registry refers to the object weakly; this one lives as long as the agent.
        ToDoubleFunction<HostMetrics> read = metrics -> metrics.values.getOrDefault(key, Double.NaN);
        gauge.invoke(registry, name, given, this, read);
    }
}

package io.leeway.eppi.internal.metrics;

import io.leeway.eppi.node.EppiMetrics;
import io.leeway.eppi.node.EppiMetrics.Metric;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;

/** The metrics of a node, read as text in the format of Prometheus. Thread-safe. */
public final class Meters {

    private final Map<String, DoubleAdder> values = new ConcurrentHashMap<>();

    /** Adds to a counter. */
    public void add(String name, double amount) {
        value(name).add(amount);
    }

    /** Adds to a counter with a tag, written {@code outcome="done"}. */
    public void add(String name, String tag, double amount) {
        value(name + "{" + tag + "}").add(amount);
    }

    /** Sets a gauge. */
    public void set(String name, double amount) {
        DoubleAdder value = value(name);
        value.reset();
        value.add(amount);
    }

    /** What a counter or gauge has; tags as in {@link #add(String, String, double)}. */
    public double get(String name) {
        return value(name).sum();
    }

    private DoubleAdder value(String name) {
        return values.computeIfAbsent(name, each -> new DoubleAdder());
    }

    /** All metrics that have a value. */
    public String text() {
        var text = new StringBuilder();
        for (Metric metric : EppiMetrics.all()) {
            String name = metric.name().replace('.', '_');
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(metric.description())
                    .append('\n');
            text.append("# TYPE ")
                    .append(name)
                    .append(' ')
                    .append(metric.kind())
                    .append('\n');
            values.forEach((key, value) -> {
                if (key.equals(metric.name()) || key.startsWith(metric.name() + "{")) {
                    String tags = key.substring(metric.name().length());
                    text.append(String.format(Locale.ROOT, "%s%s %s%n", name, tags, value.sum()));
                }
            });
        }
        return text.toString();
    }
}

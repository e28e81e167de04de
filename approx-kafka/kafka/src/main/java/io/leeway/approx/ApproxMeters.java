package io.leeway.approx;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of {@link ApproxMetrics} for Micrometer, under the same names with dots. Needs Micrometer on the class path.
 *
 * <pre>{@code
 * ApproxMeters.ofShims().bindTo(registry);       // in an application: the shims that its clients' properties started
 * ApproxMeters.of(gateway).bindTo(registry);     // where a gateway is started in code
 * }</pre>
 *
 * <p>Of several shims counters and sizes are added up; of ratios, times and states the greatest is told.
 */
public final class ApproxMeters implements MeterBinder {

    private static final List<ApproxMetrics> OF_SHIMS = List.of(
            ApproxMetrics.UP,
            ApproxMetrics.DATAGRAMS,
            ApproxMetrics.ACCEPTED,
            ApproxMetrics.PASSED,
            ApproxMetrics.RATE,
            ApproxMetrics.LOSS,
            ApproxMetrics.TARGET,
            ApproxMetrics.QUEUE,
            ApproxMetrics.RTT,
            ApproxMetrics.PACKETS,
            ApproxMetrics.LOST,
            ApproxMetrics.BUFFERED,
            ApproxMetrics.JOBS);
    private static final List<ApproxMetrics> OF_GATEWAYS = List.of(
            ApproxMetrics.WRITTEN,
            ApproxMetrics.FAILED,
            ApproxMetrics.SESSIONS,
            ApproxMetrics.STRAY,
            ApproxMetrics.FORGED);
    private static final List<ApproxMetrics> GREATEST = List.of(
            ApproxMetrics.UP,
            ApproxMetrics.DATAGRAMS,
            ApproxMetrics.LOSS,
            ApproxMetrics.TARGET,
            ApproxMetrics.QUEUE,
            ApproxMetrics.RTT);

    private final Supplier<List<ApproxShim>> shims;
    private final @Nullable ApproxGateway gateway;
    private final Map<String, WindowReport> windows = new ConcurrentHashMap<>();

    private ApproxMeters(Supplier<List<ApproxShim>> shims, @Nullable ApproxGateway gateway) {
        this.shims = shims;
        this.gateway = gateway;
    }

    /** Of all shims that {@link ApproxConfigProvider} starts in this JVM, now or later. */
    public static ApproxMeters ofShims() {
        return new ApproxMeters(ApproxConfigProvider::shims, null);
    }

    /** Of one shim. */
    public static ApproxMeters of(ApproxShim shim) {
        return new ApproxMeters(() -> List.of(shim), null);
    }

    /** Of a gateway, and of the windows that it reports. */
    public static ApproxMeters of(ApproxGateway gateway) {
        return new ApproxMeters(List::of, gateway);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (gateway == null) {
            OF_SHIMS.forEach(metric -> meter(registry, metric, meters -> meters.ofShims(metric)));
            return;
        }
        OF_GATEWAYS.forEach(metric -> meter(registry, metric, meters -> meters.ofGateway(metric)));
        gateway.onReport(report -> {
            String key = report.topic() + '\n' + report.group();
            if (windows.put(key, report) == null) {
                window(registry, report, ApproxMetrics.DELIVERED, key, WindowReport::deliveredPart);
                window(registry, report, ApproxMetrics.MSR, key, WindowReport::msr);
                window(registry, report, ApproxMetrics.BIAS, key, WindowReport::biasZ);
                window(registry, report, ApproxMetrics.REFUSED, key, WindowReport::refused);
            }
        });
    }

    private void meter(MeterRegistry registry, ApproxMetrics metric, ToDoubleFunction<ApproxMeters> value) {
        if (metric.counts()) {
            // A counter does not keep what it counts; the gauges beside it do.
            FunctionCounter.builder(name(metric), this, value)
                    .description(metric.text())
                    .register(registry);
        } else {
            Gauge.builder(name(metric), this, value)
                    .description(metric.text())
                    .strongReference(true)
                    .register(registry);
        }
    }

    private void window(
            MeterRegistry registry,
            WindowReport report,
            ApproxMetrics metric,
            String key,
            ToDoubleFunction<WindowReport> value) {
        Gauge.builder(name(metric), windows, all -> {
                    WindowReport last = all.get(key);
                    return last == null ? Double.NaN : value.applyAsDouble(last);
                })
                .tags(Tags.of("topic", report.topic(), "group", report.group()))
                .description(metric.text())
                .strongReference(true)
                .register(registry);
    }

    private double ofShims(ApproxMetrics metric) {
        double result = 0;
        for (ApproxShim shim : shims.get()) {
            double value = ApproxNumbers.of(shim).getOrDefault(metric, 0.0);
            result = GREATEST.contains(metric) ? Math.max(result, value) : result + value;
        }
        return result;
    }

    private double ofGateway(ApproxMetrics metric) {
        return gateway == null ? 0 : ApproxNumbers.of(gateway).getOrDefault(metric, 0.0);
    }

    /** Registries add the ending of counters themselves. */
    private static String name(ApproxMetrics metric) {
        String id = metric.id();
        return (metric.counts() ? id.substring(0, id.length() - ApproxMetrics.COUNTER.length()) : id).replace('_', '.');
    }
}

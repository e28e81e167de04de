package io.leeway.approx;

import io.leeway.approx.atp.FlowState;
import io.leeway.approx.internal.gateway.GatewayState;
import io.leeway.approx.internal.net.FlowClient;
import io.leeway.approx.internal.status.Page;
import io.leeway.approx.internal.status.StatusServer;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Status, metrics and the live page of a shim, a gateway or both, over HTTP: {@code /}, {@code /status}, {@code /metrics}, {@code /reports}. */
public final class ApproxStatus implements AutoCloseable {

    private final @Nullable ApproxShim shim;
    private final @Nullable ApproxGateway gateway;
    private final StatusServer server;

    /**
     * Serves.
     *
     * @throws ApproxException if the port is taken
     */
    public ApproxStatus(InetSocketAddress at, @Nullable ApproxShim shim, @Nullable ApproxGateway gateway) {
        this.shim = shim;
        this.gateway = gateway;
        server = new StatusServer(at);
        server.serve("/", "text/html", () -> Page.of(text(), reports()));
        server.serve("/status", "text/plain", this::text);
        server.serve("/metrics", "text/plain", this::metrics);
        server.serve(
                "/reports",
                "application/x-ndjson",
                () -> reports().stream().map(report -> report.toJson() + "\n").collect(Collectors.joining()));
    }

    /** The port. */
    public int port() {
        return server.port();
    }

    private List<WindowReport> reports() {
        return gateway == null ? List.of() : gateway.reports();
    }

    private String text() {
        StringBuilder out = new StringBuilder();
        if (shim != null) {
            out.append("shim at ").append(shim.bootstrap()).append("\n  path: ").append(shim.path());
            out.append("\n  records: ")
                    .append(shim.accepted())
                    .append(" sampled from, ")
                    .append(shim.passed());
            out.append(" passed as exact\n");
            FlowClient flow = shim.shim().flow();
            FlowState numbers = flow == null ? null : flow.numbers();
            if (numbers != null) {
                out.append(String.format(
                        Locale.ROOT,
                        "  rate: %.0f kB/s, loss %.1f %% of at most %.1f %%, queue %d, round trip %.2f ms%n"
                                + "  packets: %d sent, %d presumed lost; %d windows open, %d bytes held%n",
                        numbers.rate() / 1e3,
                        100 * numbers.loss(),
                        100 * numbers.target(),
                        numbers.queue(),
                        numbers.rtt() / 1e6,
                        numbers.packetsSent(),
                        numbers.packetsLost(),
                        numbers.openJobs(),
                        numbers.buffered()));
            }
        }
        if (gateway != null) {
            GatewayState state = gateway.state();
            out.append("gateway at port ")
                    .append(gateway.port())
                    .append("\n  records: ")
                    .append(gateway.records());
            out.append(" written, ")
                    .append(gateway.failures())
                    .append(" refused by brokers\n  datagrams of no session: ");
            out.append(state.stray()).append('\n');
            for (GatewayState.Of session : state.sessions()) {
                out.append("  session ")
                        .append(session.id())
                        .append(session.connected() ? "" : " (away)")
                        .append(": ");
                out.append(session.held())
                        .append(" bytes held, ")
                        .append(session.drops())
                        .append(" packets without room, ");
                out.append(session.forged()).append(" forged; packets by queue ");
                out.append(java.util.Arrays.toString(session.packets())).append('\n');
            }
            List<WindowReport> reports = gateway.reports();
            long broken = reports.stream().filter(report -> !report.kept()).count();
            long biased = reports.stream().filter(WindowReport::biased).count();
            out.append("  last ")
                    .append(reports.size())
                    .append(" windows: ")
                    .append(broken)
                    .append(" without what was promised, ");
            out.append(biased).append(" with a suspect sample\n");
            refused(out, reports);
        }
        return out.toString();
    }

    /** Of each topic of which brokers refused records the last time that they did, and why. */
    private static void refused(StringBuilder out, List<WindowReport> reports) {
        Map<String, WindowReport> last = new LinkedHashMap<>();
        for (WindowReport report : reports) {
            if (report.refused() > 0) {
                last.put(report.topic(), report);
            }
        }
        last.forEach((topic, report) -> out.append("  brokers refused ")
                .append(report.refused())
                .append(" records of the window of ")
                .append(topic)
                .append(" from ")
                .append(report.from())
                .append(": ")
                .append(report.refusedWhy())
                .append('\n'));
    }

    private String metrics() {
        Map<ApproxMetrics, Map<String, Double>> values = new LinkedHashMap<>();
        if (shim != null) {
            put(values, ApproxNumbers.of(shim));
            ofGroups(values, shim.shim().flow());
        }
        if (gateway != null) {
            put(values, ApproxNumbers.of(gateway));
            ofWindows(values, gateway);
        }
        StringBuilder out = new StringBuilder();
        values.forEach((metric, byTags) -> {
            out.append("# HELP ")
                    .append(metric.id())
                    .append(' ')
                    .append(metric.text())
                    .append('\n');
            out.append("# TYPE ").append(metric.id()).append(metric.counts() ? " counter\n" : " gauge\n");
            byTags.forEach((tags, value) -> out.append(metric.id())
                    .append(tags)
                    .append(' ')
                    .append(value)
                    .append('\n'));
        });
        return out.toString();
    }

    private static void put(Map<ApproxMetrics, Map<String, Double>> values, Map<ApproxMetrics, Double> numbers) {
        numbers.forEach((metric, value) -> values.put(metric, Map.of("", value)));
    }

    private static void ofGroups(Map<ApproxMetrics, Map<String, Double>> values, @Nullable FlowClient flow) {
        if (flow == null) {
            return;
        }
        flow.groups().forEach((of, numbers) -> {
            String tags = tags(of.topic(), of.group());
            values.computeIfAbsent(ApproxMetrics.GROUP_QUEUE, unused -> new LinkedHashMap<>())
                    .put(tags, (double) numbers.queue());
            values.computeIfAbsent(ApproxMetrics.GROUP_TARGET, unused -> new LinkedHashMap<>())
                    .put(tags, numbers.target());
        });
    }

    private static String tags(String topic, String group) {
        return "{topic=\"" + tag(topic) + "\",group=\"" + tag(group) + "\"}";
    }

    private static void ofWindows(Map<ApproxMetrics, Map<String, Double>> values, ApproxGateway gateway) {
        for (WindowReport report : gateway.reports()) {
            String tags = tags(report.topic(), report.group());
            values.computeIfAbsent(ApproxMetrics.DELIVERED, unused -> new LinkedHashMap<>())
                    .put(tags, report.deliveredPart());
            values.computeIfAbsent(ApproxMetrics.MSR, unused -> new LinkedHashMap<>())
                    .put(tags, report.msr());
            values.computeIfAbsent(ApproxMetrics.REFUSED, unused -> new LinkedHashMap<>())
                    .put(tags, (double) report.refused());
            values.computeIfAbsent(ApproxMetrics.BIAS, unused -> new LinkedHashMap<>())
                    .put(tags, report.biasZ());
        }
    }

    private static String tag(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public void close() {
        server.close();
    }
}

package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.internal.net.ClassProbe;
import io.leeway.testkit.DocTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApproxCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ApproxCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    @Test
    void tellsWhatItCanDo() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("approx gateway", "approx status");
        assertThat(run("gatway")).isEqualTo(2);
        assertThat(run("status")).isEqualTo(2);
        assertThat(run("gateway", "--nonsense=1")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("no command gatway", "--at=... is missing", "APPROX-001");
    }

    @Test
    void showsTheStatusOfAShim() {
        ApproxOptions options =
                ApproxOptions.of(Map.of("approx.upstream", "127.0.0.1:1", "approx.topics", "a(msr=0.5)"));
        try (ApproxShim shim = new ApproxShim(options);
                ApproxStatus status =
                        new ApproxStatus(InetSocketAddress.createUnresolved("127.0.0.1", 0), shim, null)) {
            assertThat(run("status", "--at=127.0.0.1:" + status.port())).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("shim at 127.0.0.1:", "exact: there is no gateway");
            assertThat(run("status", "--reports", "--at=127.0.0.1:" + status.port()))
                    .isZero();
        }
    }

    @Test
    void namesTheQueuesOfARouter() {
        assertThat(run("queues", "--interface=eth1", "--rate=100")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "ceil 100mbit prio 7",
                        "handle 17: pfifo limit 1",
                        "tos 0x20 0xe0 flowid 1:17",
                        "tos 0xe0 0xe0 flowid 1:11");
        assertThat(run("queues", "--interface=eth1;reboot", "--rate=100")).isEqualTo(2);
    }

    @Test
    void judgesClassesByWhatTheyLose() {
        assertThat(verdict(0, 0.5)).isEqualTo(ApproxCommand.Verdict.DIFFER);
        assertThat(verdict(0.3, 0.95)).isEqualTo(ApproxCommand.Verdict.DIFFER);
        assertThat(verdict(0.4, 0.45)).isEqualTo(ApproxCommand.Verdict.ALIKE);
        assertThat(verdict(0.5, 0.1)).isEqualTo(ApproxCommand.Verdict.ALIKE);
        assertThat(verdict(0, 0.01)).isEqualTo(ApproxCommand.Verdict.IDLE);
        assertThat(run("classes", "--rate=fast")).isEqualTo(2);
    }

    private static ApproxCommand.Verdict verdict(double high, double low) {
        return ApproxCommand.Verdict.of(
                new ClassProbe.Result(1, 1_000, Math.round(1_000 * (1 - high))),
                new ClassProbe.Result(7, 1_000, Math.round(1_000 * (1 - low))));
    }

    @Test
    void reportsComeBackAsTheyWere() {
        WindowReport report = new WindowReport(
                "tr\"ips",
                0,
                10,
                "a\\b\n",
                "s/1",
                0.5,
                100,
                50,
                1_000,
                400,
                -3.5,
                0,
                0,
                0,
                Double.NaN,
                Double.NaN,
                2,
                "AAE=");
        assertThat(WindowReport.fromJson(report.toJson()).toJson()).isEqualTo(report.toJson());
        assertThat(report.biased()).isTrue();
        assertThat(report.kept()).isTrue();
    }

    @Test
    void theTableOfMetricsIsThatOfTheCode() throws IOException {
        DocTable table = DocTable.of("Metric", "What it tells");
        for (ApproxMetrics metric : ApproxMetrics.values()) {
            table.row("`" + metric.id() + "`", metric.text());
        }
        table.assertIn("approx/operations.md", "approx metrics");
    }
}

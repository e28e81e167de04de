package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.leeway.approx.internal.net.ClassProbe;
import io.leeway.testkit.DocTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApproxCommandTest {

    @TempDir
    Path directory;

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
        assertThat(run("gateway", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "Usage: approx COMMAND",
                        "gateway",
                        "status",
                        "Usage: approx gateway",
                        "--gateway.listen VALUE");
        assertThat(run("gatway")).isEqualTo(2);
        assertThat(run("status")).isEqualTo(2);
        assertThat(run("gateway", "--bootstap=b:1")).isEqualTo(2);
        assertThat(run("gateway", "--approx.bootstrap=b:1", "--token=short")).isEqualTo(1);
        assertThat(run("shim", "--config=" + directory.resolve("missing"))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(
                        "There is no command gatway, did you mean gateway?",
                        "--at=... is missing",
                        "there is no option --bootstap, did you mean --bootstrap?",
                        "APPROX-001",
                        "approx.token is not at least 16 characters long",
                        "There is no file ");
    }

    @Test
    void mistakesAreToldWithWhatToDo() throws IOException {
        String keys = "--directory=" + directory;
        assertThat(run("keys", keys, "--names=localhost", "--password=changeit"))
                .isEqualTo(2);
        assertThat(run("keys", keys, "--names=dns:localhost", "--password=short"))
                .isEqualTo(2);
        assertThat(run("keys", keys, "--names=dns:localhost", "--password=changeit"))
                .isZero();
        assertThat(run("keys", keys, "--names=dns:localhost", "--password=changeit"))
                .isEqualTo(2);
        String[] gateway = {
            "gateway",
            "--bootstrap=127.0.0.1:1",
            "--gateway.listen=127.0.0.1:0",
            "--token=some sixteen characters",
            "",
            ""
        };
        assertThat(run(with(gateway, "keys.p12", "another"))).isEqualTo(1);
        assertThat(run(with(gateway, "missing.p12", "changeit"))).isEqualTo(1);
        assertThat(run(with(gateway, "certificate.pem", "changeit"))).isEqualTo(1);
        gateway[1] = "--bootstrap=nohost.invalid:1";
        assertThat(run(with(gateway, "keys.p12", "changeit"))).isEqualTo(1);
        assertThat(run("status", "--at=127.0.0.1:1")).isEqualTo(1);
        Path config = Files.writeString(directory.resolve("config"), "gateway=127.0.0.1:9096");
        assertThat(run("shim", "--config=" + config)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(
                        "--names is dns:HOST or ip:ADDRESS",
                        "--password is at least 6 characters long",
                        "keys.p12 already",
                        "approx.keystore.password is not the password of approx.keystore=",
                        "There is no file approx.keystore=",
                        "is no PKCS12 store that can be used",
                        "The producer to approx.bootstrap=nohost.invalid:1 cannot be made",
                        "nobody answers at 127.0.0.1:1",
                        "there is gateway, which does not begin with approx.");
    }

    private String[] with(String[] gateway, String store, String password) {
        String[] whole = gateway.clone();
        whole[4] = "--keystore=" + directory.resolve(store);
        whole[5] = "--keystore.password=" + password;
        return whole;
    }

    @Test
    void aShimThatSamplesNothingSaysWhy() {
        assertThat(path(Map.of("approx.gateway", "127.0.0.1:1")))
                .isEqualTo("exact: no topic is approximate: approx.topics is empty");
        assertThat(path(Map.of("approx.topics", "a(msr=0.5)", "approx.gateway", "127.0.0.1:1", "approx.mode", "off")))
                .isEqualTo("exact: approx.mode is off");
    }

    private static String path(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("approx.upstream", "127.0.0.1:1");
        try (ApproxShim shim = new ApproxShim(ApproxOptions.of(options))) {
            return shim.path();
        }
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
    void namesTheQueuesOfASwitch() throws IOException {
        assertThat(run("queues", "--format=sonic", "--interface=Ethernet0,Ethernet4"))
                .isZero();
        String tables = out.toString(StandardCharsets.UTF_8);
        // Little slack, code point 58, is in the queue below that of exact traffic, with seven packets of memory; much
        // slack, 10, in the
        // lowest, with one. Everything else is exact, network control, 48, among it.
        assertThat(tables)
                .contains("\"58\": \"6\"", "\"10\": \"0\"", "\"0\": \"7\"", "\"48\": \"7\"", "\"63\": \"7\"")
                .contains(
                        "\"Ethernet4|6\": {\"profile\": \"approx_7\"}", "\"Ethernet0|0\": {\"profile\": \"approx_1\"}")
                .contains("\"approx_7\": {\"pool\": \"approx_pool\", \"size\": \"0\", \"static_th\": \"10500\"}")
                .contains("\"size\": \"84000\"", "\"green_min_threshold\": \"97500\"")
                .contains("\"Ethernet0|7\": {\"scheduler\": \"approx_strict\", \"wred_profile\": \"APPROX_EXACT\"}");
        assertThat(new ObjectMapper().readTree(tables).size()).isEqualTo(9);
        assertThat(run("queues", "--format=junos", "--interface=ge0")).isEqualTo(2);
        assertThat(run("queues", "--format=sonic", "--interface=Ethernet0\"")).isEqualTo(2);
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
                "AAE=",
                7,
                "RecordTooLargeException");
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

package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.trace.Span;
import io.leeway.autotune.services.JdkService;
import io.leeway.autotune.services.JettyService;
import io.leeway.autotune.services.NettyService;
import io.leeway.autotune.services.TomcatService;
import io.leeway.autotune.services.UndertowService;
import io.leeway.testkit.Depth;
import io.leeway.testkit.DocTable;
import io.leeway.testkit.PackagedJar;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packaged agent in services that nobody wrote for it, each in a JVM of its own. */
class AgentIT {

    private static final List<String> NO_JVM_OPTIONS = List.of();

    @Test
    void packsNothingUnderAnotherName() {
        PackagedJar.ofThisBuild()
                .hasClassesOnlyIn("io.leeway.autotune")
                .hasNoModuleInfoOrVersions()
                .hasServices(Map.of())
                .isSmallerThan(7_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "Tomcat,tomcat.threads",
        "Jetty,jetty.threads",
        "Undertow,undertow.worker.threads",
        "Netty,jboss.threads",
        "Jdk,executor.http-worker.threads"
    })
    void findsPoolsTurnsThemAndMeasures(String host, String threads) throws IOException {
        findsPoolsTurnsThemAndMeasures(host, threads, Path.of(System.getProperty("java.home")), Map.of());
    }

    @ParameterizedTest
    @Tag(Depth.DEEP)
    @CsvSource({
        "Tomcat,tomcat.threads",
        "Jetty,jetty.threads",
        "Undertow,undertow.worker.threads",
        "Netty,jboss.threads"
    })
    void doesSoWithTheLinesBeforeToo(String host, String threads) throws IOException {
        findsPoolsTurnsThemAndMeasures(host, threads, Path.of(System.getProperty("java.home")), OlderLines.jars());
    }

    @ParameterizedTest
    @Tag(Depth.DEEP)
    @CsvSource({
        "Tomcat,tomcat.threads",
        "Jetty,jetty.threads",
        "Undertow,undertow.worker.threads",
        "Netty,jboss.threads",
        "Jdk,executor.http-worker.threads"
    })
    void doesSoOnTheNewestJdkToo(String host, String threads) throws IOException {
        String newest = System.getenv("LEEWAY_JDK_NEWEST");
        assumeThat(newest).as("LEEWAY_JDK_NEWEST, the directory of a JDK").isNotNull();
        findsPoolsTurnsThemAndMeasures(host, threads, Path.of(newest), Map.of());
    }

    private static void findsPoolsTurnsThemAndMeasures(
            String host, String threads, Path java, Map<String, Path> otherJars) throws IOException {
        String pool = "Netty".equals(host) ? "agroal.size" : "hikari.size";
        try (var process = AgentProcess.start(
                java,
                AgentProcess.classPath(otherJars),
                "",
                NO_JVM_OPTIONS,
                main(host),
                "threads=12",
                "connections=3",
                "held=3")) {
            assertThat(process.ask("/", 20)).containsOnly(200);
            RemoteService service = process.service("test");
            assertThat(service.knobs())
                    .extracting(KnobSpec::name)
                    .as(process.output())
                    .contains(pool, threads);

            service.apply(new Setting(Map.of(pool, KnobValue.of(6), threads, KnobValue.of(24))));
            assertThat(service.read().values())
                    .containsEntry(pool, KnobValue.of(6))
                    .containsEntry(threads, KnobValue.of(24));
            assertThat(process.ask("/", 20)).containsOnly(200);
            service.apply(new Setting(Map.of(pool, KnobValue.of(2), threads, KnobValue.of(9))));
            assertThat(process.ask("/", 20)).containsOnly(200);
            service.restore();
            assertThat(service.read().values())
                    .containsEntry(pool, KnobValue.of(3))
                    .containsEntry(threads, KnobValue.of(12));

            Window window = service.measure(0.1, seen -> true);
            assertThat(window.requests()).isZero();
            int number = service.open();
            process.ask("/", 30);
            process.ask("/fail", 5);
            // An answer may arrive before the server's thread has left the method that is measured.
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(service.look(number).requests()).isEqualTo(35));
            assertThat(service.look(number).errors()).isEqualTo(5);
            assertThat(service.look(number).p50()).isGreaterThanOrEqualTo(3);
        }
    }

    private static AgentProcess start(String host) throws IOException {
        return AgentProcess.start("", NO_JVM_OPTIONS, main(host), "threads=12", "connections=3", "held=3");
    }

    private static String main(String host) {
        return switch (host) {
            case "Tomcat" -> TomcatService.class.getName();
            case "Jetty" -> JettyService.class.getName();
            case "Undertow" -> UndertowService.class.getName();
            case "Netty" -> NettyService.class.getName();
            default -> JdkService.class.getName();
        };
    }

    @Test
    void takesNoWrongTokenAndNoSecondControllerAndGoesBackToTheFirstValues() throws IOException {
        try (var process = start("Jdk")) {
            process.ask("/", 1);
            AgentAddress address = process.address();
            var thief = new RemoteService(
                    new AgentAddress(address.pid(), address.name(), address.port(), "0".repeat(32)), "thief");
            assertThatThrownBy(thief::status).hasMessageContaining("AUTOTUNE-2001");

            process.service("first").apply(new Setting(Map.of("hikari.size", KnobValue.of(4))));
            assertThatThrownBy(() -> process.service("second").keep()).hasMessageContaining("AUTOTUNE-2002");
            process.service("first").release();
            process.service("second").keep();

            RemoteService second = process.service("second");
            second.tune("{\"window\":\"1h\"}");
            assertThatThrownBy(second::keep).hasMessageContaining("AUTOTUNE-2002");
            second.reset();
            assertThat(second.read().values()).containsEntry("hikari.size", KnobValue.of(3));
        }
    }

    @Test
    void refusesWhatIsOutOfBoundsAndChangesNothing() throws IOException {
        try (var process = start("Jdk")) {
            process.ask("/", 1);
            RemoteService service = process.service("test");
            Setting before = service.read();

            assertThatThrownBy(() -> service.apply(new Setting(Map.of(
                            "hikari.size", KnobValue.of(4), "executor.http-worker.threads", KnobValue.of(99_999)))))
                    .hasMessageContaining("AUTOTUNE-1003");
            assertThatThrownBy(() -> service.apply(new Setting(Map.of("nothing", KnobValue.of(4)))))
                    .hasMessageContaining("AUTOTUNE-1005");
            assertThat(service.read()).isEqualTo(before);
        }
    }

    @Test
    void goesBackWhenWhoChangedItIsGone() throws IOException {
        try (var process = AgentProcess.start(
                ",dead-man=1s", NO_JVM_OPTIONS, JdkService.class.getName(), "threads=12", "connections=3", "held=1")) {
            process.ask("/", 1);
            RemoteService killed = process.service("killed");
            killed.apply(new Setting(Map.of("hikari.size", KnobValue.of(40))));

            RemoteService looking = process.service("looking");
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(looking.read().values()).containsEntry("hikari.size", KnobValue.of(3)));
            assertThat(process.output()).contains("nothing heard of killed");
        }
    }

    @Test
    void leavesNothingBehindAlsoWhenItIsKilled(@TempDir Path directory) throws IOException {
        Path agents = directory.resolve("agents");
        try (var process =
                AgentProcess.start(agents, ",name=first", NO_JVM_OPTIONS, JdkService.class.getName(), "held=1")) {
            process.ask("/", 1);
            process.address();
            assertThat(process.temporary()).isEmptyDirectory();
            process.kill();
            assertThat(process.temporary()).isEmptyDirectory();
            assertThat(agents).isDirectoryContaining(file -> file.endsWith(process.pid() + ".json"));
        }
        // Its address could not be removed by itself any more: the next one does.
        try (var process =
                AgentProcess.start(agents, ",name=second", NO_JVM_OPTIONS, JdkService.class.getName(), "held=1")) {
            Path own = agents.resolve(process.address().pid() + ".json");
            try (var files = Files.list(agents)) {
                assertThat(files).containsExactly(own);
            }
        }
    }

    @Test
    void knobThatThrowsLeavesTheOthersAlone() throws IOException {
        try (var process = AgentProcess.start(
                ",mbeans=test:type=Bad#Size#1..100;test:type=Good#Size#1..100",
                NO_JVM_OPTIONS,
                HostWithBeans.class.getName())) {
            process.ask("/", 1);
            RemoteService service = process.service("test");
            Setting before = service.read();
            assertThat(before.values()).containsKeys("mbean.Size", "mbean.Size#2");
            assertThatThrownBy(() -> service.apply(
                            new Setting(Map.of("mbean.Size", KnobValue.of(7), "mbean.Size#2", KnobValue.of(7)))))
                    .hasMessageContaining("AUTOTUNE-3001")
                    .hasMessageContaining("as asked");
            assertThat(service.read()).isEqualTo(before);
        }
    }

    @Test
    void leavesTheHostItsLogManager() throws IOException {
        try (var process = AgentProcess.start("", NO_JVM_OPTIONS, HostWithLogManager.class.getName())) {
            process.ask("/", 1);
            process.service("test").knobs();

            assertThat(process.output()).contains("log manager " + HostWithLogManager.OwnManager.class.getName());
        }
    }

    @Test
    void badOptionsSwitchTheAgentOffAndTheServiceRuns() throws IOException {
        try (var process =
                AgentProcess.start(",rounds=many,nonsense=1", NO_JVM_OPTIONS, JdkService.class.getName(), "held=1")) {
            assertThat(process.ask("/", 1)).containsOnly(200);
            assertThat(process.output())
                    .contains("switched itself off", "AUTOTUNE-1001", "autotune.rounds", "nonsense");
        }
    }

    @Test
    void measuresMethodsThatTheUserNames() throws IOException {
        try (var process = AgentProcess.start(
                ",entries=io.leeway.autotune.services.Work#answer",
                NO_JVM_OPTIONS,
                UndertowService.class.getName(),
                "held=1")) {
            RemoteService service = process.service("test");
            int number = service.open();
            process.ask("/", 10);
            // Each once by Undertow and once by the method.
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(service.look(number).requests()).isEqualTo(20));
        }
    }

    @Test
    void worksBesideAnotherAgent() throws IOException {
        String jacoco = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-javaagent:"))
                .map(argument -> argument.replaceAll("destfile=[^,]*", "output=none"))
                .findFirst()
                .orElse("-Dno.other.agent=true");
        try (var process = AgentProcess.start(
                "", List.of(jacoco), TomcatService.class.getName(), "threads=12", "connections=3", "held=1")) {
            assertThat(process.ask("/", 3)).containsOnly(200);
            assertThat(process.service("test").knobs())
                    .extracting(KnobSpec::name)
                    .contains("hikari.size", "tomcat.threads");
        }
    }

    @Test
    void limitsOfCachesClientsAndTheirLikesAreTurned() throws IOException {
        try (var back = start("Tomcat")) {
            back.ask("/", 1);
            try (var process = AgentProcess.start(
                    "", NO_JVM_OPTIONS, NettyService.class.getName(), "held=1", "calls=" + back.uri())) {
                assertThat(process.ask("/", 5)).containsOnly(200);
                RemoteService service = process.service("test");
                assertThat(service.read().values())
                        .containsEntry("caffeine.entries", KnobValue.of(100))
                        .containsEntry("httpclient.connections-per-route", KnobValue.of(5))
                        .containsEntry("httpclient.connections", KnobValue.of(25));

                var changes = new Setting(Map.of(
                        "caffeine.entries", KnobValue.of(20),
                        "httpclient.connections-per-route", KnobValue.of(30),
                        "httpclient.connections", KnobValue.of(40)));
                service.apply(changes);
                assertThat(process.ask("/", 20)).containsOnly(200);
                assertThat(service.read().values()).containsAllEntriesOf(changes.values());
            }
        }
    }

    @Test
    void whatWasKeptIsThereAgainAfterARestartUnlessTheConfigurationChanged(@TempDir Path directory) throws IOException {
        String options = ",state=" + directory.resolve("kept.json");
        try (var process = AgentProcess.start(
                options, NO_JVM_OPTIONS, JdkService.class.getName(), "connections=3", "threads=12", "held=1")) {
            process.ask("/", 1);
            RemoteService service = process.service("test");
            service.apply(new Setting(
                    Map.of("hikari.size", KnobValue.of(7), "executor.http-worker.threads", KnobValue.of(20))));
            service.keep();
        }
        try (var process = AgentProcess.start(
                options, NO_JVM_OPTIONS, JdkService.class.getName(), "connections=3", "threads=5", "held=1")) {
            process.ask("/", 1);
            RemoteService service = process.service("test");
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(service.read().values()).containsEntry("hikari.size", KnobValue.of(7)));
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(() -> assertThat(process.output())
                            .contains("as it was kept before the restart", "comes up with 5, not with 12"));
            assertThat(service.read().values()).containsEntry("executor.http-worker.threads", KnobValue.of(5));
        }
        Files.writeString(directory.resolve("kept.json"), "{half");
        try (var process = AgentProcess.start(
                options, NO_JVM_OPTIONS, JdkService.class.getName(), "connections=3", "threads=5", "held=1")) {
            assertThat(process.ask("/", 1)).containsOnly(200);
            process.service("test").keep();
            assertThat(process.output()).contains("AUTOTUNE-4003");
            assertThat(Files.readString(directory.resolve("kept.json"))).isEqualTo("{half");
        }
    }

    @Test
    void saysWhatTheJvmItsGroupsAndTheFlightRecorderSee() throws IOException {
        try (var process =
                AgentProcess.start(",flight-recorder=true", NO_JVM_OPTIONS, JdkService.class.getName(), "held=1")) {
            process.ask("/", 5);
            RemoteService service = process.service("test");
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(() -> assertThat(service.status())
                            .contains("\"jvm.heap.used\"", "\"jvm.cpu-ms\"", "\"jfr.park-ms\"", "\"recent\""));
        }
    }

    @ParameterizedTest
    @CsvSource({"Tomcat", "Jetty", "Undertow", "Netty", "Jdk"})
    void requestsThatBringATraceAreToldWithIt(String host) throws IOException {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        try (var process = start(host)) {
            process.ask("/", 2);
            process.ask("/", 1, "traceparent", "00-" + trace + "-b7ad6b7169203331-01");
            process.ask("/fail", 1, "b3", trace + "-b7ad6b7169203332-1");
            RemoteService service = process.service("test");
            var spans = new ArrayList<Span>();
            await().atMost(AgentProcess.PATIENCE).untilAsserted(() -> {
                spans.addAll(service.spans());
                assertThat(spans).hasSize(2);
            });
            assertThat(spans).extracting(Span::trace).containsOnly(trace);
            assertThat(spans).extracting(Span::failed).containsExactly(false, true);
            assertThat(spans).extracting(Span::parent).containsExactly("b7ad6b7169203331", "b7ad6b7169203332");
        }
    }

    @Test
    void addsGaugesToTheHostsOwnRegistry() throws IOException {
        try (var process = AgentProcess.start("", NO_JVM_OPTIONS, HostWithMetrics.class.getName())) {
            await().atMost(AgentProcess.PATIENCE).untilAsserted(() -> {
                String seen = process.text("/");
                assertThat(AutoTuneMetrics.all())
                        .allSatisfy(metric -> assertThat(seen).contains(metric.name()));
            });
        }
    }

    @Test
    void metricsAreDocumented() throws IOException {
        var table = DocTable.of("Metric", "What it says", "Tags");
        AutoTuneMetrics.all()
                .forEach(metric -> table.row(
                        "`" + metric.name() + "`", metric.text(), metric.tags().replace("|", ", ")));
        table.assertIn("autotune/operations.md", "autotune metrics");
    }
}

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
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    @CsvSource({"Tomcat,tomcat.threads", "Jetty,jetty.threads", "Netty,jboss.threads"})
    void findsPoolsTurnsThemMeasuresAndTellsTraces(String host, String threads) throws IOException {
        findsPoolsTurnsThemMeasuresAndTellsTraces(host, threads, Path.of(System.getProperty("java.home")), Map.of());
    }

    @ParameterizedTest
    @Tag(Depth.DEEP)
    @CsvSource({"Undertow,undertow.worker.threads", "Jdk,executor.http-worker.threads"})
    void doesSoOnOtherServersToo(String host, String threads) throws IOException {
        findsPoolsTurnsThemMeasuresAndTellsTraces(host, threads, Path.of(System.getProperty("java.home")), Map.of());
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
        findsPoolsTurnsThemMeasuresAndTellsTraces(
                host, threads, Path.of(System.getProperty("java.home")), OlderLines.jars());
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
        findsPoolsTurnsThemMeasuresAndTellsTraces(host, threads, Path.of(newest), Map.of());
    }

    @Test
    void attachedLateItFindsWhatIsInUse() throws IOException {
        attachedLateItFindsWhatIsInUse("Undertow", "undertow.worker.threads");
    }

    @ParameterizedTest
    @Tag(Depth.DEEP)
    @CsvSource({
        "Tomcat,tomcat.threads",
        "Jetty,jetty.threads",
        "Netty,jboss.threads",
        "Jdk,executor.http-worker.threads"
    })
    void attachedLateItFindsWhatIsInUse(String host, String threads) throws IOException {
        String pool = "Netty".equals(host) ? "agroal.size" : "hikari.size";
        try (var process = AgentProcess.startWithout(main(host), "threads=12", "connections=3", "held=3")) {
            assertThat(process.ask("/", 60)).containsOnly(200);
            process.attach();
            RemoteService service = process.service("test");
            // What it does not know it finds when it is used next.
            assertThat(process.ask("/", 5)).containsOnly(200);
            assertThat(service.knobs())
                    .extracting(KnobSpec::name)
                    .as(process.output())
                    .contains(pool, threads);
            service.apply(new Setting(Map.of(pool, KnobValue.of(2), threads, KnobValue.of(5))));
            assertThat(process.threads(threadNames(host))).isBetween(1L, 5L);
            int number = service.open();
            assertThat(process.ask("/", 20)).containsOnly(200);
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(service.look(number).requests()).isEqualTo(20));
            assertThat(service.look(number).p50()).isGreaterThanOrEqualTo(3);

            // Loading it again changes nothing.
            process.attach();
            assertThat(process.ask("/", 20)).containsOnly(200);
            assertThat(service.read().values()).containsEntry(threads, KnobValue.of(5));
        }
    }

    private static void findsPoolsTurnsThemMeasuresAndTellsTraces(
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
            assertThat(process.ask("/", 60)).containsOnly(200);
            service.apply(new Setting(Map.of(pool, KnobValue.of(2), threads, KnobValue.of(9))));
            // Not what the setter was told: what is there.
            assertThat(process.threads(threadNames(host))).isBetween(1L, 9L);
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
            countsNoMoreTimeThanTheClientSaw(process, service, "/");
            tellsRequestsThatBringATraceWithIt(process, service);
        }
    }

    /** What a thread did before it got a request is none of the request's time. */
    static void countsNoMoreTimeThanTheClientSaw(AgentProcess process, RemoteService service, String path) {
        int requests = 20;
        int number = service.open();
        double millis = process.askInTurn(path, requests);
        await().atMost(AgentProcess.PATIENCE)
                .untilAsserted(() -> assertThat(service.look(number).requests()).isEqualTo(requests));
        // The histogram rounds to three digits.
        assertThat(service.look(number).mean() * requests).isLessThan(1.01 * millis);
    }

    private static void tellsRequestsThatBringATraceWithIt(AgentProcess process, RemoteService service) {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        process.ask("/", 1, "traceparent", "00-" + trace + "-b7ad6b7169203331-01");
        process.ask("/fail", 1, "b3", trace + "-b7ad6b7169203332-1");
        var spans = new ArrayList<Span>();
        await().atMost(AgentProcess.PATIENCE).untilAsserted(() -> {
            spans.addAll(service.spans());
            assertThat(spans).hasSize(2);
        });
        assertThat(spans).extracting(Span::trace).containsOnly(trace);
        assertThat(spans).extracting(Span::failed).containsExactly(false, true);
        assertThat(spans).extracting(Span::parent).containsExactly("b7ad6b7169203331", "b7ad6b7169203332");
    }

    private static AgentProcess start(String host) throws IOException {
        return AgentProcess.start("", NO_JVM_OPTIONS, main(host), "threads=12", "connections=3", "held=3");
    }

    private static String threadNames(String host) {
        return switch (host) {
            case "Tomcat" -> "-exec-";
            case "Jetty" -> "qtp";
            case "Undertow" -> "XNIO-1 task-";
            case "Netty" -> "pool-\\d+-thread-";
            default -> "http-worker-";
        };
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
        try (var process = AgentProcess.start(
                ",flight-recorder=true",
                NO_JVM_OPTIONS,
                JdkService.class.getName(),
                "threads=12",
                "connections=3",
                "held=1")) {
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
            second.release();

            refusesWhatIsOutOfBoundsAndChangesNothing(process.service("test"));
            saysWhatTheJvmItsGroupsAndTheFlightRecorderSee(process.service("test"));
        }
    }

    private static void refusesWhatIsOutOfBoundsAndChangesNothing(RemoteService service) {
        Setting before = service.read();
        assertThatThrownBy(() -> service.apply(new Setting(
                        Map.of("hikari.size", KnobValue.of(4), "executor.http-worker.threads", KnobValue.of(99_999)))))
                .hasMessageContaining("AUTOTUNE-1003");
        assertThatThrownBy(() -> service.apply(new Setting(Map.of("nothing", KnobValue.of(4)))))
                .hasMessageContaining("AUTOTUNE-1005");
        assertThat(service.read()).isEqualTo(before);
    }

    private static void saysWhatTheJvmItsGroupsAndTheFlightRecorderSee(RemoteService service) {
        await().atMost(AgentProcess.PATIENCE)
                .untilAsserted(() -> assertThat(service.status())
                        .contains("\"jvm.heap.used\"", "\"jvm.cpu-ms\"", "\"jfr.park-ms\"", "\"recent\""));
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

    /** As one that tunes something in process has them, with libraries under their own names. */
    @Test
    void serviceThatHasClassesOfTheSameNamesIsNotInTheWay() throws IOException {
        try (var process = AgentProcess.start(
                Path.of(System.getProperty("java.home")),
                AgentProcess.wholeClassPath(),
                "",
                NO_JVM_OPTIONS,
                JdkService.class.getName(),
                "connections=3",
                "held=1")) {
            assertThat(process.ask("/", 1)).containsOnly(200);
            RemoteService service = process.service("test");
            service.apply(new Setting(Map.of("hikari.size", KnobValue.of(4))));
            assertThat(service.read().values()).containsEntry("hikari.size", KnobValue.of(4));
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
    void whatItTellsOfTracesIsWrittenToAFile(@TempDir Path directory) throws Exception {
        try (var process = start("Jdk")) {
            process.ask("/", 1);
            RemoteService service = process.service("test");
            Path file = directory.resolve("now.jsonl");
            var written = CompletableFuture.supplyAsync(
                    () -> SpansCommand.write(List.of(service), file, 10, 60), task -> new Thread(task).start());
            for (int i = 0; !written.isDone(); i++) {
                process.ask("/", 1, "traceparent", "00-%032x-b7ad6b7169203331-01".formatted(i + 1));
            }

            assertThat(written.get()).isGreaterThanOrEqualTo(10);
            assertThat(Files.readAllLines(file)).hasSize(written.get()).allMatch(line -> line.contains("duration"));
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

    @ParameterizedTest
    @CsvSource({"''", AgentProcess.AFTER})
    void worksBesideAnotherAgentBeforeAndAfterIt(String place) throws IOException {
        worksBeside(place + "-javaagent:" + jarOnClassPath("org.jacoco.agent") + "=output=none", List.of());
    }

    /** It changes the same classes of pools and servers. */
    @ParameterizedTest
    @Tag(Depth.DEEP)
    @CsvSource({"''", AgentProcess.AFTER})
    void worksBesideTheOpenTelemetryAgent(String place) throws IOException {
        Path jar;
        try (var files = Files.list(Path.of(AgentProcess.jar()).resolveSibling("third-party"))) {
            jar = files.filter(file -> file.getFileName().toString().startsWith("opentelemetry-javaagent"))
                    .findFirst()
                    .orElseThrow();
        }
        worksBeside(
                place + "-javaagent:" + jar,
                List.of("-Dotel.traces.exporter=none", "-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none"));
    }

    private static String jarOnClassPath(String name) {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
                .filter(entry -> entry.contains(name))
                .findFirst()
                .orElseThrow();
    }

    private static void worksBeside(String agent, List<String> itsOptions) throws IOException {
        var options = new ArrayList<>(itsOptions);
        options.add(agent);
        try (var process = AgentProcess.start(
                "", options, TomcatService.class.getName(), "threads=12", "connections=3", "held=1")) {
            assertThat(process.ask("/", 3)).containsOnly(200);
            RemoteService service = process.service("test");
            assertThat(service.knobs())
                    .extracting(KnobSpec::name)
                    .as(process.output())
                    .contains("hikari.size", "tomcat.threads");
            service.apply(new Setting(Map.of("hikari.size", KnobValue.of(5), "tomcat.threads", KnobValue.of(20))));
            int number = service.open();
            assertThat(process.ask("/", 20)).containsOnly(200);
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(service.look(number).requests()).isEqualTo(20));
        }
    }

    @Test
    @Tag(Depth.DEEP)
    void rangeThatKillsTheServiceIsLeftAgainByTheGuard() throws IOException {
        try (var process = AgentProcess.start(
                ",mbeans=test:type=Deadly#Size#1..100,window=2s,settle=100ms,rounds=1,only=mbean.",
                NO_JVM_OPTIONS,
                HostWithBeans.class.getName())) {
            process.ask("/", 5);
            RemoteService service = process.service("test");
            service.tune("{}");
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofMillis(10))
                    .untilAsserted(() -> {
                        // The load that it measures; requests fail while it tries what kills.
                        process.ask("/", 5);
                        assertThat(service.status())
                                .contains("\"state\":\"done: ")
                                .contains("\"GUARDED\"");
                    });
            assertThat(service.read().get("mbean.Size").number()).isLessThanOrEqualTo(12);
            assertThat(process.ask("/", 20)).containsOnly(200);
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

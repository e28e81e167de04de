package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.testkit.Depth;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The packaged agent in programs as their makers publish them, two versions of each, on the build's JDK and on the
 * newest. The deep tier's build puts them beside the agent's jar.
 */
@Tag(Depth.DEEP)
class ThirdPartyIT {

    @TempDir
    private Path directory;

    private static Path programs() {
        return Path.of(AgentProcess.jar()).resolveSibling("third-party");
    }

    private static Path java(String jdk) {
        if (jdk.equals("build")) {
            return Path.of(System.getProperty("java.home"));
        }
        String newest = System.getenv("LEEWAY_JDK_NEWEST");
        assumeThat(newest).as("LEEWAY_JDK_NEWEST, the directory of a JDK").isNotNull();
        return Path.of(newest);
    }

    @ParameterizedTest
    @CsvSource({"3.13.2,build", "3.13.2,newest", "3.9.2,build", "3.9.2,newest"})
    void wireMock(String version, String jdk) throws IOException {
        Path mappings = Files.createDirectory(directory.resolve("mappings"));
        Files.writeString(
                mappings.resolve("work.json"),
                "{\"request\":{\"urlPath\":\"/work\"},\"response\":{\"status\":200,\"body\":\"done\","
                        + "\"fixedDelayMilliseconds\":20}}");
        try (var process = AgentProcess.start(
                java(jdk),
                programs().resolve("wiremock-standalone-" + version + ".jar").toString(),
                "",
                List.of(),
                "wiremock.Run",
                "--port",
                "0",
                "--bind-address",
                "127.0.0.1",
                "--root-dir",
                directory.toString())) {
            turnsThreadsAndMeasures(process, "/work", "jetty.threads", "qtp", 20);
        }
    }

    @ParameterizedTest
    @CsvSource({"11.0.24,build", "11.0.24,newest", "10.1.60,build", "10.1.60,newest"})
    void tomcat(String version, String jdk) throws IOException {
        Path home = programs().resolve("apache-tomcat-" + version);
        for (String folder : List.of("conf", "logs", "temp", "work")) {
            Files.createDirectory(directory.resolve(folder));
        }
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : files.toList()) {
                Files.copy(file, directory.resolve("conf").resolve(file.getFileName()));
            }
        }
        Path server = directory.resolve("conf/server.xml");
        Files.writeString(
                server,
                Files.readString(server)
                        .replace("port=\"8005\"", "port=\"-1\"")
                        .replace("port=\"8080\"", "port=\"0\" address=\"127.0.0.1\"")
                        .replace("appBase=\"webapps\"", "appBase=\"" + home.resolve("webapps") + "\""));
        try (var process = AgentProcess.start(
                java(jdk),
                home.resolve("bin/bootstrap.jar") + File.pathSeparator + home.resolve("bin/tomcat-juli.jar"),
                "",
                List.of("-Dcatalina.home=" + home, "-Dcatalina.base=" + directory),
                "org.apache.catalina.startup.Bootstrap",
                "start")) {
            turnsThreadsAndMeasures(
                    process, "/examples/servlets/servlet/HelloWorldExample", "tomcat.threads", "-exec-", 0);
        }
    }

    private static void turnsThreadsAndMeasures(
            AgentProcess process, String path, String threads, String names, double millis) throws IOException {
        assertThat(process.ask(path, 5)).containsOnly(200);
        RemoteService service = process.service("test");
        assertThat(service.knobs())
                .extracting(KnobSpec::name)
                .as(process.output())
                .contains(threads);
        KnobValue before = service.read().get(threads);

        service.apply(new Setting(Map.of(threads, KnobValue.of(37))));
        assertThat(service.read().values()).containsEntry(threads, KnobValue.of(37));
        int number = service.open();
        assertThat(process.ask(path, 50)).containsOnly(200);
        await().atMost(AgentProcess.PATIENCE)
                .untilAsserted(() -> assertThat(service.look(number).requests()).isEqualTo(50));
        assertThat(service.look(number).p50()).isGreaterThanOrEqualTo(millis);
        assertThat(service.look(number).errors()).isZero();
        AgentIT.countsNoMoreTimeThanTheClientSaw(process, service, path);
        service.apply(new Setting(Map.of(threads, KnobValue.of(8))));
        // Of those that are one too many none takes a job any more; they leave one after the other.
        await().atMost(AgentProcess.PATIENCE)
                .untilAsserted(() -> assertThat(process.threads(names)).isBetween(1L, 8L));
        assertThat(process.ask(path, 20)).containsOnly(200);

        service.restore();
        assertThat(service.read().values()).containsEntry(threads, before);
        assertThat(process.ask(path, 5)).containsOnly(200);
    }
}

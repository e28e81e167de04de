package io.leeway.lazytables.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void everyOptionHasADefaultThatIsAllowed() {
        LazyTablesConfig config = LazyTablesConfig.of(Map.of());

        assertThat(config.get(LazyTablesOptions.SERVERS)).isEmpty();
        assertThat(config.get(LazyTablesOptions.LISTEN)).isEqualTo(new HostAndPort("127.0.0.1", 7171));
        assertThat(config.get(LazyTablesOptions.PROCESSES)).isEqualTo(1);
        assertThat(config.get(LazyTablesOptions.PROCESS)).isZero();
        assertThat(config.get(LazyTablesOptions.OPEN)).isFalse();
        assertThat(config.get(LazyTablesOptions.REGISTRY)).isEmpty();
        assertThat(config.get(LazyTablesOptions.REGISTRY_AUTH)).isEmpty();
        assertThat(config.get(LazyTablesOptions.REGISTRY_SESSION)).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.get(LazyTablesOptions.REGISTRY_TIMEOUT)).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.get(LazyTablesOptions.SERVER_NUMBER)).isZero();
        assertThat(config.get(LazyTablesOptions.SERVER_COUNT)).isEqualTo(1);
        assertThat(config.get(LazyTablesOptions.ADVERTISE)).isEmpty();
        assertThat(config.get(LazyTablesOptions.CONNECTIONS)).isEqualTo(1_024);
        assertThat(config.get(LazyTablesOptions.HANDSHAKES)).isEqualTo(64);
        assertThat(config.get(LazyTablesOptions.EXPIRE)).isEqualTo(Duration.ZERO);
        assertThat(config.get(LazyTablesOptions.SNAPSHOT_DIRECTORY)).isEmpty();
        assertThat(config.get(LazyTablesOptions.SNAPSHOT_CLOCKS)).isZero();
        assertThat(config.get(LazyTablesOptions.SNAPSHOT_INTERVAL)).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.get(LazyTablesOptions.RESUME)).isFalse();
        assertThat(config.get(LazyTablesOptions.KEPT_LIMIT)).isEqualTo(1L << 30);
        assertThat(config.token()).isEmpty();
        assertThat(config.get(LazyTablesOptions.TLS)).isFalse();
        assertThat(config.get(LazyTablesOptions.CONNECT_TIMEOUT)).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.get(LazyTablesOptions.HANDSHAKE_TIMEOUT)).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.get(LazyTablesOptions.RETRY_FIRST)).isEqualTo(Duration.ofMillis(50));
        assertThat(config.get(LazyTablesOptions.RETRY_MOST)).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.get(LazyTablesOptions.HEARTBEAT)).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.get(LazyTablesOptions.IDLE_TIMEOUT)).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.get(LazyTablesOptions.FRAME_LIMIT)).isEqualTo(64L << 20);
        assertThat(config.get(LazyTablesOptions.SEND_WATERMARK)).isEqualTo(4L << 20);
        assertThat(config.get(LazyTablesOptions.SEND_LIMIT)).isEqualTo(512L << 20);
        assertThat(config.get(LazyTablesOptions.COMPRESSION)).isEqualTo(LazyTablesOptions.Compression.AUTO);
        assertThat(config.get(LazyTablesOptions.COMPRESS_ABOVE)).isEqualTo(4_096);
        assertThat(config.get(LazyTablesOptions.METRICS)).isEqualTo(LazyTablesOptions.Metrics.AUTO);
        config.requireServer();
    }

    @Test
    void keysAreUniqueAndHaveThePrefix() {
        assertThat(LazyTablesOptions.all())
                .extracting(LazyTablesOption::key)
                .doesNotHaveDuplicates()
                .allMatch(key -> key.startsWith(LazyTablesOptions.PREFIX));
        assertThat(LazyTablesOptions.all()).allSatisfy(option -> {
            assertThat(option.text()).endsWith(".");
            assertThat(option.since()).isEqualTo("0.1");
        });
    }

    @Test
    void valuesAreRead() {
        LazyTablesConfig config = LazyTablesConfig.of(Map.of(
                "lazytables.servers", "a:1, [::1]:2,10.0.0.7:65535",
                "lazytables.compression", " LZ4 ",
                "lazytables.frame.limit", "2mb",
                "lazytables.heartbeat", "250ms",
                "lazytables.tls", "TRUE"));

        assertThat(config.get(LazyTablesOptions.SERVERS))
                .containsExactly(
                        new HostAndPort("a", 1), new HostAndPort("::1", 2), new HostAndPort("10.0.0.7", 65_535))
                .extracting(HostAndPort::toString)
                .isEqualTo(List.of("a:1", "[::1]:2", "10.0.0.7:65535"));
        assertThat(config.get(LazyTablesOptions.COMPRESSION)).isEqualTo(LazyTablesOptions.Compression.LZ4);
        assertThat(config.get(LazyTablesOptions.FRAME_LIMIT)).isEqualTo(2L << 20);
        assertThat(config.get(LazyTablesOptions.HEARTBEAT)).isEqualTo(Duration.ofMillis(250));
        assertThat(config.get(LazyTablesOptions.TLS)).isTrue();
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        assertThatThrownBy(() -> LazyTablesConfig.of(Map.of(
                        "lazytables.server", "a:1", "lazytables.heartbeat", "5", "lazytables.frame.limit", "1GB")))
                .isInstanceOf(LazyTablesException.class)
                .hasMessage("LAZY-1006: unknown option lazytables.server, did you mean lazytables.servers?;"
                        + " lazytables.heartbeat=5 is not allowed; give 10ms to 10m; a number with ms, s, m or h;"
                        + " lazytables.frame.limit=1GB is not allowed; give 2MB to 255MB; a number with B, KB, MB"
                        + " or GB");
    }

    @Test
    void noMoreServersAreTakenThanMessagesCanName() {
        String servers = IntStream.range(1, 1_026).mapToObj(port -> "a:" + port).collect(Collectors.joining(","));

        assertThatThrownBy(() -> LazyTablesConfig.of(
                        Map.of("lazytables.server.count", "1025", "lazytables.server.number", "1024")))
                .hasMessageContaining("lazytables.server.count=1025 is not allowed; give 1 to 1024")
                .hasMessageContaining("lazytables.server.number=1024 is not allowed; give 0 to 1023");
        assertThatThrownBy(() -> LazyTablesConfig.of(Map.of("lazytables.servers", servers)))
                .hasMessageContaining("lazytables.servers names 1025 servers; there may be 1024");
        LazyTablesConfig.of(Map.of("lazytables.server.count", "1024", "lazytables.server.number", "1023"));
        LazyTablesConfig.of(Map.of("lazytables.servers", servers.substring(0, servers.lastIndexOf(','))));
    }

    @Test
    void contradictionsAreTold() {
        assertThatThrownBy(() -> LazyTablesConfig.of(Map.of(
                        "lazytables.idle.timeout", "9s",
                        "lazytables.retry.first", "1m",
                        "lazytables.send.limit", "1MB",
                        "lazytables.token", "0123456789abcdef",
                        "lazytables.token.file", "x",
                        "lazytables.tls.trust", "x",
                        "lazytables.process", "1",
                        "lazytables.snapshot.clocks", "10",
                        "lazytables.tables.clocks", "10")))
                .hasMessageContaining("lazytables.idle.timeout must be at least twice")
                .hasMessageContaining("lazytables.retry.most must not be less than")
                .hasMessageContaining("lazytables.send.limit must not be less than lazytables.send.watermark,"
                        + " lazytables.frame.limit and 1MB together")
                .hasMessageContaining("lazytables.token and lazytables.token.file contradict each other")
                .hasMessageContaining("lazytables.tls.trust has no effect without lazytables.tls=true")
                .hasMessageContaining("lazytables.process must be less than lazytables.processes, unless it joins")
                .hasMessageContaining("lazytables.snapshot.clocks has no effect without lazytables.snapshot.directory")
                .hasMessageContaining("lazytables.tables.clocks has no effect without lazytables.snapshot.directory");
        assertThatThrownBy(() -> LazyTablesConfig.of(
                        Map.of("lazytables.snapshot.directory", "x", "lazytables.snapshot.interval", "0s")))
                .hasMessageContaining("together store no snapshot");
        LazyTablesConfig.of(Map.of("lazytables.process", "1", "lazytables.resume", "true"));
    }

    @Test
    void contradictionsAboutTheRegistryAreTold() {
        assertThatThrownBy(() -> LazyTablesConfig.of(Map.of(
                        "lazytables.servers", "a:1",
                        "lazytables.registry", "zookeeper://a:2181/run",
                        "lazytables.server.number", "2",
                        "lazytables.server.count", "2")))
                .hasMessageContaining("lazytables.servers and lazytables.registry contradict each other")
                .hasMessageContaining("lazytables.server.number must be less than lazytables.server.count");
        assertThatThrownBy(() -> LazyTablesConfig.of(Map.of("lazytables.registry.auth", "digest:a:secret")))
                .hasMessageContaining("lazytables.registry.auth has no effect without lazytables.registry")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void whatIsRegisteredIsAnAddressThatClientsCanReach() {
        Map<String, String> everywhere = Map.of(
                "lazytables.server.listen", "0.0.0.0:0",
                "lazytables.token", "0123456789abcdef",
                "lazytables.registry", "zookeeper://a:2181/run");
        var named = new HashMap<>(everywhere);
        named.put("lazytables.server.advertise", "db1:0");
        var whole = new HashMap<>(everywhere);
        whole.put("lazytables.server.advertise", "gateway:9000");
        var listening = new HostAndPort("0.0.0.0", 7_171);

        assertThatThrownBy(() -> LazyTablesConfig.of(everywhere).requireServer())
                .hasMessageContaining("clients cannot connect to the address that would be registered, 0.0.0.0:0;"
                        + " give one with lazytables.server.advertise");
        LazyTablesConfig.of(named).requireServer();
        assertThat(LazyTablesConfig.of(named).advertised(listening)).isEqualTo(new HostAndPort("db1", 7_171));
        assertThat(LazyTablesConfig.of(whole).advertised(listening)).isEqualTo(new HostAndPort("gateway", 9_000));
        assertThat(LazyTablesConfig.of(Map.of()).advertised(listening)).isEqualTo(listening);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a:", "a:b", ":1", "a:65536", "a:-1", "::1:7", "a:1,a:1", "a:1,"})
    void textsThatAreNoAddressesAreRefused(String text) {
        assertThatThrownBy(() -> LazyTablesOptions.SERVERS.read(text))
                .hasMessage("lazytables.servers=" + text + " is not allowed; give host:port, comma-separated");
    }

    @Test
    void secretsAreNotShown() {
        String token = "0123456789abcdef";

        assertThat(LazyTablesConfig.of(Map.of("lazytables.token", token)).toString())
                .doesNotContain(token)
                .contains("lazytables.token=***");
        assertThatThrownBy(() -> LazyTablesConfig.of(Map.of("lazytables.token", "short")))
                .hasMessageContaining("lazytables.token is not allowed; give at least 16 characters")
                .message()
                .doesNotContain("short");
    }

    @Test
    void aTokenMayComeFromAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), " correct horse battery \nmore\n");
        Path small = Files.writeString(directory.resolve("small"), "horse\n");

        assertThat(withTokenFile(file).token()).isEqualTo("correct horse battery");
        assertThatThrownBy(() -> withTokenFile(small).token()).hasMessageContaining("fewer than 16 characters");
        assertThatThrownBy(() -> withTokenFile(directory).token()).hasMessageContaining("cannot be read");
    }

    @Test
    void aServerForOtherMachinesNeedsATokenOrAWord() {
        Map<String, String> everywhere = Map.of("lazytables.server.listen", "0.0.0.0:7171");

        assertThatThrownBy(() -> LazyTablesConfig.of(everywhere).requireServer())
                .hasMessageContaining("0.0.0.0:7171 can be reached from other machines, and there is no token");
        LazyTablesConfig.of(Map.of("lazytables.server.listen", "0.0.0.0:7171", "lazytables.server.open", "true"))
                .requireServer();
        LazyTablesConfig.of(Map.of("lazytables.server.listen", "0.0.0.0:7171", "lazytables.token", "0123456789abcdef"))
                .requireServer();
    }

    private static LazyTablesConfig withTokenFile(Path file) {
        return LazyTablesConfig.of(Map.of("lazytables.token.file", file.toString()));
    }
}

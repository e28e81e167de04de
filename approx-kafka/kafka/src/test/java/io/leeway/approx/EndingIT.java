package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service manager ends the gateway and the shim by a signal, and does not wait for long. */
class EndingIT {

    /** Half of what the process would wait for itself. */
    private static final long PATIENCE_SECONDS = 30;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "shim"})
    void aSignalEndsIt(String command) throws Exception {
        KeyStores.make(directory, "dns:localhost,ip:127.0.0.1");
        Map<String, String> options = new HashMap<>();
        if (command.equals("gateway")) {
            options.putAll(KeyStores.gateway(directory));
            // Nobody is there: an end must not wait for brokers either.
            options.put("approx.bootstrap", "127.0.0.1:1");
            options.put("approx.gateway.listen", "127.0.0.1:0");
        } else {
            options.putAll(KeyStores.shim(directory));
            options.put("approx.upstream", "127.0.0.1:1");
            options.put("approx.gateway", "127.0.0.1:1");
            options.put("approx.topics", "a(msr=0.5)");
        }
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                KafkaServer.classPath(),
                ApproxCommand.class.getName(),
                command));
        options.forEach((key, value) -> line.add("--" + key.substring("approx.".length()) + "=" + value));
        Path log = directory.resolve("log.txt");
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !process.isAlive()
                            || Files.readString(log).contains("gateway at port")
                            || Files.readString(log).contains("bootstrap.servers="));
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
            process.destroy();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aStoreWithoutAKeyIsNoKeyStore() throws Exception {
        KeyStores.make(directory, "dns:localhost,ip:127.0.0.1");
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.keystore", KeyStores.shim(directory).get("approx.trust"));
        options.put("approx.bootstrap", "127.0.0.1:1");
        options.put("approx.gateway.listen", "127.0.0.1:0");
        assertThatThrownBy(() -> new ApproxGateway(ApproxOptions.of(options)).close())
                .isInstanceOf(ApproxException.class)
                .hasMessageContaining("APPROX-003")
                .hasMessageContaining("no private key")
                .hasMessageContaining("approx.trust");
    }
}

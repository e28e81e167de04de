package io.leeway.autotune.internal.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.internal.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriversTest {

    @TempDir
    private Path directory;

    private static OutsideKnob knob(String fields) {
        return Declarations.knobs(Json.array(
                        Json.object("{\"knobs\":[{\"name\":\"k\",\"kind\":\"INTEGER\",\"min\":1,\"max\":1000," + fields
                                + "}]}"),
                        "knobs"))
                .get(0);
    }

    @Test
    void commandReadsAndWrites() throws IOException {
        Path value = Files.writeString(directory.resolve("value"), "7\n");
        OutsideKnob knob = knob("\"driver\":\"command\",\"cost\":\"LIVE\",\"read\":[\"cat\",\"" + value
                + "\"],\"write\":[\"sh\",\"-c\",\"echo $0 > " + value + "\",\"{value}\"]");
        assertThat(knob.read()).isEqualTo(KnobValue.of(7));
        knob.write(KnobValue.of(9));
        assertThat(knob.isInPlace(KnobValue.of(9))).isTrue();
    }

    @Test
    void commandThatFailsSaysWhy() {
        OutsideKnob knob = knob(
                "\"driver\":\"command\",\"cost\":\"LIVE\",\"read\":[\"sh\",\"-c\",\"echo no such thing; exit 3\"],\"write\":[\"true\",\"{value}\"]");
        assertThatThrownBy(knob::read).hasMessageContaining("ended with 3: no such thing");
    }

    @Test
    void declarationsThatAreWrongAreNamed() {
        assertThatThrownBy(() -> knob("\"driver\":\"oracle\"")).hasMessageContaining("no driver oracle: command, file");
        assertThatThrownBy(() -> knob("\"driver\":\"command\",\"read\":[],\"write\":[]"))
                .hasMessageContaining("cost");
        assertThatThrownBy(() -> knob("\"driver\":\"command\",\"cost\":\"LIVE\",\"read\":[\"x\"],\"write\":[\"y\"]"))
                .hasMessageContaining("{value}");
        assertThatThrownBy(() -> knob("\"driver\":\"file\",\"file\":\"/nowhere\",\"pattern\":\"x\""))
                .hasMessageContaining("the knob k");
        assertThatThrownBy(() -> knob("\"driver\":\"postgresql\",\"url\":\"\",\"key\":\"x; drop table\""))
                .hasMessageContaining("no setting of PostgreSQL");
    }

    @Test
    void fileIsAsBeforeWhenTheProgramRefusesIt() throws IOException {
        Path config = Files.writeString(directory.resolve("nginx.conf"), "user www;\nworker_processes 2;\n");
        Path ran = directory.resolve("ran");
        // As a server's test of its configuration does: more than 8 is refused.
        String check = "cp " + config + " " + ran + "; grep -q 'worker_processes [1-8];' " + config;
        OutsideKnob knob = knob("\"driver\":\"file\",\"file\":\"" + config
                + "\",\"pattern\":\"^worker_processes (\\\\d+);\",\"activate\":[\"sh\",\"-c\",\"" + check + "\"]");
        assertThat(knob.read()).isEqualTo(KnobValue.of(2));
        knob.write(KnobValue.of(4));
        assertThat(config).hasContent("user www;\nworker_processes 4;\n");
        assertThatThrownBy(() -> knob.write(KnobValue.of(500))).isInstanceOf(IOException.class);
        assertThat(config).hasContent("user www;\nworker_processes 4;\n");
        assertThat(ran).hasContent("user www;\nworker_processes 4;\n");
    }

    /** A server of lines that answers one connection after the other. */
    private static ServerSocket server(UnaryOperator<String> answers) throws IOException {
        var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    var in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        client.getOutputStream().write(answers.apply(line).getBytes(StandardCharsets.UTF_8));
                    }
                } catch (IOException e) {
                    // Closed.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    /** The bytes are those of Redis 7.0: one answer after the last word of a command. */
    @Test
    void speaksRedis() throws IOException {
        var hz = new String[] {"10"};
        var words = new StringBuilder();
        try (ServerSocket server = server(line -> {
            if (line.startsWith("*")) {
                words.setLength(0);
            } else if (!line.startsWith("$")) {
                words.append(line).append(' ');
            }
            String command = words.toString().strip();
            if (command.startsWith("CONFIG SET hz ") && !line.equals("hz")) {
                hz[0] = line;
                return "+OK\r\n";
            }
            return switch (command) {
                case "CONFIG GET hz" -> "*2\r\n$2\r\nhz\r\n$" + hz[0].length() + "\r\n" + hz[0] + "\r\n";
                case "CONFIG GET nothing" -> "*0\r\n";
                case "AUTH wrong" -> "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
                default -> "";
            };
        })) {
            String url = "127.0.0.1:" + server.getLocalPort();
            OutsideKnob knob = knob("\"driver\":\"redis\",\"url\":\"redis://" + url + "\",\"key\":\"hz\"");
            assertThat(knob.read()).isEqualTo(KnobValue.of(10));
            knob.write(KnobValue.of(50));
            assertThat(knob.isInPlace(KnobValue.of(50))).isTrue();
            assertThatThrownBy(knob("\"driver\":\"redis\",\"url\":\"redis://" + url + "\",\"key\":\"nothing\"")::read)
                    .hasMessageContaining("knows no setting nothing");
            assertThatThrownBy(knob("\"driver\":\"redis\",\"url\":\"redis://:wrong@" + url + "\",\"key\":\"hz\"")::read)
                    .hasMessageContaining("WRONGPASS");
        }
    }

    @Test
    void speaksMemcached() throws IOException {
        var limit = new long[] {64};
        try (ServerSocket server = server(line -> {
            if (line.startsWith("cache_memlimit ")) {
                limit[0] = Long.parseLong(
                        line.substring("cache_memlimit ".length()).strip());
                return "OK\r\n";
            }
            return "STAT maxbytes " + (limit[0] << 20) + "\r\nSTAT maxconns 1024\r\nEND\r\n";
        })) {
            OutsideKnob knob =
                    knob("\"driver\":\"memcached\",\"url\":\"memcached://127.0.0.1:" + server.getLocalPort() + "\"");
            assertThat(knob.read()).isEqualTo(KnobValue.of(64));
            knob.write(KnobValue.of(256));
            assertThat(knob.isInPlace(KnobValue.of(256))).isTrue();
        }
    }
}

package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index server is trusted with nothing. */
class HostileIndexTest {

    @TempDir
    Path directory;

    @Test
    void anAnswerWithoutEndIsCutOff() throws Exception {
        // No server of the JDK's: its limits are read once, and nodes of this JVM set them.
        try (var server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            var thread = new Thread(() -> answerWithoutEnd(server));
            thread.setDaemon(true);
            thread.start();
            refusesWhatHasNoEnd("http://127.0.0.1:" + server.getLocalPort());
        }
    }

    private void refusesWhatHasNoEnd(String url) {
        try (var hospitals = new Hospitals(directory, 3, 3, Map.of())) {
            Map<String, String> options = hospitals.options("doctor");
            options.put("eppi.index", url);
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> EppiSearcher.of(options).query("1"))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.MALFORMED));
        }
    }

    private static void answerWithoutEnd(ServerSocket server) {
        try (Socket socket = server.accept();
                OutputStream out = socket.getOutputStream()) {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write(new byte[1 << 16]);
            }
        } catch (IOException cutOff) {
            // As it should be.
        }
    }
}

package io.leeway.eppi.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpNodeTest {

    private static final int MORE_THAN_THREADS = 100;

    @Test
    void requestsThatNeverEndDoNotKeepOthersFromBeingAnswered() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (var node = new HttpNode(
                "127.0.0.1:0", false, Map.of("/", request -> HttpNode.Response.of(200, "text/plain", "here")))) {
            URI url = URI.create(node.url() + "/");
            for (int i = 0; i < MORE_THAN_THREADS; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort());
                slow.add(socket);
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
            }
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(url)
                                    .timeout(Duration.ofSeconds(60))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.body()).isEqualTo("here");
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }
}

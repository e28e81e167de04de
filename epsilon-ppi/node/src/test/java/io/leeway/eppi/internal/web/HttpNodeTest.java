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

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void headsHaveNoBodyAndOtherMethodsAreRefused() throws Exception {
        try (var node = here(false)) {
            var head = send(HttpRequest.newBuilder(URI.create(node.url() + "/"))
                    .method("HEAD", HttpRequest.BodyPublishers.noBody()));
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().firstValue("Content-Length")).contains("4");
            var delete =
                    send(HttpRequest.newBuilder(URI.create(node.url() + "/")).DELETE());
            assertThat(delete.statusCode()).isEqualTo(405);
            assertThat(delete.headers().firstValue("Allow")).contains("GET, HEAD, POST");
        }
    }

    @Test
    void aFormThatIsTooLongIsRefusedInsteadOfBeingCut() throws Exception {
        try (var node = here(false)) {
            var long100k = HttpRequest.BodyPublishers.ofString("identity=" + "x".repeat(100_000));
            assertThat(send(HttpRequest.newBuilder(URI.create(node.url() + "/")).POST(long100k))
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void aPageWhoseNameWasMadeToMeanThisMachineGetsNothing() throws Exception {
        try (var own = here(false);
                var index = here(true)) {
            assertThat(askedAs("attacker.example", own)).startsWith("HTTP/1.1 403");
            assertThat(askedAs("localhost", own)).startsWith("HTTP/1.1 200");
            assertThat(askedAs("127.0.0.1:" + URI.create(own.url()).getPort(), own))
                    .startsWith("HTTP/1.1 200");
            assertThat(askedAs("index.example", index)).startsWith("HTTP/1.1 200");
        }
    }

    private static String askedAs(String host, HttpNode node) throws Exception {
        try (var socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(node.url()).getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static HttpNode here(boolean mayBeReachedFromElsewhere) {
        return new HttpNode(
                "127.0.0.1:0",
                mayBeReachedFromElsewhere,
                Map.of("/", request -> HttpNode.Response.of(200, "text/plain", "here")));
    }
}

package io.leeway.pipelining;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.internal.simulate.VirtualChain;
import io.leeway.pipelining.internal.view.GraphPage;
import io.leeway.pipelining.internal.view.GraphText;
import io.leeway.pipelining.internal.view.StatusServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusPageTest {

    private static final PipelineStatus STATUS = new PipelineStatus(
            "host <1>",
            PipelineStatus.Phase.SETTLED,
            new VirtualChain(1, 8, 0, 0, false, 0, 10, 10, 10).graph(),
            Set.of(2),
            PipelineProfile.empty(),
            List.of(new PipelineDecision(
                    1,
                    Set.of(2),
                    0.5,
                    2.0,
                    Map.of(2, 100.0),
                    Map.of(2, 180.0),
                    300_000,
                    PipelineDecision.Outcome.KEPT)),
            Map.of(3, "it was tried, and did not get faster"));

    @Test
    void saysWhatWasPredictedAndMeasured() {
        assertThat(GraphText.of(STATUS))
                .contains(
                        "settled",
                        "=> o2",
                        "predicted x2.00",
                        "measured x1.80",
                        "0.300 ms",
                        "kept",
                        "did not get faster");
    }

    @Test
    void drawsTheGraphAndEscapesNames() {
        assertThat(GraphPage.of(STATUS)).contains("<svg", ">o1<", "host &lt;1>").doesNotContain("host <1>");
    }

    @Test
    void servesPageTextAndMetricsToReadersOnly() throws Exception {
        try (var server = StatusServer.start(0, () -> STATUS)) {
            assertThat(get(server, "/", "GET").body()).contains("<svg");
            assertThat(get(server, "/text", "GET").body()).contains("measured x1.80");
            assertThat(get(server, "/metrics", "GET").body())
                    .contains("pipelining_ports 1.0", "pipelining_decisions_total{outcome=\"kept\"} 1");
            assertThat(get(server, "/other", "GET").statusCode()).isEqualTo(404);
            assertThat(get(server, "/text", "POST").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void letsTheHostEndWhenItsMainEnds() {
        try (var server = StatusServer.start(0, () -> STATUS)) {
            assertThat(server.port()).isPositive();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().matches("HTTP-Dispatcher|pipelining-page"))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void takesAnotherPortWhereTheOneAskedForIsTaken() {
        var host = new VirtualChain(1, 8, 0, 0, false, 0, 10, 10, 10);
        try (var first = StatusServer.start(0, () -> STATUS);
                var keeper = AutoPipelining.start(
                        host,
                        PipeliningOptions.of(Map.of(
                                "pipelining.page.port",
                                String.valueOf(first.port()),
                                "pipelining.start.delay",
                                "1h")))) {
            assertThat(keeper.pagePort()).isPositive().isNotEqualTo(first.port());
        }
    }

    private static HttpResponse<String> get(StatusServer server, String path, String method) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}

package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.leeway.autotune.client.AutoTuneClient;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.kubernetes.ApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerTest {

    private static final List<KnobSpec> KNOBS =
            List.of(KnobSpec.size("threads", 2, 64, ""), KnobSpec.choice("policy", List.of("a", "b"), ""));
    private static final Setting START = new Setting(Map.of("threads", KnobValue.of(4), "policy", KnobValue.of("a")));

    @TempDir
    private Path directory;

    private AutoTuneController start() throws IOException {
        return AutoTuneController.start(0, directory, directory.resolve("agents"));
    }

    private static AutoTuneClient client(AutoTuneController controller) {
        return new AutoTuneClient(URI.create("http://127.0.0.1:" + controller.port()), controller.token());
    }

    @Test
    void instanceGoesOnWhereItEndedAfterARestart() throws IOException {
        var alone = Tuning.create(KNOBS, START, Tuning.Algorithm.HYBRID, List.of(), 7);
        String id = "";
        for (int i = 0; i < 6; i++) {
            try (AutoTuneController controller = start()) {
                AutoTuneClient client = client(controller);
                id = id.isEmpty() ? client.create(KNOBS, START, Tuning.Algorithm.HYBRID, List.of(), 7) : id;
                Tuning.Prediction expected = alone.predict(Map.of());
                Tuning.Prediction prediction = client.predict(id, Map.of());

                assertThat(prediction).isEqualTo(expected);
                double reward = -prediction.setting().values().get("threads").number();
                alone.setReward(expected.requestId(), reward);
                assertThat(client.setReward(id, prediction.requestId(), reward)).isTrue();
                assertThat(client.best(id, Map.of())).isEqualTo(alone.best(Map.of()));
            }
        }
    }

    @Test
    void refusesAWrongTokenUnknownInstancesAndSecondRewards() throws IOException {
        try (AutoTuneController controller = start()) {
            var thief = new AutoTuneClient(URI.create("http://127.0.0.1:" + controller.port()), "wrong");
            assertThatThrownBy(() -> thief.predict("x", Map.of())).hasMessageContaining("AUTOTUNE-2001");
            AutoTuneClient client = client(controller);
            assertThatThrownBy(() -> client.predict("x", Map.of())).hasMessageContaining("AUTOTUNE-1005");
            String id = client.create(KNOBS, START, Tuning.Algorithm.HYBRID, List.of(), 7);
            String request = client.predict(id, Map.of()).requestId();
            client.setReward(id, request, -1);
            assertThatThrownBy(() -> client.setReward(id, request, -1)).hasMessageContaining("AUTOTUNE-4002");
        }
    }

    @Test
    void twoControllersCannotHaveTheSameInstances() throws IOException {
        try (AutoTuneController controller = start()) {
            assertThat(controller.port()).isPositive();
            assertThatThrownBy(this::start).hasMessageContaining("AUTOTUNE-4003");
        }
    }

    @Test
    void pageHoldsNoSecretAndLoadsNothingFromElsewhere() throws IOException, InterruptedException {
        try (AutoTuneController controller = start()) {
            HttpResponse<String> page = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + controller.port() + "/"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(page.body()).contains("<title>AutoTune</title>").doesNotContain(controller.token(), "https://");
            assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
        }
    }

    @Test
    void commandLineSaysWhatIsWrong() {
        assertThat(AutoTuneCommand.run("knobs", "nobody", "--agents", directory.toString()))
                .isEqualTo(1);
        assertThat(AutoTuneCommand.run("services", "--agents", directory.toString()))
                .isZero();
        assertThat(AutoTuneCommand.run("tnue")).isEqualTo(2);
    }

    @Test
    void serversAreRehearsedSearchedAndPutBackFromTheCommandLine() throws IOException {
        try (var cluster = new ApiServer("front")) {
            Path token = Files.writeString(directory.resolve("token"), "secret");
            Path file = Files.writeString(
                    directory.resolve("shop.json"),
                    "{\"kubernetes\":{\"server\":\"" + cluster.address() + "\",\"tokenFile\":\"" + token
                            + "\",\"namespace\":\"shop\",\"nodes\":[\"node-a\"],\"pollSeconds\":0.01},"
                            + "\"measure\":[\"echo\",\"{\\\"latency\\\":20,\\\"throughput\\\":100}\"],"
                            + "\"settleSeconds\":0,\"server\":{\"cpu\":2},\"instances\":[{\"name\":\"front\","
                            + "\"allocation\":{\"cpu\":2},\"floor\":{\"cpu\":1.5},\"server\":0}],"
                            + "\"search\":{\"minTrials\":2,\"maxTrials\":2,\"finalTrials\":2,\"lastStep\":0.3}}");
            JsonObject before = Json.object(cluster.deployment("front"), "spec");

            assertThat(AutoTuneCommand.run("servers", file.toString(), "--dry-run"))
                    .isZero();
            assertThat(cluster.requests())
                    .filteredOn(request -> request.startsWith("PATCH"))
                    .allMatch(request -> request.contains("dryRun=All"));
            assertThat(AutoTuneCommand.run("servers", file.toString(), "--keep"))
                    .isZero();
            assertThat(Json.object(cluster.deployment("front"), "spec"))
                    .asString()
                    .contains("node-a");
            assertThat(AutoTuneCommand.run("servers", file.toString(), "--restore"))
                    .isZero();
            JsonObject after = Json.object(cluster.deployment("front"), "spec");
            Json.object(Json.object(after, "template"), "spec").remove("nodeSelector");
            assertThat(after).isEqualTo(before);

            cluster.forbid("get deployments");
            assertThat(AutoTuneCommand.run("servers", file.toString(), "--dry-run"))
                    .isEqualTo(1);
        }
    }

    @Test
    void spansOfExportersBecomeTheCriticalPath() throws IOException, InterruptedException {
        String spans = "[" + zipkin("1", "", "front", 1_000_000, 100_000) + ","
                + zipkin("2", "1", "back", 1_010_000, 80_000) + "]";
        try (AutoTuneController controller = start()) {
            String root = "http://127.0.0.1:" + controller.port();
            assertThat(post(root + "/api/v2/spans", "", spans)).isEqualTo(401);
            assertThat(post(root + "/traces/wrong/api/v2/spans", "", spans)).isEqualTo(404);
            assertThat(post(root + "/api/v2/spans", controller.token(), spans)).isEqualTo(200);
            assertThat(post(
                            root + "/traces/" + controller.token() + "/api/v2/spans",
                            "",
                            spans.replace("\"t\"", "\"u\"")))
                    .isEqualTo(200);
            assertThat(post(root + "/v1/traces", controller.token(), "no message"))
                    .isEqualTo(400);

            String path = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(root + "/v1/critical-path"))
                                    .header("Authorization", "Bearer " + controller.token())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            assertThat(path).contains("\"traces\":2", "\"service\":\"back\",\"share\":0.8,\"millis\":80.0");
        }
    }

    private static String zipkin(String id, String parent, String service, long start, long duration) {
        return "{\"traceId\":\"t\",\"id\":\"" + id + "\",\"parentId\":\"" + parent + "\",\"timestamp\":" + start
                + ",\"duration\":" + duration + ",\"localEndpoint\":{\"serviceName\":\"" + service + "\"}}";
    }

    private static int post(String url, String token, String body) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Authorization", "Bearer " + token)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}

package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asking and telling, and traces, over HTTP. */
class StudyApiTest {

    private static final String SPACE = """
            {"method":"tpe","budget":20,"parameters":[{"name":"threads","kind":"integer","min":1,"max":64,"default":4},
            {"name":"policy","words":["a","b"],"default":"a"}],"constraints":["threads <= 60"]}
            """;

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    private JsonObject call(AutoTuneController controller, String method, String path, String body, int expected)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + controller.port() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + controller.token())
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(expected);
        return Json.object(response.body());
    }

    private AutoTuneController start() throws IOException {
        return AutoTuneController.start(0, directory, directory.resolve("agents"));
    }

    @Test
    void asksAndTellsAndGoesOnAfterARestart() throws Exception {
        String id;
        try (AutoTuneController controller = start()) {
            id = Json.text(call(controller, "POST", "/v1/studies", SPACE, 200), "id");
            for (int i = 0; i < 12; i++) {
                JsonObject trial = call(controller, "POST", "/v1/studies/" + id + "/ask", "", 200);
                double threads = Json.number(Json.object(trial, "setting"), "threads");
                assertThat(Json.text(Json.object(trial, "setting"), "threads")).doesNotContain(".");
                String told = i == 3
                        ? "{\"number\":3,\"failed\":\"killed\"}"
                        : "{\"number\":" + i + ",\"value\":" + Math.abs(threads - 20) + "}";
                call(controller, "POST", "/v1/studies/" + id + "/tell", told, 200);
            }
        }
        try (AutoTuneController controller = start()) {
            JsonObject study = call(controller, "GET", "/v1/studies/" + id, "", 200);

            assertThat(Json.array(study, "trials")).hasSize(12);
            assertThat(Json.number(Json.object(study, "best"), "value")).isLessThan(16);
            assertThat(Json.object(study, "importances").keySet()).contains("threads", "policy");
            assertThat(Json.number(call(controller, "POST", "/v1/studies/" + id + "/ask", "", 200), "number"))
                    .isEqualTo(12);
            call(controller, "DELETE", "/v1/studies/" + id, "", 200);
            call(controller, "GET", "/v1/studies/" + id, "", 404);
        }
    }

    @Test
    void refusesWhatIsNoStudyAndWhatWasToldAlready() throws Exception {
        try (AutoTuneController controller = start()) {
            call(controller, "POST", "/v1/studies", "{}", 400);
            call(controller, "POST", "/v1/studies", "{\"parameters\":[{\"name\":\"x\",\"min\":3,\"max\":1}]}", 400);
            call(controller, "POST", "/v1/studies", "{\"parameters\":[3]}", 400);
            String id = Json.text(call(controller, "POST", "/v1/studies", SPACE, 200), "id");
            call(controller, "POST", "/v1/studies/" + id + "/tell", "{\"number\":0,\"value\":1}", 409);
            call(
                    controller,
                    "POST",
                    "/v1/studies/" + id + "/enqueue",
                    "{\"setting\":{\"threads\":99,\"policy\":\"a\"}}",
                    400);
            call(controller, "POST", "/v1/studies/" + id + "/nothing", "{}", 404);
        }
    }

    @Test
    void showsSuspectsInTheTracesThatWereSent() throws Exception {
        try (AutoTuneController controller = start()) {
            assertThat(Json.number(call(controller, "POST", "/v1/traces", spans(60, 8_000), 200), "spans"))
                    .isEqualTo(180);
            call(controller, "POST", "/v1/bottlenecks/usual", "", 200);
            call(controller, "POST", "/v1/traces", spans(40, 60_000), 200);

            JsonObject answer = call(controller, "GET", "/v1/bottlenecks", "", 200);

            assertThat(Json.text(Json.array(answer, "suspects").get(0).getAsJsonObject(), "instance"))
                    .isEqualTo("store");
        }
    }

    private static String spans(int count, long store) {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            long time = store + 100L * (i % 17);
            text.append(span(i, "r", "", "front", 0, time + 6_000))
                    .append(span(i, "s", "r", "shop", 1_000, time + 5_000))
                    .append(span(i, "d", "s", "store", 2_000, time + 2_000));
        }
        return text.toString();
    }

    private static String span(int trace, String id, String parent, String service, long start, long end) {
        return "{\"trace\":\"t" + trace + "\",\"id\":\"" + id + "\",\"parent\":\"" + parent + "\",\"service\":\""
                + service + "\",\"operation\":\"get\",\"start\":" + start + ",\"end\":" + end + "}\n";
    }
}

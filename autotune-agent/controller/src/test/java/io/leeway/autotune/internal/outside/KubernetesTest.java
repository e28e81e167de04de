package io.leeway.autotune.internal.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that answers as an API server does for one deployment; requests are compared with recorded ones. */
class KubernetesTest {

    private static final String PATH = "/apis/apps/v1/namespaces/shop/deployments/front";

    @TempDir
    private Path directory;

    private HttpServer server;
    private final List<String> requests = new ArrayList<>();
    private String cpu = "500m";
    private int replicas = 2;
    private int ready = 2;
    private int generation = 1;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", this::answer);
        server.start();
        Files.writeString(directory.resolve("token"), "secret\n");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String query = exchange.getRequestURI().getQuery();
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
            int status = 200;
            String answer;
            if (!"Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                status = 401;
                answer = "{\"kind\":\"Status\",\"message\":\"Unauthorized\",\"code\":401}";
            } else if (!PATH.equals(exchange.getRequestURI().getPath())) {
                status = 404;
                answer = "{\"kind\":\"Status\",\"message\":\"deployments.apps \\\"front\\\" not found\",\"code\":404}";
            } else {
                if ("PATCH".equals(exchange.getRequestMethod()) && (query == null || !query.contains("dryRun=All"))) {
                    patch(Json.object(Json.object(body), "spec"));
                }
                answer = deployment();
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private void patch(JsonObject spec) {
        generation++;
        replicas = (int) Json.number(spec, "replicas", replicas);
        if (spec.has("template")) {
            JsonObject pod = Json.object(Json.object(spec, "template"), "spec");
            JsonObject container = Json.array(pod, "containers").get(0).getAsJsonObject();
            cpu = Json.text(Json.object(Json.object(container, "resources"), "limits"), "cpu");
        }
    }

    private String deployment() {
        return "{\"kind\":\"Deployment\",\"metadata\":{\"name\":\"front\",\"generation\":" + generation
                + "},\"spec\":{\"replicas\":" + replicas
                + ",\"template\":{\"spec\":{\"containers\":[{\"name\":\"app\",\"resources\":{\"limits\":{\"cpu\":\""
                + cpu
                + "\",\"memory\":\"512Mi\"}}}]}}},\"status\":{\"observedGeneration\":" + generation
                + ",\"replicas\":" + replicas + ",\"updatedReplicas\":" + replicas + ",\"availableReplicas\":" + ready
                + "}}";
    }

    private OutsideKnob knob(String resource, String more) {
        String json = "{\"knobs\":[{\"name\":\"front." + resource + "\",\"driver\":\"kubernetes\",\"kind\":\"REAL\","
                + "\"min\":0.1,\"max\":4e9,\"server\":\"http://127.0.0.1:"
                + server.getAddress().getPort()
                + "\",\"tokenFile\":\"" + directory.resolve("token") + "\",\"namespace\":\"shop\",\"resource\":\""
                + resource + "\"," + more + "}]}";
        return Declarations.knobs(Json.array(Json.object(json), "knobs")).get(0);
    }

    @Test
    void changesCpuAndWaitsUntilAllReplicasAreReady() throws IOException {
        OutsideKnob knob = knob("cpu", "\"deployment\":\"front\"");
        assertThat(knob.read()).isEqualTo(KnobValue.of(0.5));
        ready = 1;
        knob.write(KnobValue.of(1.5));
        assertThat(requests)
                .last()
                .asString()
                .isEqualTo(
                        "PATCH " + PATH + "?fieldManager=autotune {\"spec\":{\"template\":{\"spec\":{\"containers\":"
                                + "[{\"name\":\"app\",\"resources\":{\"limits\":{\"cpu\":\"1500m\"},\"requests\":{\"cpu\":\"1500m\"}}}]}}}}");
        assertThat(knob.isInPlace(KnobValue.of(1.5))).isFalse();
        ready = 2;
        assertThat(knob.isInPlace(KnobValue.of(1.5))).isTrue();
    }

    @Test
    void changesReplicas() throws IOException {
        OutsideKnob knob = knob("replicas", "\"deployment\":\"front\"");
        assertThat(knob.read()).isEqualTo(KnobValue.of(2));
        ready = 5;
        knob.write(KnobValue.of(5));
        assertThat(knob.isInPlace(KnobValue.of(5))).isTrue();
    }

    @Test
    void dryRunChangesNothing() throws IOException {
        OutsideKnob knob = knob("cpu", "\"deployment\":\"front\",\"dryRun\":true");
        knob.write(KnobValue.of(1.5));
        assertThat(requests).last().asString().contains("dryRun=All");
        assertThat(knob.read()).isEqualTo(KnobValue.of(0.5));
    }

    @Test
    void saysWhatTheServerSays() throws IOException {
        assertThatThrownBy(knob("cpu", "\"deployment\":\"other\"")::read).hasMessageContaining("404", "not found");
        Files.writeString(directory.resolve("token"), "wrong");
        assertThatThrownBy(knob("cpu", "\"deployment\":\"front\"")::read).hasMessageContaining("401: Unauthorized");
        assertThatThrownBy(() -> knob("gpu", "\"deployment\":\"front\"")).hasMessageContaining("no resource gpu");
        assertThatThrownBy(knob("cpu", "\"deployment\":\"../secrets\"")::read).hasMessageContaining("no name");
    }

    @Test
    void readsQuantities() throws IOException {
        assertThat(KubernetesKnob.quantity("250m")).isEqualTo(0.25);
        assertThat(KubernetesKnob.quantity("1.5")).isEqualTo(1.5);
        assertThat(KubernetesKnob.quantity("512Mi")).isEqualTo(512 << 20);
        assertThat(KubernetesKnob.quantity("1G")).isEqualTo(1e9);
        assertThat(KubernetesKnob.quantity("2e3")).isEqualTo(2_000);
        assertThatThrownBy(() -> KubernetesKnob.quantity("much")).isInstanceOf(IOException.class);
    }
}

package io.leeway.autotune.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.deploy.AutoTune;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.kubernetes.ApiServer;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AutoTune on deployments of Kubernetes. */
class KubernetesServersTest {

    @TempDir
    private Path directory;

    private final List<String> log = new ArrayList<>();
    private ApiServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ApiServer("back", "front");
        Files.writeString(directory.resolve("token"), "secret");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Two servers of two cores and 4,096 MB, an instance on each; what measures says that nothing hurts. */
    private Application application() throws IOException {
        Path file = Files.writeString(
                directory.resolve("application.json"),
                "{\"kubernetes\":{\"server\":\"" + server.address() + "\",\"tokenFile\":\""
                        + directory.resolve("token")
                        + "\",\"namespace\":\"shop\",\"nodes\":[\"node-a\",\"node-b\"],\"pollSeconds\":0.01,"
                        + "\"rolloutSeconds\":60},"
                        + "\"measure\":[\"echo\",\"{\\\"latency\\\":20,\\\"throughput\\\":100}\"],"
                        + "\"settleSeconds\":0,\"server\":{\"cpu\":2,\"memory\":4096},\"resources\":[\"cpu\",\"memory\"],"
                        + "\"instances\":["
                        + "{\"name\":\"back\",\"container\":\"app\",\"allocation\":{\"cpu\":2,\"memory\":2048},"
                        + "\"floor\":{\"cpu\":0.5,\"memory\":1024},\"server\":1},"
                        + "{\"name\":\"front\",\"allocation\":{\"cpu\":2,\"memory\":2048},"
                        + "\"floor\":{\"cpu\":0.5,\"memory\":1024},\"server\":0}],"
                        + "\"search\":{\"partitions\":2,\"minTrials\":2,\"maxTrials\":2,\"finalTrials\":2,\"orders\":1,\"lastStep\":0.24}}");
        return Application.read(file);
    }

    private KubernetesServers servers(String run) throws IOException {
        Application application = application();
        Application.Cluster cluster = application.cluster();
        assertThat(cluster).isNotNull();
        return new KubernetesServers(application, cluster, new Trials(application, null, log::add), run, log::add);
    }

    private static JsonObject pod(JsonObject deployment) {
        return Json.object(Json.object(Json.object(deployment, "spec"), "template"), "spec");
    }

    private static String resources(JsonObject deployment) {
        return Json.object(Json.array(pod(deployment), "containers").get(0).getAsJsonObject(), "resources")
                .toString();
    }

    private void assertThatAllIsAsBefore(JsonObject... before) {
        for (JsonObject deployment : before) {
            JsonObject now = server.deployment(Json.text(Json.object(deployment, "metadata"), "name"));
            JsonObject spec = Json.object(now, "spec");
            // An empty selector is as good as none.
            if (Json.object(pod(now), "nodeSelector").size() == 0) {
                pod(now).remove("nodeSelector");
            }
            assertThat(spec).isEqualTo(Json.object(deployment, "spec"));
            assertThat(Json.object(now, "metadata").get("annotations"))
                    .isEqualTo(Json.object(deployment, "metadata").get("annotations"));
        }
    }

    @Test
    void findsOneServerWhereTwoWereAndPutsBackWhatWasThere() throws IOException {
        JsonObject front = server.deployment("front");
        JsonObject back = server.deployment("back");
        try (var servers = servers("a")) {
            Application application = application();
            AutoTune.Result result =
                    new AutoTune(servers, application.settings(), application.first(), step -> {}, () -> false).run();

            assertThat(result.last().servers()).isEqualTo(1);
            assertThat(pod(server.deployment("front")).get("nodeSelector"))
                    .isEqualTo(pod(server.deployment("back")).get("nodeSelector"))
                    .hasToString("{\"kubernetes.io/hostname\":\"node-a\"}");
            for (String name : List.of("front", "back")) {
                double cpu = result.last().get(name, Resource.CPU);
                assertThat(resources(server.deployment(name))).contains("\"cpu\":\"" + Math.round(cpu * 1_000) + "m\"");
            }
        }
        assertThatAllIsAsBefore(front, back);
        assertThat(log).contains("front is as it was before", "back is as it was before");
    }

    @Test
    void changesOnlyWhatDiffers() throws IOException {
        try (var servers = servers("a")) {
            Deployment first = application().first();
            servers.deploy(first);
            int requests = server.requests().size();
            servers.deploy(first);
            assertThat(server.requests()).hasSize(requests);

            servers.deploy(first.with("front", Resource.CPU, 1));
            assertThat(server.requests().subList(requests, server.requests().size()))
                    .filteredOn(request -> request.startsWith("PATCH"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("/front?");
        }
    }

    @Test
    void whatDoesNotComeAboutIsTakenBack() throws IOException {
        server.fill("node-b");
        JsonObject front = server.deployment("front");
        JsonObject back = server.deployment("back");
        try (var servers = servers("a")) {
            Deployment first = application().first();
            assertThatThrownBy(() -> servers.deploy(first))
                    .hasMessageContainingAll("AUTOTUNE-3001", "back", "ProgressDeadlineExceeded");
            assertThatAllIsAsBefore(front, back);

            Deployment together = first.at(Map.of("front", 0, "back", 0));
            servers.deploy(together);
            assertThatThrownBy(() -> servers.deploy(first)).hasMessageContaining("AUTOTUNE-3001");
            assertThat(pod(server.deployment("back")).get("nodeSelector"))
                    .hasToString("{\"kubernetes.io/hostname\":\"node-a\"}");
        }
        assertThatAllIsAsBefore(front, back);
    }

    @Test
    void runThatWasKilledIsTakenBackByTheNextAndNotByAnother() throws IOException {
        JsonObject front = server.deployment("front");
        JsonObject back = server.deployment("back");
        // Killed: nothing is closed.
        servers("a").deploy(application().first().with("front", Resource.CPU, 1));

        try (var other = servers("b")) {
            assertThatThrownBy(() -> other.deploy(application().first()))
                    .hasMessageContainingAll(AutoTuneError.LEASED.code(), "the run a");
        }
        assertThat(resources(server.deployment("front"))).contains("\"cpu\":\"1000m\"");

        var same = servers("a");
        same.deploy(application().first().with("front", Resource.CPU, 1.5));
        same.close();
        assertThatAllIsAsBefore(front, back);
    }

    @Test
    void rehearsalAsksTheServerAndChangesNothing() throws IOException {
        JsonObject front = server.deployment("front");
        JsonObject back = server.deployment("back");
        try (var servers = servers("a")) {
            servers.rehearse();
            assertThat(server.deployment("front").get("metadata")).isEqualTo(front.get("metadata"));
            assertThat(log).anyMatch(line -> line.startsWith("front: would get {cpu=2000m, memory=2147483648}"));

            server.forbid("list pods");
            assertThatThrownBy(servers::rehearse).hasMessageContainingAll("AUTOTUNE-3004", "cannot list", "pods");
            server.forbid("patch deployments");
            assertThatThrownBy(servers::rehearse).hasMessageContainingAll("AUTOTUNE-3004", "cannot patch");
        }
        assertThatAllIsAsBefore(front, back);
    }

    @Test
    void whatPodsDoNotGetIsSaidAndTakenBack() throws IOException {
        JsonObject front = server.deployment("front");
        server.changePodsOnTheirWay();
        Path file = directory.resolve("application.json");
        application();
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("\"rolloutSeconds\":60", "\"rolloutSeconds\":0")
                        .replace("\"cpu\":2,\"memory\":2048", "\"cpu\":1,\"memory\":2048"));
        Application application = Application.read(file);
        Application.Cluster cluster = application.cluster();
        assertThat(cluster).isNotNull();
        try (var servers =
                new KubernetesServers(application, cluster, new Trials(application, null, log::add), "a", log::add)) {
            assertThatThrownBy(() -> servers.deploy(application.first()))
                    .hasMessageContainingAll("AUTOTUNE-3002", "has 2 of cpu, not 1000m");
        }
        assertThatAllIsAsBefore(front);
    }

    @Test
    void refusesWhatAClusterCannotLimit() throws IOException {
        Path file = directory.resolve("application.json");
        application();
        Files.writeString(file, Files.readString(file).replace("[\"cpu\",\"memory\"]", "[\"disk\"]"));
        assertThatThrownBy(() -> Application.read(file)).hasMessageContaining("no limit of the disk");
    }
}

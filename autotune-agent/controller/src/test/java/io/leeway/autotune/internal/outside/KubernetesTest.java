package io.leeway.autotune.internal.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.kubernetes.ApiServer;
import io.leeway.autotune.internal.kubernetes.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas and resources as knobs. */
class KubernetesTest {

    private static final String PATH = "/apis/apps/v1/namespaces/shop/deployments/front";

    @TempDir
    private Path directory;

    private ApiServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ApiServer("front");
        Files.writeString(directory.resolve("token"), "secret\n");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private OutsideKnob knob(String resource, String more) {
        String json = "{\"knobs\":[{\"name\":\"front." + resource + "\",\"driver\":\"kubernetes\",\"kind\":\"REAL\","
                + "\"min\":0.1,\"max\":4e9,\"server\":\"" + server.address()
                + "\",\"tokenFile\":\"" + directory.resolve("token") + "\",\"namespace\":\"shop\",\"resource\":\""
                + resource + "\"," + more + "}]}";
        return Declarations.knobs(Json.array(Json.object(json), "knobs")).get(0);
    }

    @Test
    void changesCpuAndWaitsUntilAllReplicasAreReady() throws IOException {
        OutsideKnob knob = knob("cpu", "\"deployment\":\"front\"");
        assertThat(knob.read()).isEqualTo(KnobValue.of(1));
        server.rollOutAfter(2);
        knob.write(KnobValue.of(1.5));
        assertThat(server.requests())
                .last()
                .asString()
                .isEqualTo("PATCH " + PATH + "?fieldManager=autotune {\"metadata\":{\"resourceVersion\":\"1001\"},"
                        + "\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"app\",\"resources\":"
                        + "{\"limits\":{\"cpu\":\"1500m\"},\"requests\":{\"cpu\":\"1500m\"}}}]}}}}");
        assertThat(knob.isInPlace(KnobValue.of(1.5))).isFalse();
        assertThat(knob.isInPlace(KnobValue.of(1.5))).isFalse();
        assertThat(knob.isInPlace(KnobValue.of(1.5))).isTrue();

        knob.write(KnobValue.of(1));
        assertThat(knob.read()).isEqualTo(KnobValue.of(1));
    }

    @Test
    void changesReplicas() throws IOException {
        OutsideKnob knob = knob("replicas", "\"deployment\":\"front\"");
        assertThat(knob.read()).isEqualTo(KnobValue.of(1));
        knob.write(KnobValue.of(5));
        assertThat(knob.isInPlace(KnobValue.of(5))).isTrue();
    }

    @Test
    void dryRunChangesNothing() throws IOException {
        OutsideKnob knob = knob("cpu", "\"deployment\":\"front\",\"dryRun\":true");
        knob.write(KnobValue.of(1.5));
        assertThat(server.requests()).last().asString().contains("dryRun=All");
        assertThat(knob.read()).isEqualTo(KnobValue.of(1));
    }

    @Test
    void looksAtThePodsNotAtWhatWasAskedFor() throws IOException {
        OutsideKnob knob = knob("cpu", "\"deployment\":\"front\"");
        server.changePodsOnTheirWay();
        knob.write(KnobValue.of(1.5));
        assertThat(knob.isInPlace(KnobValue.of(1.5))).isFalse();
    }

    @Test
    void repeatsWhatIsPutOffAndWhatOnlyTheStatusCameBetween() throws IOException {
        OutsideKnob knob = knob("cpu", "\"deployment\":\"front\"");
        server.putOff(3);
        server.moveStatus(2);
        knob.write(KnobValue.of(1.5));
        assertThat(knob.read()).isEqualTo(KnobValue.of(1.5));
    }

    @Test
    void changeOfSomebodyElseIsNotOverwritten() throws IOException {
        OutsideKnob knob = knob("replicas", "\"deployment\":\"front\"");
        server.meddle();
        assertThatThrownBy(() -> knob.write(KnobValue.of(3)))
                .hasMessageContaining("AUTOTUNE-3005")
                .hasMessageContaining("horizontal-pod-autoscaler");
        assertThat(knob.read()).isEqualTo(KnobValue.of(7));
    }

    @Test
    void saysWhatTheServerSays() throws IOException {
        assertThatThrownBy(knob("cpu", "\"deployment\":\"other\"")::read).hasMessageContaining("404", "not found");
        Files.writeString(directory.resolve("token"), "wrong");
        assertThatThrownBy(knob("cpu", "\"deployment\":\"front\"")::read)
                .hasMessageContainingAll("AUTOTUNE-3004", "401 Unauthorized", "token that has not run out");
        assertThatThrownBy(() -> knob("gpu", "\"deployment\":\"front\"")).hasMessageContaining("no resource gpu");
        assertThatThrownBy(() -> knob("cpu", "\"deployment\":\"../secrets\"")).hasMessageContaining("no name");
    }

    @Test
    void missingPermissionIsNamedWithItsRemedy() {
        server.forbid("patch deployments");
        assertThatThrownBy(() -> knob("cpu", "\"deployment\":\"front\"").write(KnobValue.of(2)))
                .hasMessageContainingAll(
                        "AUTOTUNE-3004",
                        "User \"system:serviceaccount:shop:autotune\" cannot patch resource \"deployments\"",
                        "Give the account the role that operations.md lists");
    }

    @Test
    void readsQuantities() throws IOException {
        assertThat(Quantity.parse("250m")).isEqualTo(0.25);
        assertThat(Quantity.parse("1.5")).isEqualTo(1.5);
        assertThat(Quantity.parse("512Mi")).isEqualTo(512 << 20);
        assertThat(Quantity.parse("3Ki")).isEqualTo(3_072);
        assertThat(Quantity.parse("1G")).isEqualTo(1e9);
        assertThat(Quantity.parse("7k")).isEqualTo(7_000);
        assertThat(Quantity.parse("2e3")).isEqualTo(2_000);
        assertThatThrownBy(() -> Quantity.parse("much")).isInstanceOf(IOException.class);
    }
}

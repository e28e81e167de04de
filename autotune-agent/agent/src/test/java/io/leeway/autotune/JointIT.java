package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.autotune.internal.joint.JointPlan;
import io.leeway.autotune.internal.joint.JointService;
import io.leeway.autotune.services.JdkService;
import io.leeway.autotune.services.TomcatService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services with the packaged agent and a setting outside of them, changed as one. */
class JointIT {

    @TempDir
    private Path directory;

    private JointService joint(Path agents, Path outside) throws IOException {
        Path file = Files.writeString(
                directory.resolve("joint.json"),
                "{\"services\":[\"JdkService\",\"TomcatService\"],\"knobs\":[{\"name\":\"cache.size\",\"kind\":\"INTEGER\","
                        + "\"min\":1,\"max\":100,\"cost\":\"LIVE\",\"driver\":\"command\",\"read\":[\"cat\",\""
                        + outside
                        + "\"],\"write\":[\"sh\",\"-c\",\"test $0 -lt 90 && echo $0 > " + outside
                        + "\",\"{value}\"]}]}");
        return JointPlan.read(file, agents, line -> {});
    }

    @Test
    void changeIsMadeEverywhereOrNowhereAndOutlivesNoCrash() throws IOException {
        Path outside = Files.writeString(directory.resolve("outside"), "10\n");
        Path agents = Files.createDirectories(directory.resolve("together"));
        String options = ",name=";
        try (var back = AgentProcess.start(
                        agents,
                        options + "TomcatService",
                        List.of(),
                        TomcatService.class.getName(),
                        "connections=3",
                        "held=1");
                var front = AgentProcess.start(
                        agents,
                        options + "JdkService,dead-man=2s",
                        List.of(),
                        JdkService.class.getName(),
                        "connections=3",
                        "held=1",
                        "calls=" + back.uri())) {
            assertThat(front.ask("/", 3)).containsOnly(200);
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(() -> assertThat(agents.toFile().list()).hasSize(2));
            JointService service = joint(agents, outside);
            Setting before = service.read();
            assertThat(before.values())
                    .containsEntry("JdkService/hikari.size", KnobValue.of(3))
                    .containsEntry("TomcatService/hikari.size", KnobValue.of(3))
                    .containsEntry("cache.size", KnobValue.of(10));

            // The setting outside is refused: nothing is changed anywhere.
            assertThatThrownBy(() -> service.apply(new Setting(
                            Map.of("JdkService/hikari.size", KnobValue.of(5), "cache.size", KnobValue.of(95)))))
                    .hasMessageContaining("AUTOTUNE-3001");
            // An agent refuses: what was changed outside is put back.
            assertThatThrownBy(() -> service.apply(new Setting(
                            Map.of("TomcatService/hikari.size", KnobValue.of(99_999), "cache.size", KnobValue.of(20)))))
                    .hasMessageContaining("AUTOTUNE-1003");
            assertThat(service.read()).isEqualTo(before);

            var changes = new Setting(Map.of(
                    "JdkService/hikari.size", KnobValue.of(5),
                    "TomcatService/hikari.size", KnobValue.of(6),
                    "cache.size", KnobValue.of(20)));
            service.apply(changes);
            assertThat(service.read().values()).containsAllEntriesOf(changes.values());

            // Whoever changed it is killed: the agent goes back by itself, the rest at the next start.
            await().atMost(AgentProcess.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(front.service("looking").read().values())
                                    .containsEntry("hikari.size", KnobValue.of(3)));
            assertThat(outside).hasContent("20");
            service.release();
            assertThat(joint(agents, outside).read().values()).containsEntry("cache.size", KnobValue.of(10));
        }
    }
}

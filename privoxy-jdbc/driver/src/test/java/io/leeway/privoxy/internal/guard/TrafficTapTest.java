package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SlotSource;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import io.leeway.testkit.LogCapture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficTapTest {

    @TempDir
    private Path folder;

    @Test
    void aParameterThatBreaksWhileItIsLookedAtChangesNothingAndIsToldOnce() throws Exception {
        PrivoxyConfig config = PrivoxyConfig.of(Map.of(
                "privoxyPolicy",
                "p.sql",
                "privoxyRecord",
                folder.resolve("t.jsonl").toString()));
        TrafficTap tap = TrafficTap.of(config, Dialect.H2);
        Parameters breaking = index -> {
            throw new IllegalStateException("secret");
        };
        var execution = new TrafficTap.Execution(
                "SELECT ?",
                new SessionState(List.of(), List.of()),
                QueryName.of("SELECT ?"),
                List.of(new SlotSource.Jdbc(1)),
                Request.NOBODY,
                breaking);

        try (LogCapture log = LogCapture.of("io.leeway.privoxy")) {
            for (int i = 0; i < 2; i++) {
                assertThat(tap.decided(execution, null, Stage.CHASE, 1, true, null, null))
                        .isNull();
            }

            assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .contains("could not be recorded")
                    .doesNotContain("secret");
        }
    }

    @Test
    void withoutTheOptionNothingIsTapped() throws Exception {
        PrivoxyConfig config = PrivoxyConfig.of(Map.of("privoxyPolicy", "p.sql"));

        assertThat(TrafficTap.of(config, Dialect.H2).isActive()).isFalse();
    }
}

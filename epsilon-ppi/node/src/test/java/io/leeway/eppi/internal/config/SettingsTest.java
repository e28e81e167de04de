package io.leeway.eppi.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.Policy;
import io.leeway.eppi.node.EppiOption;
import io.leeway.eppi.node.EppiOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void everyDefaultIsAllowed() {
        Settings settings = Settings.of(Map.of());
        for (EppiOption<?> each : EppiOptions.all()) {
            assertThat((Object) settings.get(each)).isNotNull();
        }
        assertThat(settings.get(EppiOptions.POLICY)).isEqualTo(new Policy.Exact(0.9));
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThatExceptionOfType(EppiException.class)
                .isThrownBy(() -> Settings.of(
                        Map.of("eppi.policy", "best", "timeout", "soon", "eppi.rooster", "x", "eppi.access.rate", "0")))
                .withMessageContaining("eppi.policy=best")
                .withMessageContaining("eppi.timeout=soon")
                .withMessageContaining("did you mean eppi.roster?")
                .withMessageContaining("eppi.access.rate=0");
    }

    @Test
    void whatIsMissingIsReportedTogetherWithWhatIsWrong() {
        assertThatExceptionOfType(EppiException.class)
                .isThrownBy(() -> Settings.of(
                        Map.of("eppi.timeout", "soon", "eppi.roster", "/nowhere/roster"),
                        EppiOptions.NAME,
                        EppiOptions.ROSTER,
                        EppiOptions.STATE))
                .withMessageContaining("eppi.timeout=soon")
                .withMessageContaining("eppi.name is missing")
                .withMessageContaining("eppi.state is missing")
                .withMessageContaining("eppi.roster=/nowhere/roster is no file");
    }

    @Test
    void secretsAreNotShown() {
        Settings settings = Settings.of(Map.of("eppi.key.password", "hunter2", "eppi.database.password", "hunter2"));
        assertThat(settings.toString()).doesNotContain("hunter2").contains("eppi.key.password=***");
    }

    @Test
    void rostersThatMakeNoSenseAreRefused() {
        for (String text :
                new String[] {"", "network test", "network test\nprovider a b", "network test\nking a h:1 x"}) {
            assertThatExceptionOfType(EppiException.class).isThrownBy(() -> Roster.parse(text));
        }
    }
}

package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.DocTable;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AutoTuneOptionsTest {

    @Test
    void argumentsGoBeforePropertiesBeforeTheEnvironment() {
        var options = AutoTuneOptions.of(
                "window=7s",
                Map.of("autotune.window", "8s", "autotune.rounds", "3")::get,
                Map.of("AUTOTUNE_ROUNDS", "4", "AUTOTUNE_MIN_GAIN", "0.2")::get);

        assertThat(options.get(AutoTuneOptions.WINDOW)).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.get(AutoTuneOptions.ROUNDS)).isEqualTo(3);
        assertThat(options.get(AutoTuneOptions.MIN_GAIN)).isEqualTo(0.2);
    }

    @Test
    void namesAllFaultsAtOnce() {
        assertThatThrownBy(() -> AutoTuneOptions.of("windwo=7s,rounds=-1,settle=5", key -> null, key -> null))
                .hasMessageContaining("AUTOTUNE-1001")
                .hasMessageContaining("windwo")
                .hasMessageContaining("autotune.rounds")
                .hasMessageContaining("autotune.settle");
    }

    @Test
    void everyOptionIsListedAndHasADefaultThatItAccepts() {
        assertThat(AutoTuneOptions.all())
                .allSatisfy(option ->
                        assertThat(AutoTuneOptions.defaults().get(option)).isNotNull());
        assertThat(Arrays.stream(AutoTuneOptions.class.getFields())
                        .filter(field -> field.getType() == AutoTuneOption.class)
                        .count())
                .isEqualTo(AutoTuneOptions.all().size());
    }

    @Test
    void optionsAreDocumented() throws IOException {
        var table = DocTable.of("Option", "Values", "Default", "What it does");
        AutoTuneOptions.all()
                .forEach(option ->
                        table.row("`" + option.key() + "`", option.values(), option.standard(), option.text()));
        table.assertIn("autotune/configuration.md", "autotune options");
    }

    @Test
    void errorsAreDocumented() throws IOException {
        var table = DocTable.of("Code", "What happened", "What to do");
        for (AutoTuneError error : AutoTuneError.values()) {
            table.row("`" + error.code() + "`", error.meaning(), error.remedy());
        }
        table.assertIn("autotune/operations.md", "autotune errors");
    }
}

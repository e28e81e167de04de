package io.leeway.hindex.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void everyOptionHasADefaultThatIsAllowed() {
        Options options = Options.of(Map.of(), Map.of());

        assertThat(options.get(Options.WRITE_TIMEOUT)).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.get(Options.CLOCK_MAX_AHEAD)).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.get(Options.REPAIR)).isEqualTo(Options.Repair.STRICT);
        assertThat(options.get(Options.REPAIR_BUFFER)).isEqualTo(2_000);
        assertThat(options.get(Options.BUILD)).isEqualTo(Options.Automatic.AUTOMATIC);
        assertThat(options.get(Options.BUILD_RATE)).isEqualTo(20_000);
        assertThat(options.get(Options.READ_TIMEOUT)).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.get(Options.SCAN_MAX_ENTRIES)).isEqualTo(10_000);
        assertThat(options.get(Options.ASYNC_QUEUE)).isEqualTo(20_000);
        assertThat(options.get(Options.REPAIR_VARIANT)).isEqualTo(Options.RepairVariant.PIPELINED);
        assertThat(options.get(Options.COMPACT_STALE)).isEqualTo(10_000);
        assertThat(options.get(Options.COMPACT_REMOVED)).isEqualTo(1_000_000);
        assertThat(options.get(Options.COMPACT_PERCENT)).isEqualTo(50);
        assertThat(options.get(Options.COMPACT_PAUSE)).isEqualTo(Duration.ofHours(1));
        assertThat(options.get(Options.LOAD)).isEqualTo(Options.Load.INDEX);
        assertThat(options.get(Options.LOAD_TIME)).isEqualTo(Duration.ofSeconds(20));
        assertThat(options.get(Options.LOAD_RATE)).isEqualTo(100_000);
        assertThat(options.get(Options.FAILED_QUEUE)).isEqualTo(10_000);
        assertThat(options.get(Options.FAILED_DELAY)).isEqualTo(Duration.ofMinutes(6));
        assertThat(options.get(Options.CERTAIN_PAUSE)).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.get(Options.BUILD_TIME)).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.get(Options.REVIVED_ENTRIES)).isEqualTo(100_000);
        assertThat(Options.all()).hasSize(23);
    }

    @Test
    void everyOptionIsReadAndTheTableWins() {
        Map<String, String> site = Map.of(
                "hindex.write.timeout", "2m",
                "hindex.clock.max-ahead", "250ms",
                "hindex.repair", "LAZY",
                "hindex.repair.variant", "before-compaction",
                "hindex.repair.buffer", "7",
                "hbase.rootdir", "file:///x");

        Options options = Options.of(
                site, Map.of("hindex.repair", " none ", "hindex.index.by_city", "columns=d:city:utf8", "owner", "x"));

        assertThat(options.get(Options.WRITE_TIMEOUT)).isEqualTo(Duration.ofMinutes(2));
        assertThat(options.get(Options.CLOCK_MAX_AHEAD)).isEqualTo(Duration.ofMillis(250));
        assertThat(options.get(Options.REPAIR)).isEqualTo(Options.Repair.NONE);
        assertThat(options.get(Options.REPAIR_VARIANT)).isEqualTo(Options.RepairVariant.BEFORE_COMPACTION);
        assertThat(options.get(Options.REPAIR_BUFFER)).isEqualTo(7);
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        Map<String, String> wrong =
                Map.of("hindex.repairs", "lazy", "hindex.write.timeout", "10", "hindex.repair.buffer", "0");

        assertThatThrownBy(() -> Options.of(wrong, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown option hindex.repairs, did you mean hindex.repair?; hindex.write.timeout=10 is not"
                        + " allowed; give 100ms to 10m; a number with ms, s, m or h; hindex.repair.buffer=0 is not allowed;"
                        + " give 1 to 1000000");
    }

    @Test
    void whatIsAllowedHoldsInPlaceOfWhatIsNot() {
        Map<String, String> site = Map.of("hindex.write.timeout", "7s", "hindex.repair", "perhaps");
        Map<String, String> table =
                Map.of("hindex.write.timeout", "5 parsecs", "hindex.writ.timeout", "5s", "hindex.load.rate", "10");

        Options.Reading reading = Options.read(site, table);

        assertThat(reading.options().get(Options.WRITE_TIMEOUT)).isEqualTo(Duration.ofSeconds(7));
        assertThat(reading.options().get(Options.REPAIR)).isEqualTo(Options.Repair.STRICT);
        assertThat(reading.options().get(Options.LOAD_RATE)).isEqualTo(10);
        assertThat(reading.problems())
                .hasSize(3)
                .anySatisfy(problem -> assertThat(problem).contains("unknown option hindex.writ.timeout"))
                .anySatisfy(problem -> assertThat(problem).contains("hindex.write.timeout=5 parsecs is not allowed"))
                .anySatisfy(problem -> assertThat(problem).contains("hindex.repair=perhaps is not allowed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"99ms", "11m", "-1s", "s", "", "1 s", "9999999999s"})
    void durationsOutOfBoundsAreRefused(String value) {
        assertThatThrownBy(() -> Options.WRITE_TIMEOUT.read(value)).hasMessageContaining("give 100ms to 10m");
    }

    @Test
    void otherChoicesAndNumbersAreRefused() {
        assertThatThrownBy(() -> Options.REPAIR.read("eager")).hasMessageContaining("give strict, lazy, none");
        assertThatThrownBy(() -> Options.REPAIR_BUFFER.read("many")).hasMessageContaining("give 1 to 1000000");
    }
}

package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class KnobSpecTest {

    private final KnobSpec size = KnobSpec.size("pool.size", 2, 64, "");

    @Test
    void everyPointOfTheRangeIsAValueOfTheKnob() {
        RandomGenerator random = Seeds.random("knob values");
        for (int i = 0; i < Depth.of(2_000, 100_000); i++) {
            KnobValue value = size.fromUnit(random.nextDouble(-0.5, 1.5));

            assertThat(size.checked(value)).isEqualTo(value);
            assertThat(size.fromUnit(size.toUnit(value))).isEqualTo(value);
        }
    }

    @Test
    void sizesGrowByFactors() {
        assertThat(size.fromUnit(0)).isEqualTo(KnobValue.of(2));
        assertThat(size.fromUnit(0.2)).isEqualTo(KnobValue.of(4));
        assertThat(size.fromUnit(1)).isEqualTo(KnobValue.of(64));
    }

    @Test
    void refusesWhatIsNoValueAndNamesTheBounds() {
        assertThatThrownBy(() -> size.parse("65"))
                .hasMessageContaining("AUTOTUNE-1003")
                .hasMessageContaining("2..64");
        assertThatThrownBy(() -> size.parse("2.5")).hasMessageContaining("AUTOTUNE-1003");
        assertThatThrownBy(() -> size.parse("many")).hasMessageContaining("AUTOTUNE-1003");
        assertThatThrownBy(() -> size.parse("NaN")).hasMessageContaining("AUTOTUNE-1003");
        assertThatThrownBy(() -> KnobSpec.choice("gc", List.of("a", "b"), "").parse("c"))
                .hasMessageContaining("a|b");
    }

    @Test
    void refusesARangeWithoutValues() {
        assertThatThrownBy(() -> size.within(3, 2)).hasMessageContaining("AUTOTUNE-1002");
    }
}

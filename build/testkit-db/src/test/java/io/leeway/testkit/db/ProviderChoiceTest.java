package io.leeway.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderChoiceTest {

    private static final BooleanSupplier NOBODY_ASKS = () -> {
        throw new AssertionError("Docker was asked although the choice was made");
    };

    @ParameterizedTest
    @CsvSource({"true,containers", "false,embedded"})
    void dockerDecidesUnlessToldOtherwise(boolean dockerAnswers, String provider) {
        assertThat(ProviderChoice.choose(null, () -> dockerAnswers).name()).isEqualTo(provider);
        assertThat(ProviderChoice.choose("auto", () -> dockerAnswers).name()).isEqualTo(provider);
        assertThat(ProviderChoice.choose(" ", () -> dockerAnswers).name()).isEqualTo(provider);
    }

    @ParameterizedTest
    @CsvSource({"containers", "embedded"})
    void thePropertyDecidesWithoutAskingDocker(String provider) {
        assertThat(ProviderChoice.choose(provider, NOBODY_ASKS).name()).isEqualTo(provider);
    }

    @Test
    void anUnknownChoiceIsRefused() {
        assertThatThrownBy(() -> ProviderChoice.choose("podman", NOBODY_ASKS))
                .hasMessage("leeway.testkit.servers=podman: expected auto, embedded or containers");
    }
}

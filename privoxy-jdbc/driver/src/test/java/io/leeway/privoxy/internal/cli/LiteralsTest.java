package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.guard.Parameters;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiteralsTest {

    @Test
    void readsEveryForm() throws CommandException {
        assertThat(Literals.values("5, -1.50,'it''s, so' , true, NULL, *"))
                .containsExactly(5L, new BigDecimal("-1.50"), "it's, so", true, null, Parameters.UNKNOWN);
        assertThat(Literals.values("DATE '2026-01-31', time '12:30:00', TIMESTAMP '2026-01-31 12:00:00'"))
                .containsExactly(LocalDate.of(2026, 1, 31), LocalTime.of(12, 30), LocalDateTime.of(2026, 1, 31, 12, 0));
        UUID uuid = new UUID(1, 2);
        assertThat(Literals.value("UUID '" + uuid + "'")).isEqualTo(uuid);
        assertThat(Literals.value("12345678901234567890")).isEqualTo(new BigDecimal("12345678901234567890"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"five", "'", "DATE 'soon'", "MONEY '5'", "", "1,,2", "'open, 2"})
    void saysWhatIsNoValue(String text) {
        assertThatThrownBy(() -> Literals.values(text))
                .isInstanceOf(CommandException.class)
                .hasMessageMatching("(?s).*(is no value: write 5, 1.5|a quote is not closed).*");
    }
}

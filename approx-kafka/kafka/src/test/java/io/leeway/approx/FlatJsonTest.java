package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class FlatJsonTest {

    private static final String GOOD = "{ \"a\" : \"x\\\"\\\\\\u0041\\n\", \"b\":-1.5e3,\"c\":null }";

    @Test
    void readsTextsNumbersAndNothing() {
        FlatJson json = FlatJson.parse(GOOD);
        assertThat(json.text("a")).isEqualTo("x\"\\A\n");
        assertThat(json.real("b")).isEqualTo(-1_500);
        assertThat(json.real("c")).isNaN();
        assertThat(json.textOr("d", "none")).isEqualTo("none");
        assertThat(FlatJson.parse("{}").textOr("a", "none")).isEqualTo("none");
        String longText = "\\\"".repeat(1_000_000);
        assertThat(FlatJson.parse("{\"a\":\"" + longText + "\"}").text("a")).hasSize(1_000_000);
    }

    @Test
    void refusesWhatIsNoFlatObjectAndNothingElseHappens() {
        for (String bad :
                new String[] {"", "{", "[]", "{\"a\":{}}", "{\"a\"}", "{\"a\":1,}", "{\"a\":\"\\u00\"}", "{}x"}) {
            assertThatThrownBy(() -> FlatJson.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
        RandomGenerator random = Seeds.random("json");
        for (int i = 0; i < Depth.of(20_000, 1_000_000); i++) {
            StringBuilder damaged = new StringBuilder(GOOD);
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                damaged.setCharAt(random.nextInt(damaged.length()), GOOD.charAt(random.nextInt(GOOD.length())));
            }
            try {
                FlatJson.parse(damaged.substring(0, random.nextInt(damaged.length() + 1)));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
    }
}

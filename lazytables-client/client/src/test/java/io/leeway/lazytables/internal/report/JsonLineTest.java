package io.leeway.lazytables.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLineTest {

    @Test
    void readsTextsNumbersAndTruthValues() {
        assertThat(JsonLine.parse(
                        " { \"a\" : \"x\\\"\\\\\\u00e4\\n\", \"b\":-1.5e3,\"c\":true , \"d\":false,\"e\":null } "))
                .isEqualTo(Map.of("a", "x\"\\ä\n", "b", -1500.0, "c", true, "d", false));
        assertThat(JsonLine.parse("{}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{\"a\":1}x",
                "{\"a\":\"x}",
                "{\"a\":1-}",
                "{\"a\":nul}",
                "{\"a\":\"\\q\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":{}}",
                "{a:1}"
            })
    void whatIsNoFlatObjectIsRefusedWithItsPlace(String text) {
        assertThatThrownBy(() -> JsonLine.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("at character ");
    }
}

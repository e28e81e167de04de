package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContextTypesTest {

    @ParameterizedTest
    @CsvSource({
        "BIGINT, NUMBER, true",
        "int4, NUMBER, true",
        "NUMERIC, NUMBER, false",
        "'NUMERIC(10, 2)', NUMBER, false",
        "'decimal ( 10 )', NUMBER, true",
        "'VARCHAR(20)', TEXT, false",
        "'character   varying (20)', TEXT, false",
        "text, TEXT, false",
        "BOOLEAN, BOOLEAN, false",
        "uuid, UUID, false",
        "DATE, DATE, false",
        "TIME, TIME, false",
        "TIMESTAMP, TIMESTAMP, false",
        "'timestamp (3) without time zone', TIMESTAMP, false",
        "datetime(6), TIMESTAMP, false",
        "'TIMESTAMP(3) WITH TIME ZONE', INSTANT, false",
        "timestamptz, INSTANT, false"
    })
    void knowsTheUsualTypes(String written, ValueKind kind, boolean whole) {
        ColumnType type = Objects.requireNonNull(ContextTypes.of(written));

        assertThat(type.kind()).isEqualTo(kind);
        assertThat(type.whole()).isEqualTo(whole);
        assertThat(type.hasExactEquality()).isTrue();
        assertThat(type.sqlName()).isEqualTo(written);
    }

    @Test
    void spansLines() {
        assertThat(ContextTypes.of("TIMESTAMP\n  WITH TIME ZONE")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"DOUBLE PRECISION", "REAL", "JSON", "CHAR(3)", "INT[]", "BIGINT NOT NULL", "", "VARCHAR(20"})
    void knowsNoTypesThatAParameterCannotHave(String written) {
        assertThat(ContextTypes.of(written)).isNull();
    }
}

package io.leeway.privoxy.internal.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("JavaUtilDate") // applications bind them
class TypedValuesTest {

    static Stream<Object> values() {
        return Stream.of(
                "",
                "O'Neil \" \\ \n 😀",
                'x',
                true,
                (byte) -3,
                (short) 300,
                5,
                Long.MIN_VALUE,
                new BigInteger("123456789012345678901234567890"),
                new BigDecimal("1.50"),
                new BigDecimal("1E+3"),
                1.5f,
                Double.NaN,
                -0.0,
                0.1,
                UUID.fromString("00000000-0000-0001-0000-00000000000f"),
                LocalDate.of(2026, 1, 31),
                LocalTime.of(23, 59, 59, 123_000_000),
                LocalDateTime.of(2026, 1, 31, 0, 0),
                Instant.parse("2026-01-31T00:00:00.000001Z"),
                OffsetTime.of(1, 2, 3, 0, ZoneOffset.ofHours(2)),
                OffsetDateTime.of(2026, 1, 31, 1, 2, 3, 0, ZoneOffset.ofHours(-3)),
                ZonedDateTime.of(2026, 7, 31, 1, 2, 3, 0, ZoneId.of("Europe/Berlin")),
                java.sql.Date.valueOf("2026-01-31"),
                java.sql.Time.valueOf("10:00:00"),
                java.sql.Timestamp.valueOf("2026-01-31 10:00:00.123456"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void readsBackTheSameObjectOfTheSameType(Object value) {
        assertThat(roundTrip(value)).isEqualTo(value).hasSameClassAs(value);
    }

    @Test
    void readsBackNullBytesAndLists() {
        assertThat(roundTrip(null)).isNull();
        assertThat(roundTrip(new byte[] {0, -1, 16})).isEqualTo(new byte[] {0, -1, 16});
        assertThat(roundTrip(new Object[] {1L, null, "x"})).isEqualTo(new Object[] {1L, null, "x"});
        assertThat(roundTrip(List.of(1, 2))).isEqualTo(new Object[] {1, 2});
    }

    @Test
    void whatHasNoPlainFormIsUnknown() {
        assertThat(roundTrip(new Object())).isSameAs(TypedValues.UNKNOWN);
        assertThat(roundTrip(TypedValues.UNKNOWN)).isSameAs(TypedValues.UNKNOWN);
        assertThat(roundTrip("x".repeat(TypedValues.MAX_LENGTH + 1))).isSameAs(TypedValues.UNKNOWN);
        assertThat(roundTrip("half a character: \ud800")).isSameAs(TypedValues.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "\"5\"",
                "{}",
                "{\"int\":5}",
                "{\"int\":\"05\"}",
                "{\"int\":\"5\",\"long\":\"5\"}",
                "{\"int\":null}",
                "{\"Integer\":\"5\"}",
                "{\"boolean\":\"yes\"}",
                "{\"bytes\":\"0\"}",
                "{\"date\":\"2026-02-30\"}",
                "{\"list\":\"5\"}"
            })
    void refusesWhatNoValueIsWrittenAs(String text) {
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> TypedValues.read(JsonReader.read(text)));
    }

    private static @Nullable Object roundTrip(@Nullable Object value) {
        var json = new JsonWriter();
        TypedValues.write(json, value);
        return TypedValues.read(JsonReader.read(json.toString()));
    }
}

package io.leeway.hindex.internal.encode;

import static io.leeway.hindex.internal.encode.Samples.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnCodecTest {

    @ParameterizedTest
    @CsvSource({
        "utf8, 6100, 6100ff0001",
        "utf8.desc, 6100, 9eff00fffe",
        "fold, 4BC39C6C, 6bc3bc6c0001",
        "bytes, '', 0001",
        "long, 0000000000000001, 8000000000000001",
        "long.desc, 0000000000000001, 7ffffffffffffffe",
        "int, ffffffff, 7fffffff",
        "byte, 80, 00",
        "double, 8000000000000000, 7fffffffffffffff",
        "boolean, ff, 01",
        "decimal, 0000000100, 02",
        "decimal, 00000001007b, 03820d1f00",
        "decimal, 0000000185, 017df2e0ff",
        "date, 313937302d30312d3032, 8000000000000001",
        "fixed(2), 0102, 0102",
        "millis, 0000000000000000, 8000000000000000"
    })
    void keysStayAsTheyAre(String codec, String cell, String key) {
        assertThat(hex(keys(codec, HexFormat.of().parseHex(cell)))).containsExactly(key);
    }

    @ParameterizedTest
    @CsvSource({
        "utf8, ff",
        "utf8, c080",
        "fold, 61ed",
        "long, 00000000000001",
        "int, 0000000000",
        "double, 00000000",
        "boolean, ''",
        "boolean, 0001",
        "decimal, 00000001",
        "date, 323032362d30322d3330",
        "datetime, 323032362d30312d3331",
        "uuid, 00",
        "fixed(2), 010203",
        "long.list, 00000009",
        "long.list, 000000080000000000000001ff",
        "utf8.list, 7fffffff61",
        "int.packed, 0000000100",
        "long.split(%2C), 312c78",
        "utf8.words, ff"
    })
    void whatIsNotOfTheEncodingIsMalformed(String codec, String cell) {
        byte[] bytes = HexFormat.of().parseHex(cell);
        var keys = new ArrayList<byte[]>();

        assertThat(ColumnCodec.parse(codec).keys(bytes, 0, bytes.length, keys)).isEqualTo(Outcome.MALFORMED);
        assertThat(keys).isEmpty();
    }

    @Test
    void everyElementHasItsKeyOnce() {
        assertThat(values("utf8.split(%2C)", utf8("b,a,,b,c"))).containsExactly("a", "b", "c");
        assertThat(values("utf8.split(%3A%3A).desc", utf8("a::b:c::"))).containsExactly("b:c", "a");
        assertThat(values("long.split(|)", utf8("10|-1|9"))).containsExactly(-1L, 9L, 10L);
        assertThat(values("fold.words", utf8("Die Grüße, die 2 Öfen!"))).containsExactly("2", "die", "grüße", "öfen");
        assertThat(values("short.packed", new byte[] {0, 2, 0, 1, 0, 2})).containsExactly((short) 1, (short) 2);
        byte[] list = ByteBuffer.allocate(11)
                .putInt(1)
                .put((byte) 'x')
                .putInt(0)
                .put(new byte[2])
                .array();
        assertThat(values("utf8.list", Arrays.copyOf(list, 9))).containsExactly("", "x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"utf8.split(%2C)", "utf8.words", "utf8.list", "long.packed", "utf8.json(a)", "utf8.json(a[*])"})
    void nothingToIndexIsAbsent(String codec) {
        byte[] cell = codec.contains("json") ? utf8("{\"a\":null}") : new byte[0];
        if (codec.endsWith("[*])")) {
            cell = utf8("{\"a\":[]}");
        }

        assertThat(ColumnCodec.parse(codec).keys(cell, 0, cell.length, new ArrayList<>()))
                .isEqualTo(Outcome.ABSENT);
    }

    @Test
    void tooManyElementsAreMalformed() {
        byte[] cell = new byte[4 * (ColumnCodec.MAX_ELEMENTS + 1)];

        assertThat(ColumnCodec.parse("int.packed").keys(cell, 0, cell.length, new ArrayList<>()))
                .isEqualTo(Outcome.MALFORMED);
        assertThat(ColumnCodec.parse("int.packed").keys(cell, 0, cell.length - 4, new ArrayList<>()))
                .isEqualTo(Outcome.INDEXED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "utf8.json(a.b[0].c); {\"a\":{\"b\":[{\"c\":\"x\"},{\"c\":\"y\"}]}}; x",
                "utf8.json(a.b[1].c); {\"a\":{\"b\":[{\"c\":\"x\"},{\"c\":\"y\"}]}}; y",
                "utf8.json([0]); [\"first\"]; first",
                "utf8.json(a); {\"a\":\"x\",\"b\":[[],{}],\"a\":\"last \\u00e9\\n\"}; 'last é\n'",
                "long.json(n); {\"m\":-0.5e+3,\"n\":-12}; -12",
                "decimal.json(n); {\"n\":1.50}; 1.5",
                "double.json(n[1][0]); {\"n\":[0,[2.5]]}; 2.5",
                "boolean.json(t); {\"t\":true}; true",
                "date.json(d); {\"d\":\"2026-01-31\"}; 2026-01-31"
            })
    void aPathLeadsToAValue(String codec, String document, String value) {
        assertThat(values(codec, utf8(document))).extracting(Object::toString).containsExactly(value);
    }

    @Test
    void aStarLeadsToAllElements() {
        byte[] document = utf8("{\"items\":[{\"p\":3},{\"q\":0},{\"p\":1},{\"p\":null},{\"p\":3}]}");

        assertThat(values("int.json(items[*].p)", document)).containsExactly(1, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "{", "{\"a\":1", "{\"a\":\"x\"}}", "{\"a\":\"x\",}", "[01]", "{\"a\":tru}", "{a:1}", "\"\n\"",
                        "\"\\x\"",
                "{\"a\":\"x\"} x", "{\"a\":1}", "{\"a\":{}}", "{\"a\":[\"x\"]}", "{\"a\":true}", "nul", "1.", "1e", "-",
                        "\"\\u00g0\""
            })
    void documentsThatAreNoneOrHoldAnotherTypeAreMalformed(String document) {
        byte[] cell = utf8(document);

        assertThat(ColumnCodec.parse("utf8.json(a)").keys(cell, 0, cell.length, new ArrayList<>()))
                .isEqualTo(Outcome.MALFORMED);
    }

    @Test
    void deepDocumentsAreMalformed() {
        byte[] deep = utf8("[".repeat(100_000));

        assertThat(ColumnCodec.parse("utf8.json(a)").keys(deep, 0, deep.length, new ArrayList<>()))
                .isEqualTo(Outcome.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "utf8",
                "long.desc",
                "fold.words",
                "utf8.split(%2C).desc",
                "utf8.split(%28%29%3B%25%C3%A9)",
                "bytes.list",
                "int.packed",
                "fixed(16)",
                "decimal.json(order.items[*].price).desc"
            })
    void theTextFormIsReadAgain(String text) {
        assertThat(ColumnCodec.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "text; unknown type 'text'; known are utf8",
                "fixed(0); unknown type 'fixed(0)'",
                "utf8(3); unknown type 'utf8(3)'",
                "utf8.asc; unknown 'asc'",
                "utf8.desc.desc; desc is there twice",
                "long.words; words does not fit type long",
                "utf8.packed; packed does not fit type utf8",
                "bytes.split(%2C); split does not fit type bytes",
                "bytes.json(a); no JSON value is of type bytes",
                "utf8.list.words; two ways",
                "utf8.split(; not closed",
                "utf8.split(%2C)desc; without a dot",
                "utf8.split(%2); two hexadecimal digits",
                "utf8.split(%FF); not UTF-8",
                "utf8.split(); needs a separator",
                "utf8.json(a[*].b[*]); more than one [*]",
                "utf8.json(a[x]); not a JSON path",
                "utf8.json(); not a JSON path"
            })
    void aWrongTextSaysWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> ColumnCodec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"long", "utf8", "decimal", "uuid", "date", "boolean", "double", "bytes", "fixed(2)"})
    void aValueOfAnotherTypeIsRefused(String codec) {
        assertThatThrownBy(() -> ColumnCodec.parse(codec).value(new Object(), new KeyWriter()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give a");
    }

    @Test
    void numbersBeyondTheTypeAreRefused() {
        assertThatThrownBy(() -> ColumnCodec.parse("short").value(40_000, new KeyWriter()))
                .hasMessageContaining("-32768 to 32767");
    }

    static List<byte[]> keys(String codec, byte[] cell) {
        var keys = new ArrayList<byte[]>();
        assertThat(ColumnCodec.parse(codec).keys(cell, 0, cell.length, keys)).isEqualTo(Outcome.INDEXED);
        return keys;
    }

    private static List<Object> values(String codec, byte[] cell) {
        ColumnCodec parsed = ColumnCodec.parse(codec);
        return keys(codec, cell).stream()
                .map(key -> parsed.decode(key, 0, key.length))
                .toList();
    }

    private static List<String> hex(List<byte[]> keys) {
        return keys.stream().map(HexFormat.of()::formatHex).toList();
    }
}

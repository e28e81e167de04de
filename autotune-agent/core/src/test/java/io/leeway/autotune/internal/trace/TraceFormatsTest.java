package io.leeway.autotune.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.AutoTuneException;
import io.leeway.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TraceFormatsTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @Test
    void readsBothHeadersAndRefusesWhatIsNone() {
        assertThat(TraceHeader.parse("00-" + TRACE + "-" + SPAN + "-01")).contains(new TraceHeader(TRACE, SPAN));
        assertThat(TraceHeader.parse(TRACE + "-" + SPAN + "-1-05e3ac9a4f6e3b90"))
                .contains(new TraceHeader(TRACE, SPAN));
        assertThat(TraceHeader.parse(SPAN + "-" + SPAN)).contains(new TraceHeader("0".repeat(16) + SPAN, SPAN));
        assertThat(TraceHeader.parse(TRACE + "-null")).contains(new TraceHeader(TRACE, ""));
        for (String wrong : List.of("", "0", "00-" + "0".repeat(32) + "-" + SPAN + "-01", "x".repeat(10_000))) {
            assertThat(TraceHeader.parse(wrong)).as(wrong).isEmpty();
        }
    }

    @Test
    void readsZipkinsSpans() {
        assertThat(Zipkin.parse("[{\"traceId\":\"" + SPAN + "\",\"id\":\"a1\",\"parentId\":\"a0\",\"name\":\"get\","
                        + "\"timestamp\":5000,\"duration\":700,\"localEndpoint\":{\"serviceName\":\"back\"},"
                        + "\"tags\":{\"error\":\"\"}},{\"traceId\":\"1\",\"id\":\"2\",\"timestamp\":1}]"))
                .containsExactly(new Span("0".repeat(16) + SPAN, "a1", "a0", "back", "get", 5_000, 700, true));
        for (String wrong :
                List.of("{}", "[1]", "[{\"timestamp\":1,\"duration\":-1,\"traceId\":\"1\",\"id\":\"1\"}]")) {
            assertThatThrownBy(() -> Zipkin.parse(wrong)).as(wrong).isInstanceOf(AutoTuneException.class);
        }
    }

    @Test
    void readsOtlpInBothForms() {
        var expected = new Span(TRACE, SPAN, "", "front", "GET /", 2_000, 3_000, true);
        assertThat(
                        Otlp.parse(
                                "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"front\"}}]},"
                                        + "\"scopeSpans\":[{\"spans\":[{\"traceId\":\"" + TRACE + "\",\"spanId\":\""
                                        + SPAN
                                        + "\",\"name\":\"GET /\",\"startTimeUnixNano\":\"2000000\",\"endTimeUnixNano\":\"5000000\",\"status\":{\"code\":2}}]}]}]}"))
                .containsExactly(expected);
        assertThat(Otlp.parse(message())).containsExactly(expected);
    }

    /** The same as an exporter writes it, with a field that nobody knows. */
    private static byte[] message() {
        byte[] attribute =
                join(field(1, "service.name".getBytes(StandardCharsets.UTF_8)), field(2, field(1, bytes("front"))));
        byte[] span = join(
                field(1, HexFormat.of().parseHex(TRACE)),
                field(2, HexFormat.of().parseHex(SPAN)),
                field(5, bytes("GET /")),
                fixed(7, 2_000_000),
                fixed(8, 5_000_000),
                field(99, bytes("unknown")),
                field(15, new byte[] {3 << 3, 2}));
        return field(1, join(field(1, field(1, attribute)), field(2, field(2, span))));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] field(int number, byte[] value) {
        var out = new ByteArrayOutputStream();
        varint(out, number << 3 | 2);
        varint(out, value.length);
        out.writeBytes(value);
        return out.toByteArray();
    }

    private static void varint(ByteArrayOutputStream out, int number) {
        int left = number;
        for (; left > 0x7F; left >>>= 7) {
            out.write(left & 0x7F | 0x80);
        }
        out.write(left);
    }

    private static byte[] fixed(int number, long value) {
        var out = new ByteArrayOutputStream();
        varint(out, number << 3 | 1);
        for (int i = 0; i < 8; i++) {
            out.write((int) (value >>> 8 * i));
        }
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    @Test
    void messageThatIsCutOffOrChangedIsRefusedOrReadButNeverMore() {
        byte[] message = message();
        RandomGenerator random = Seeds.random("otlp");
        for (int i = 0; i < 5_000; i++) {
            byte[] changed = Arrays.copyOf(message, random.nextInt(message.length + 1));
            if (changed.length > 0) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(Otlp.parse(changed)).hasSizeLessThanOrEqualTo(2);
            } catch (AutoTuneException e) {
                assertThat(e.error().code()).isEqualTo("AUTOTUNE-1004");
            }
        }
    }

    @Test
    void storeForgetsTheOldestTraces() {
        var store = new TraceStore(2);
        for (String trace : List.of("a", "b", "a", "c")) {
            store.add(List.of(new Span(trace, "1", "", "s", "n", 1, 1, false)));
        }
        assertThat(store.all()).extracting(trace -> trace.get(0).trace()).containsExactly("b", "c");
    }
}

package io.leeway.autotune.lab.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.leeway.autotune.internal.json.Json;
import io.leeway.testkit.Seeds;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {

    private static Traces json(String text) {
        var reader = new TraceReader();
        reader.json(text);
        return reader.traces();
    }

    private static void isTheTrace(Traces traces) {
        assertThat(traces.faults()).isEmpty();
        assertThat(traces.traces()).hasSize(1);
        assertThat(CriticalPath.byService(traces.traces().get(0)))
                .containsExactlyInAnyOrderEntriesOf(Map.of("front", 60L, "back", 40L));
    }

    @Test
    void readsOtlpAsJson() {
        isTheTrace(json("""
                {"resourceSpans":[
                 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"front"}}]},
                  "scopeSpans":[{"spans":[{"traceId":"aa","spanId":"01","name":"GET","kind":2,
                   "startTimeUnixNano":"1000000","endTimeUnixNano":"1100000"}]}]},
                 {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"back"}}]},
                  "scopeSpans":[{"spans":[{"traceId":"aa","spanId":"02","parentSpanId":"01","name":"GET","kind":2,
                   "startTimeUnixNano":"1020000","endTimeUnixNano":"1060000"}]}]}]}
                """));
    }

    @Test
    void readsZipkin() {
        isTheTrace(json("""
                [{"traceId":"aa","id":"01","name":"get","timestamp":1000,"duration":100,"localEndpoint":{"serviceName":"front"}},
                 {"traceId":"aa","id":"02","parentId":"01","name":"get","timestamp":1020,"duration":40,"localEndpoint":{"serviceName":"back"}}]
                """));
    }

    @Test
    void readsJaeger() {
        isTheTrace(json("""
                {"data":[{"traceID":"aa","processes":{"p1":{"serviceName":"front"},"p2":{"serviceName":"back"}},"spans":[
                 {"traceID":"aa","spanID":"01","operationName":"get","startTime":1000,"duration":100,"processID":"p1","references":[]},
                 {"traceID":"aa","spanID":"02","operationName":"get","startTime":1020,"duration":40,"processID":"p2",
                  "references":[{"refType":"CHILD_OF","traceID":"aa","spanID":"01"}]}]}]}
                """));
    }

    @Test
    void readsItsOwnLinesBack() {
        var front = new Span("aa", "01", null, "front", "get", 1_000, 1_100, false);
        var back = new Span("aa", "02", "01", "back", "get", 1_020, 1_060, false);

        isTheTrace(json(TraceReader.line(front) + "\n" + TraceReader.line(back) + "\n"));
    }

    /** Agents know the caller's id from a header and nothing of who has it: calls find their place by time. */
    @Test
    void readsWhatAgentsTell() {
        var front =
                new io.leeway.autotune.internal.trace.Span("aa", "1-1", "77", "front", "request", 1_000, 100, false);
        var back = new io.leeway.autotune.internal.trace.Span("aa", "2-1", "78", "back", "request", 1_020, 40, true);

        isTheTrace(json(Json.tree(back) + "\n" + Json.tree(front) + "\n"));
    }

    /** As Brave reports them by default: client and server have the same id. */
    @Test
    void readsBothSidesOfACallThatHaveOneId() {
        String called = """
                {"traceId":"aa","id":"02","parentId":"01","kind":"SERVER","shared":true,"name":"get","timestamp":1025,
                 "duration":30,"localEndpoint":{"serviceName":"back"}}""";
        String others = """
                {"traceId":"aa","id":"01","name":"get","timestamp":1000,"duration":100,"localEndpoint":{"serviceName":"front"}},
                {"traceId":"aa","id":"02","parentId":"01","kind":"CLIENT","name":"get","timestamp":1020,"duration":40,
                 "localEndpoint":{"serviceName":"front"}},
                {"traceId":"aa","id":"03","parentId":"02","name":"select","timestamp":1030,"duration":20,
                 "localEndpoint":{"serviceName":"store"}}""";
        for (String list : List.of(called + "," + others, others + "," + called)) {
            Traces traces = json("[" + list + "]");

            assertThat(traces.traces().get(0).mended()).isEmpty();
            assertThat(CriticalPath.byService(traces.traces().get(0)))
                    .containsExactlyInAnyOrderEntriesOf(Map.of("front", 70L, "back", 10L, "store", 20L));
        }
    }

    private static ResourceSpans resource(String service, String id, String parent, long start, long end) {
        return ResourceSpans.newBuilder()
                .setResource(Resource.newBuilder()
                        .addAttributes(KeyValue.newBuilder()
                                .setKey("service.name")
                                .setValue(AnyValue.newBuilder().setStringValue(service))))
                .addScopeSpans(ScopeSpans.newBuilder()
                        .addSpans(io.opentelemetry.proto.trace.v1.Span.newBuilder()
                                .setTraceId(ByteString.copyFromUtf8("0123456789abcdef"))
                                .setSpanId(ByteString.copyFromUtf8(id))
                                .setParentSpanId(ByteString.copyFromUtf8(parent))
                                .setName("get")
                                .setStartTimeUnixNano(start)
                                .setEndTimeUnixNano(end)))
                .build();
    }

    @Test
    void readsOtlpAsProtobuf() {
        var reader = new TraceReader();
        reader.protobuf(TracesData.newBuilder()
                .addResourceSpans(resource("front", "aaaaaaaa", "", 1_000_000, 1_100_000))
                .addResourceSpans(resource("back", "bbbbbbbb", "aaaaaaaa", 1_020_000, 1_060_000))
                .build()
                .toByteArray());

        isTheTrace(reader.traces());
    }

    @Test
    void aMessageThatIsCutOffOrChangedIsAFaultOrReadButNeverMore() {
        byte[] message = TracesData.newBuilder()
                .addResourceSpans(resource("front", "aaaaaaaa", "", 1_000_000, 1_100_000))
                .addResourceSpans(resource("back", "bbbbbbbb", "aaaaaaaa", 1_020_000, 1_060_000))
                .build()
                .toByteArray();
        RandomGenerator random = Seeds.random("otlp");
        for (int i = 0; i < 5_000; i++) {
            byte[] changed = Arrays.copyOf(message, random.nextInt(message.length + 1));
            if (changed.length > 0) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            var reader = new TraceReader();
            reader.protobuf(changed);
            Traces traces = reader.traces();

            assertThat(traces.traces().stream()
                            .mapToInt(trace -> trace.nodes().size())
                            .sum())
                    .isLessThanOrEqualTo(4); // two, each with what stands for a caller that is missing
        }
    }

    @Test
    void tellsWhatItCouldNotReadAndGoesOn() {
        var good = new Span("aa", "01", null, "front", "get", 1_000, 1_100, false);
        Traces traces = json(
                TraceReader.line(good)
                        + "\n{\"trace\":\"aa\",\"id\":\"02\",\"start\":9,\"end\":3}\n{\"trace\":\"aa\"}\n{\"trace\":\"bb\",\"id\":");
        var reader = new TraceReader();
        reader.protobuf(new byte[] {1, 2, 3});

        assertThat(traces.traces()).hasSize(1);
        assertThat(traces.faults()).hasSize(3);
        assertThat(reader.traces().faults()).hasSize(1);
        assertThat(json("").faults()).hasSize(1);
        assertThat(json("[1, {\"resourceSpans\": 3}, {\"data\": [null]}]").traces())
                .isEmpty();
        assertThat(List.of(traces.traces().get(0).type())).containsExactly("front get");
    }

    @Test
    void readsADocumentThatWasCutAsFarAsItGoes() {
        String whole = """
                {"data": [{"traceID": "aa", "processes": {"p": {"serviceName": "front"}, "q": {"serviceName": "back"}},
                  "spans": [
                    {"traceID": "aa", "spanID": "01", "processID": "p", "operationName": "get", "startTime": 0, "duration": 100},
                    {"traceID": "aa", "spanID": "02", "processID": "q", "operationName": "a } in \\" text", "startTime": 20,
                     "duration": 40, "references": [{"refType": "CHILD_OF", "traceID": "aa", "spanID": "01"},
                                                    {"refType": "FOLLOWS_FROM", "traceID": "bb", "spanID": "09"}]},
                    {"traceID": "aa", "spanID": "03", "processID": "q", "startTime": 70, "duration": 10,
                     "references": [{"refType": "CHILD_OF", "traceID": "aa", "spanID": "01"}]}]}]}
                """;
        assertThat(json(whole).faults()).isEmpty();

        for (int length = 1; length < whole.length() - 4; length++) {
            Traces cut = json(whole.substring(0, length));

            int read = length;
            assertThat(cut.faults()).as("cut at %s", read).isNotEmpty();
            assertThat(cut.faults().size()).as("cut at %s", read).isLessThan(4);
        }
        Traces cut = json(whole.substring(0, whole.indexOf("{\"traceID\": \"aa\", \"spanID\": \"03\"") + 30));
        assertThat(cut.traces().get(0).nodes()).hasSize(2);
        assertThat(cut.traces().get(0).nodes().get(1).parent())
                .isSameAs(cut.traces().get(0).root());
        assertThat(cut.faults().get(0)).startsWith("cut or broken, read as far as it goes: {");
    }

    @Test
    void saysWhatIsMissingInWhichFileAndHowMuchMoreThereIs(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("zipkin.json"),
                "[{\"traceId\":\"aa\",\"id\":\"01\",\"name\":\"get\",\"timestamp\":5}, {\"traceId\":\"\\u001b[2J\",\"id\":\"02\"}"
                        + ",{\"traceId\":\"aa\",\"id\":\"03\"}".repeat(30) + "]");

        List<String> faults = TraceReader.files(List.of(file)).faults();

        assertThat(faults.get(0)).contains("duration is missing", "in zipkin.json", "\"01\"");
        assertThat(faults.get(1)).contains("timestamp is missing").doesNotContain("\u001b");
        assertThat(faults).hasSize(21);
        assertThat(faults.get(20)).isEqualTo("12 more like these");
    }

    @Test
    void readsFilesThatArePacked(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("spans.jsonl.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(TraceReader.line(new Span("aa", "01", null, "front", "get", 1_000, 1_100, false))
                    .getBytes(StandardCharsets.UTF_8));
        }

        assertThat(TraceReader.files(List.of(file)).traces()).hasSize(1);
        Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), 30));
        assertThatThrownBy(() -> TraceReader.files(List.of(file)))
                .hasMessageContaining("AUTOTUNE-5003")
                .hasMessageContaining("spans.jsonl.gz cannot be read");
    }
}

package io.leeway.autotune.lab.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What services send while the first trial is measured, over HTTP. */
class SpanReceiverTest {

    private final HttpClient http = HttpClient.newHttpClient();

    private int post(SpanReceiver receiver, String path, String type, String encoding, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + receiver.port() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", type)
                .header("Content-Encoding", encoding)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static byte[] zipped(byte[] plain) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    private static byte[] otlp() {
        var id = ByteString.copyFromUtf8("bbbbbbbb");
        return TracesData.newBuilder()
                .addResourceSpans(ResourceSpans.newBuilder()
                        .setResource(Resource.newBuilder()
                                .addAttributes(KeyValue.newBuilder()
                                        .setKey("service.name")
                                        .setValue(AnyValue.newBuilder().setStringValue("back"))))
                        .addScopeSpans(ScopeSpans.newBuilder()
                                .addSpans(Span.newBuilder()
                                        .setTraceId(ByteString.copyFromUtf8("tttttttttttttttt"))
                                        .setSpanId(id)
                                        .setName("get")
                                        .setStartTimeUnixNano(1_000_000)
                                        .setEndTimeUnixNano(9_000_000))))
                .build()
                .toByteArray();
    }

    @Test
    void takesZipkinsAndOtlpsSpansPlainAndPackedAndOutlivesWhatIsNone() throws Exception {
        byte[] zipkin = ("[{\"traceId\":\"aa\",\"id\":\"01\",\"name\":\"get\",\"timestamp\":1,\"duration\":9,"
                        + "\"localEndpoint\":{\"serviceName\":\"front\"}}]")
                .getBytes(StandardCharsets.UTF_8);
        try (var receiver = new SpanReceiver(0)) {
            assertThat(post(receiver, "/api/v2/spans", "application/json", "identity", zipkin))
                    .isEqualTo(200);
            receiver.clear();
            assertThat(post(receiver, "/api/v2/spans", "application/json", "gzip", zipped(zipkin)))
                    .isEqualTo(200);
            assertThat(post(receiver, "/v1/traces", "application/x-protobuf", "gzip", zipped(otlp())))
                    .isEqualTo(200);
            assertThat(post(receiver, "/v1/traces", "application/json", "identity", new byte[] {'{', 0, 1}))
                    .isEqualTo(200);

            assertThat(receiver.traces().traces()).hasSize(2);
            assertThat(receiver.traces().traces())
                    .extracting(trace -> trace.root().service())
                    .containsExactly("front", "back");
            assertThat(receiver.traces().faults()).hasSize(1);
        }
    }

    @Test
    void saysWhichPortIsTaken() throws Exception {
        try (var first = new SpanReceiver(0)) {
            assertThatThrownBy(() -> new SpanReceiver(first.port()).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("port " + first.port() + " for traces");
        }
    }
}

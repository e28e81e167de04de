package io.leeway.autotune.internal.controller;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.trace.CriticalPath;
import io.leeway.autotune.internal.trace.Otlp;
import io.leeway.autotune.internal.trace.Span;
import io.leeway.autotune.internal.trace.TraceStore;
import io.leeway.autotune.internal.trace.Zipkin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/**
 * Traces as exporters post them, OTLP's and Zipkin's, and those that agents of this machine saw; the last ones are kept
 * in memory. From them come the services with their share of the critical path.
 */
final class Traces {

    private static final int MOST_TRACES = 2_000;
    private static final int MOST_BYTES = 8_000_000;

    private final TraceStore store = new TraceStore(MOST_TRACES);
    private final Path agents;

    Traces(Path agents) {
        this.agents = agents;
    }

    /**
     * Takes what an exporter posts: OTLP's traces or Zipkin's spans. Lines of the lab's own form, an object each, are
     * not for here.
     *
     * @throws io.leeway.autotune.AutoTuneException if it is none of these
     */
    void receive(byte[] body, boolean isProtobuf) {
        String text = isProtobuf ? "" : new String(body, StandardCharsets.UTF_8).strip();
        if (text.startsWith("{\"trace\":")) {
            return;
        }
        store(isProtobuf ? Otlp.parse(body) : text.startsWith("[") ? Zipkin.parse(text) : Otlp.parse(text));
    }

    private void store(List<Span> spans) {
        store.add(spans.stream().filter(span -> !span.trace().isEmpty()).toList());
    }

    /** What was posted, unpacked if it was packed. */
    static byte[] body(HttpExchange exchange) throws IOException {
        InputStream in = exchange.getRequestBody();
        String encoding = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        byte[] body = ("gzip".equals(encoding.toLowerCase(Locale.ROOT)) ? new GZIPInputStream(in) : in)
                .readNBytes(MOST_BYTES + 1);
        if (body.length > MOST_BYTES) {
            throw AutoTuneError.BAD_REQUEST.because("more than " + MOST_BYTES + " bytes of spans at once");
        }
        return body;
    }

    /** The services on the critical path. */
    JsonObject path() {
        for (AgentAddress address : AgentAddress.all(agents)) {
            try {
                store(new RemoteService(address, "traces").spans());
            } catch (AutoTuneException e) {
                // It has just ended; what it saw before is there.
            }
        }
        List<List<Span>> traces = store.all();
        var parts = new ArrayList<JsonObject>();
        CriticalPath.over(traces).forEach(part -> parts.add(Json.tree(part)));
        var answer = new JsonObject();
        answer.addProperty("traces", traces.size());
        answer.add("services", Json.array(parts));
        return answer;
    }
}

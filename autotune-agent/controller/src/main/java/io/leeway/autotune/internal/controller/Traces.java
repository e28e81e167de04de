package io.leeway.autotune.internal.controller;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.trace.TraceHeader;
import io.leeway.autotune.lab.internal.trace.Span;
import io.leeway.autotune.lab.internal.trace.Trace;
import io.leeway.autotune.lab.internal.trace.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Traces as exporters post them, in any format that the lab reads, and those that agents of this machine saw; the last
 * ones are kept in memory, bounded in number and in spans. From them come the services with their share of the critical
 * path. Thread-safe.
 */
final class Traces {

    private static final int MOST_TRACES = 2_000;
    private static final int MOST_SPANS = 500;
    private static final int MOST_BYTES = 8_000_000;

    private final Map<String, List<Span>> store = new LinkedHashMap<>();
    private final Path agents;

    Traces(Path agents) {
        this.agents = agents;
    }

    /**
     * Takes what an exporter posts.
     *
     * @return how many spans it had
     * @throws io.leeway.autotune.AutoTuneException if nothing in it can be read
     */
    int receive(byte[] body, boolean isProtobuf) {
        var reader = new TraceReader();
        if (isProtobuf) {
            reader.protobuf(body);
        } else {
            reader.json(new String(body, StandardCharsets.UTF_8));
        }
        List<Span> spans = reader.take();
        List<String> faults = reader.traces().faults();
        if (spans.isEmpty() && !faults.isEmpty()) {
            throw AutoTuneError.BAD_REQUEST.because("no spans: " + faults.get(0));
        }
        spans.forEach(span -> add(span, span.trace()));
        return spans.size();
    }

    /** One trace may be told by agents, which have long ids, and by Zipkin with the short form of the same id. */
    private synchronized void add(Span span, String trace) {
        String id = TraceHeader.filled(trace.toLowerCase(Locale.ROOT));
        List<Span> spans = store.computeIfAbsent(id, key -> new ArrayList<>());
        if (spans.size() < MOST_SPANS) {
            spans.add(span);
        }
        if (store.size() > MOST_TRACES) {
            store.remove(store.keySet().iterator().next());
        }
    }

    private static Span span(io.leeway.autotune.internal.trace.Span seen) {
        return new Span(
                seen.trace(),
                seen.id(),
                seen.parent().isEmpty() ? null : seen.parent(),
                seen.service(),
                seen.name(),
                seen.start(),
                seen.end(),
                false);
    }

    private synchronized List<Trace> traces() {
        return store.values().stream().map(Trace::of).flatMap(Optional::stream).toList();
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
                new RemoteService(address, "traces").spans().forEach(seen -> add(span(seen), seen.trace()));
            } catch (AutoTuneException e) {
                // It has just ended; what it saw before is there.
            }
        }
        List<Trace> traces = traces();
        var parts = new ArrayList<JsonObject>();
        PathShares.of(traces).forEach(part -> parts.add(Json.tree(part)));
        var answer = new JsonObject();
        answer.addProperty("traces", traces.size());
        answer.add("services", Json.array(parts));
        return answer;
    }
}

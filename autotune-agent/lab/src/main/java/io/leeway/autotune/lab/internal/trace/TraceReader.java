package io.leeway.autotune.lab.internal.trace;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.leeway.autotune.AutoTuneError;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads spans in the formats that there are: OTLP as JSON and as protobuf, Zipkin's version 2 and Jaeger's JSON, what
 * agents tell, and the lab's own lines. JSON may be one value or one a line; a line or a span that cannot be read, such as the last one of
 * a file that was cut, is a fault and not the end. Not thread-safe.
 */
public final class TraceReader {

    private static final int MOST_FAULTS = 20;
    private static final String NAME = "service.name";
    private static final String INSTANCE = "service.instance.id";

    private final List<Span> spans = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private String file = "";
    private int untold;

    /** Reads files, and all files of directories. */
    public static Traces files(List<Path> paths) {
        var reader = new TraceReader();
        for (Path path : paths) {
            try {
                reader.file(path);
            } catch (NoSuchFileException e) {
                throw AutoTuneError.BAD_TRACES.because("there is no file " + path, e);
            } catch (IOException e) {
                throw AutoTuneError.BAD_TRACES.because(path + " cannot be read: " + e.getMessage(), e);
            }
        }
        return reader.traces();
    }

    private void file(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.list(path)) {
                for (Path file : files.sorted().toList()) {
                    file(file);
                }
            }
            return;
        }
        byte[] bytes = Files.readAllBytes(path);
        boolean isPacked = bytes.length > 1 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
        if (isPacked) {
            bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
        }
        file = " (in " + path.getFileName() + ")";
        if (path.toString().endsWith(isPacked ? ".pb.gz" : ".pb")) {
            protobuf(bytes);
        } else {
            json(new String(bytes, StandardCharsets.UTF_8));
        }
        file = "";
    }

    /** What was read so far. */
    public Traces traces() {
        var told = new ArrayList<>(faults);
        if (untold > 0) {
            told.add(untold + " more like these");
        }
        return Traces.of(spans, told);
    }

    /** The spans that were read so far, which are forgotten then. */
    public List<Span> take() {
        List<Span> taken = List.copyOf(spans);
        spans.clear();
        return taken;
    }

    private void fault(String what) {
        if (faults.size() < MOST_FAULTS) {
            // Whatever stands in a file, a terminal shows it as text.
            faults.add(what.replaceAll("\\p{Cntrl}", "?") + file);
        } else {
            untold++;
        }
    }

    /** JSON of any of the formats. */
    public void json(String text) {
        if (text.isBlank()) {
            fault("there is nothing in it");
            return;
        }
        JsonElement whole = parsed(text);
        if (whole != null) {
            value(whole);
        } else if (text.lines().filter(line -> !line.isBlank()).limit(1).allMatch(line -> parsed(line) != null)) {
            text.lines().filter(line -> !line.isBlank()).forEach(this::line);
        } else {
            line(text);
        }
    }

    private static @Nullable JsonElement parsed(String text) {
        try {
            return JsonParser.parseString(text);
        } catch (JsonParseException | IllegalStateException e) {
            return null;
        }
    }

    private void line(String line) {
        JsonElement value = parsed(line);
        if (value != null) {
            value(value);
            return;
        }
        JsonElement rest = parsed(ended(line));
        String begin = line.length() > 60 ? line.substring(0, 60) + "…" : line;
        if (rest != null && (rest.isJsonObject() || rest.isJsonArray())) {
            fault("cut or broken, read as far as it goes: " + begin);
            value(rest);
        } else {
            fault("no JSON: " + begin);
        }
    }

    /** JSON that was cut, until the last object that is whole, with what is open then closed; a sign that is none if there is none. */
    private static String ended(String text) {
        var open = new ArrayDeque<Character>();
        boolean isText = false;
        int end = 0;
        String closing = "}";
        for (int i = 0; i < text.length(); i++) {
            char sign = text.charAt(i);
            if (isText) {
                i += sign == '\\' ? 1 : 0;
                isText = sign != '"';
            } else if (sign == '"') {
                isText = true;
            } else if (sign == '{' || sign == '[') {
                open.push(sign == '{' ? '}' : ']');
            } else if (sign == '}' || sign == ']') {
                if (open.isEmpty() || open.pop() != sign) {
                    break;
                }
                if (sign == '}') {
                    end = i + 1;
                    closing = open.stream().map(String::valueOf).collect(Collectors.joining());
                }
            }
        }
        return text.substring(0, end) + closing;
    }

    private void value(JsonElement value) {
        if (value.isJsonArray()) {
            value.getAsJsonArray().forEach(this::value);
            return;
        }
        if (!value.isJsonObject()) {
            fault("a span is an object, not " + value);
            return;
        }
        JsonObject json = value.getAsJsonObject();
        if (json.has("resourceSpans")) {
            array(json, "resourceSpans").forEach(one -> guarded(one, this::otlp));
        } else if (json.has("data")) {
            array(json, "data").forEach(one -> guarded(one, this::jaeger));
        } else if (json.has("traceID") && json.has("spans")) {
            guarded(json, this::jaeger);
        } else if (json.has("traceId") && json.has("id")) {
            guarded(json, this::zipkin);
        } else {
            guarded(json, this::own);
        }
    }

    private interface Part {
        void read(JsonObject json);
    }

    private void guarded(JsonElement element, Part part) {
        try {
            part.read(element.getAsJsonObject());
        } catch (RuntimeException e) {
            String shown = element.toString();
            fault("a span that cannot be read: " + e.getMessage() + ", in "
                    + (shown.length() > 60 ? shown.substring(0, 60) + "…" : shown));
        }
    }

    private void add(
            String trace,
            String id,
            @Nullable String parent,
            String service,
            String operation,
            long start,
            long end,
            boolean isAsync) {
        if (trace.isEmpty() || id.isEmpty()) {
            fault("a span without an id");
        } else if (end < start) {
            fault("span " + id + " ends before it begins");
        } else {
            String caller = parent == null || parent.isEmpty() || parent.matches("0+") ? null : parent;
            spans.add(new Span(trace, id, caller, service, operation, start, end, isAsync));
        }
    }

    private static List<JsonElement> array(JsonObject json, String field) {
        JsonElement element = json.get(field);
        return element instanceof JsonArray array ? array.asList() : List.of();
    }

    private static String text(JsonObject json, String field) {
        JsonElement element = json.get(field);
        return element instanceof JsonPrimitive primitive ? primitive.getAsString() : "";
    }

    private static long number(JsonObject json, String field) {
        String text = text(json, field);
        try {
            return new BigDecimal(text).longValue();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    text.isEmpty() ? field + " is missing" : field + " is " + text + ", which is no number", e);
        }
    }

    private void otlp(JsonObject resource) {
        var names = new HashMap<String, String>();
        JsonElement of = resource.get("resource");
        if (of != null) {
            array(of.getAsJsonObject(), "attributes").forEach(attribute -> {
                JsonObject pair = attribute.getAsJsonObject();
                names.put(text(pair, "key"), text(pair.getAsJsonObject("value"), "stringValue"));
            });
        }
        String service = service(names);
        Stream.concat(array(resource, "scopeSpans").stream(), array(resource, "instrumentationLibrarySpans").stream())
                .flatMap(scope -> array(scope.getAsJsonObject(), "spans").stream())
                .forEach(element -> guarded(
                        element,
                        span -> add(
                                text(span, "traceId"),
                                text(span, "spanId"),
                                text(span, "parentSpanId"),
                                service,
                                text(span, "name"),
                                number(span, "startTimeUnixNano") / 1_000,
                                number(span, "endTimeUnixNano") / 1_000,
                                List.of("4", "5", "SPAN_KIND_PRODUCER", "SPAN_KIND_CONSUMER")
                                        .contains(text(span, "kind")))));
    }

    /** An instance is its service and, where there is one, its own id. */
    private static String service(Map<String, String> names) {
        String service = names.getOrDefault(NAME, "unknown");
        String instance = names.getOrDefault(INSTANCE, "");
        return instance.isEmpty() || instance.length() > 30 ? service : service + "@" + instance;
    }

    private void zipkin(JsonObject span) {
        JsonElement endpoint = span.get("localEndpoint");
        String service = endpoint == null ? "unknown" : text(endpoint.getAsJsonObject(), "serviceName");
        long start = number(span, "timestamp");
        add(
                text(span, "traceId"),
                text(span, "id"),
                text(span, "parentId"),
                service,
                text(span, "name"),
                start,
                start + number(span, "duration"),
                List.of("PRODUCER", "CONSUMER").contains(text(span, "kind")));
    }

    private void jaeger(JsonObject trace) {
        JsonObject processes = trace.has("processes") ? trace.getAsJsonObject("processes") : new JsonObject();
        for (JsonElement element : array(trace, "spans")) {
            guarded(element, span -> {
                JsonElement process = processes.get(text(span, "processID"));
                String service = process == null ? "unknown" : text(process.getAsJsonObject(), "serviceName");
                String parent = null;
                boolean isAsync = false;
                for (JsonElement reference : array(span, "references")) {
                    boolean follows =
                            text(reference.getAsJsonObject(), "refType").equals("FOLLOWS_FROM");
                    // Of several, the caller that waits.
                    if (parent == null || isAsync) {
                        parent = text(reference.getAsJsonObject(), "spanID");
                        isAsync = follows;
                    }
                }
                long start = number(span, "startTime");
                add(
                        text(span, "traceID"),
                        text(span, "spanID"),
                        parent,
                        service,
                        text(span, "operationName"),
                        start,
                        start + number(span, "duration"),
                        isAsync);
            });
        }
    }

    /** The lab's own lines, which have an end, and what agents tell, which has a duration. */
    private void own(JsonObject span) {
        if (!span.has("trace") || !span.has("start")) {
            throw new IllegalArgumentException("none of the formats: " + span.keySet());
        }
        long start = number(span, "start");
        add(
                text(span, "trace"),
                text(span, "id"),
                text(span, "parent"),
                text(span, "service"),
                text(span, span.has("operation") ? "operation" : "name"),
                start,
                span.has("duration") ? start + number(span, "duration") : number(span, "end"),
                text(span, "async").equals("true"));
    }

    /** A span as one of the lab's own lines. */
    public static String line(Span span) {
        var json = new JsonObject();
        json.addProperty("trace", span.trace());
        json.addProperty("id", span.id());
        if (span.parent() != null) {
            json.addProperty("parent", span.parent());
        }
        json.addProperty("service", span.service());
        json.addProperty("operation", span.operation());
        json.addProperty("start", span.startMicros());
        json.addProperty("end", span.endMicros());
        if (span.isAsync()) {
            json.addProperty("async", true);
        }
        return json.toString();
    }

    /** OTLP as exporters send it by default. */
    public void protobuf(byte[] bytes) {
        TracesData data;
        try {
            data = TracesData.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            fault("no OTLP: " + e.getMessage());
            return;
        }
        for (ResourceSpans resource : data.getResourceSpansList()) {
            var names = new HashMap<String, String>();
            for (KeyValue pair : resource.getResource().getAttributesList()) {
                names.put(pair.getKey(), pair.getValue().getStringValue());
            }
            String service = service(names);
            for (ScopeSpans scope : resource.getScopeSpansList()) {
                scope.getSpansList()
                        .forEach(span -> add(
                                hex(span.getTraceId()),
                                hex(span.getSpanId()),
                                hex(span.getParentSpanId()),
                                service,
                                span.getName(),
                                span.getStartTimeUnixNano() / 1_000,
                                span.getEndTimeUnixNano() / 1_000,
                                span.getKindValue() == 4 || span.getKindValue() == 5));
            }
        }
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}

package io.leeway.autotune.internal.trace;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * OTLP's traces as an exporter posts them over HTTP, in Protobuf or in JSON. Of the message only what a critical path
 * needs is read: resourceSpans(1) with resource(1) and its attribute service.name, scopeSpans(2), spans(2), and of a span
 * its ids, name, times, kind and status. Fields that are not known are skipped, as the format asks.
 */
public final class Otlp {

    private static final int ERROR = 2;
    private static final String NAME = "service.name";

    private Otlp() {}

    /**
     * Reads Protobuf.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_REQUEST} if it is cut off or none
     */
    public static List<Span> parse(byte[] message) {
        var spans = new ArrayList<Span>();
        try {
            var request = new Protobuf(message);
            while (request.next()) {
                if (request.is(1)) {
                    resourceSpans(request.message(), spans);
                }
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw AutoTuneError.BAD_REQUEST.because("not a message of OTLP's traces", e);
        }
        return spans;
    }

    private static void resourceSpans(Protobuf message, List<Span> spans) {
        String service = "unknown";
        var scopes = new ArrayList<Protobuf>();
        while (message.next()) {
            if (message.is(1)) {
                service = service(message.message(), service);
            } else if (message.is(2)) {
                scopes.add(message.message());
            }
        }
        for (Protobuf scope : scopes) {
            while (scope.next()) {
                if (scope.is(2)) {
                    spans.add(span(scope.message(), service));
                }
            }
        }
    }

    private static String service(Protobuf resource, String otherwise) {
        String service = otherwise;
        while (resource.next()) {
            if (resource.is(1)) {
                Protobuf attribute = resource.message();
                String key = "";
                String value = "";
                while (attribute.next()) {
                    if (attribute.is(1)) {
                        key = attribute.text();
                    } else if (attribute.is(2)) {
                        value = string(attribute.message());
                    }
                }
                service = NAME.equals(key) ? value : service;
            }
        }
        return service;
    }

    private static String string(Protobuf value) {
        String text = "";
        while (value.next()) {
            text = value.is(1) ? value.text() : text;
        }
        return text;
    }

    private static Span span(Protobuf span, String service) {
        String trace = "";
        String id = "";
        String parent = "";
        String name = "";
        long start = 0;
        long end = 0;
        boolean failed = false;
        while (span.next()) {
            switch (span.field()) {
                case 1 -> trace = HexFormat.of().formatHex(span.bytes());
                case 2 -> id = HexFormat.of().formatHex(span.bytes());
                case 4 -> parent = HexFormat.of().formatHex(span.bytes());
                case 5 -> name = span.text();
                case 7 -> start = span.number() / 1_000;
                case 8 -> end = span.number() / 1_000;
                case 15 -> failed = isError(span.message());
                default -> {
                    // Skipped by the next.
                }
            }
        }
        return new Span(trace, id, parent, service, name, start, Math.max(0, end - start), failed);
    }

    private static boolean isError(Protobuf status) {
        boolean error = false;
        while (status.next()) {
            error |= status.is(3) && status.number() == ERROR;
        }
        return error;
    }

    /** The same from OTLP's JSON. */
    public static List<Span> parse(String json) {
        var spans = new ArrayList<Span>();
        for (JsonElement resource : Json.array(Json.object(json), "resourceSpans")) {
            JsonObject object = object(resource);
            String service = "unknown";
            for (JsonElement attribute : Json.array(Json.object(object, "resource"), "attributes")) {
                if (NAME.equals(Json.text(object(attribute), "key", ""))) {
                    service = Json.text(Json.object(object(attribute), "value"), "stringValue", service);
                }
            }
            for (JsonElement scope : Json.array(object, "scopeSpans")) {
                for (JsonElement span : Json.array(object(scope), "spans")) {
                    spans.add(span(object(span), service));
                }
            }
        }
        return spans;
    }

    private static JsonObject object(JsonElement element) {
        if (!element.isJsonObject()) {
            throw AutoTuneError.BAD_REQUEST.because("not OTLP's JSON");
        }
        return element.getAsJsonObject();
    }

    private static Span span(JsonObject span, String service) {
        long start = nanos(span, "startTimeUnixNano") / 1_000;
        long end = nanos(span, "endTimeUnixNano") / 1_000;
        return new Span(
                Json.text(span, "traceId").toLowerCase(Locale.ROOT),
                Json.text(span, "spanId").toLowerCase(Locale.ROOT),
                Json.text(span, "parentSpanId", "").toLowerCase(Locale.ROOT),
                service,
                Json.text(span, "name", ""),
                start,
                Math.max(0, end - start),
                Json.number(Json.object(span, "status"), "code", 0) == ERROR);
    }

    /** A number of 64 bits, which JSON has as a text. */
    private static long nanos(JsonObject span, String field) {
        try {
            return Math.max(0, Long.parseLong(Json.text(span, field)));
        } catch (NumberFormatException e) {
            throw AutoTuneError.BAD_REQUEST.because(field + " is no time", e);
        }
    }

    /** A message of Protobuf, field by field. Lengths that reach over the end are found out by the buffer. */
    private static final class Protobuf {

        private final byte[] data;
        private final int end;
        private int at;
        private int tag;
        private long value;
        private int from;

        Protobuf(byte[] data) {
            this(data, 0, data.length);
        }

        private Protobuf(byte[] data, int from, int end) {
            this.data = data;
            this.at = from;
            this.end = end;
        }

        boolean next() {
            if (at >= end) {
                return false;
            }
            tag = (int) varint();
            switch (tag & 7) {
                case 0 -> value = varint();
                case 1 -> value = fixed(8);
                case 2 -> {
                    value = varint();
                    from = at;
                    if (value < 0 || value > end - at) {
                        throw new IllegalArgumentException("a field that is longer than its message");
                    }
                    at += (int) value;
                }
                case 5 -> value = fixed(4);
                default -> throw new IllegalArgumentException("a kind of field that is not known");
            }
            return true;
        }

        private long varint() {
            long number = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                byte next = data[at++];
                number |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
            throw new IllegalArgumentException("a number that does not end");
        }

        private long fixed(int bytes) {
            long number = 0;
            for (int i = 0; i < bytes; i++) {
                number |= (data[at++] & 0xFFL) << (8 * i);
            }
            return number;
        }

        int field() {
            return tag >>> 3;
        }

        boolean is(int number) {
            return field() == number;
        }

        long number() {
            return Math.max(0, value);
        }

        private void checkBytes() {
            if ((tag & 7) != 2) {
                throw new IllegalArgumentException("a number where bytes belong");
            }
        }

        byte[] bytes() {
            checkBytes();
            return java.util.Arrays.copyOfRange(data, from, from + (int) value);
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        Protobuf message() {
            checkBytes();
            return new Protobuf(data, from, from + (int) value);
        }
    }
}

package io.leeway.autotune.internal.trace;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Zipkin's JSON of its second version: a list of spans. */
public final class Zipkin {

    private Zipkin() {}

    /**
     * Reads a list.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_REQUEST} if it is none
     */
    public static List<Span> parse(String text) {
        JsonArray list;
        try {
            list = JsonParser.parseString(text).getAsJsonArray();
        } catch (JsonParseException | IllegalStateException e) {
            throw AutoTuneError.BAD_REQUEST.because("not a list of Zipkin's spans", e);
        }
        var spans = new ArrayList<Span>();
        for (JsonElement element : list) {
            if (!element.isJsonObject()) {
                throw AutoTuneError.BAD_REQUEST.because("not a span of Zipkin");
            }
            JsonObject span = element.getAsJsonObject();
            // One that has not ended yet has no duration.
            if (span.has("timestamp") && span.has("duration")) {
                spans.add(span(span));
            }
        }
        return spans;
    }

    private static Span span(JsonObject json) {
        JsonObject endpoint = Json.object(json, "localEndpoint");
        return new Span(
                TraceHeader.filled(id(json, "traceId")),
                id(json, "id"),
                json.has("parentId") ? id(json, "parentId") : "",
                Json.text(endpoint, "serviceName", "unknown"),
                Json.text(json, "name", ""),
                micros(json, "timestamp"),
                micros(json, "duration"),
                Json.object(json, "tags").has("error"));
    }

    private static String id(JsonObject json, String field) {
        return Json.text(json, field).toLowerCase(Locale.ROOT);
    }

    private static long micros(JsonObject json, String field) {
        double number = Json.number(json, field);
        if (number < 0) {
            throw AutoTuneError.BAD_REQUEST.because(field + " is below nought");
        }
        return (long) number;
    }
}

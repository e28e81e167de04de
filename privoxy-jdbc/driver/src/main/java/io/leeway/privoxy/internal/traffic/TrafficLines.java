package io.leeway.privoxy.internal.traffic;

import io.leeway.privoxy.internal.model.Value;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a recording. {@link TrafficReader} reads them back.
 *
 * <p>The form is an interface to recordings of earlier versions: a new member may come, a name never changes its
 * meaning without another {@link #FORMAT}.
 */
final class TrafficLines {

    static final String KIND = "privoxy";
    static final String START = "start";
    static final String BEGIN = "request";
    static final String END = "end";
    static final String DECIDED = "statement";
    static final String ROW = "row";
    static final String EXHAUSTED = "exhausted";
    static final String MARK = "mark";
    static final String FORGET = "forget";
    static final String LOST = "lost";

    /** Version of the form, in every start line. */
    static final long FORMAT = 1;

    /** A statement's line is no longer than this but for its parameters; a longer text is left out. */
    static final int MAX_SQL = 1_000_000;

    /** Longest line that is written or read. */
    static final int MAX_LINE = 8_000_000;

    private TrafficLines() {}

    static String start(Instant at, String dialect, String policy) {
        return line(START)
                .member("format", FORMAT)
                .member("at", at.toString())
                .member("dialect", dialect)
                .member("policy", policy)
                .endObject()
                .toString();
    }

    static String begin(String request, Map<String, Value> context) {
        JsonWriter json = line(BEGIN).member("request", request);
        json.name("context").object();
        // By name, so that two recordings of the same can be compared.
        new TreeMap<>(context).forEach((name, value) -> {
            json.name(name);
            TypedValues.write(json, value.isNull() ? null : value.raw());
        });
        return json.endObject().endObject().toString();
    }

    static String end(String request) {
        return line(END).member("request", request).endObject().toString();
    }

    static String decided(String name, @Nullable String request, Instant at, TrafficSink.Statement statement) {
        String line = decided(name, request, at, statement, statement.parameters());
        // A reader has a bound for lines; unknown parameters still tell that and how the statement was decided.
        return line.length() <= MAX_LINE
                ? line
                : decided(name, request, at, statement, unknown(statement.parameters()));
    }

    private static List<@Nullable Object> unknown(List<@Nullable Object> parameters) {
        return parameters.stream()
                .<@Nullable Object>map(known -> TypedValues.UNKNOWN)
                .toList();
    }

    private static String decided(
            String name,
            @Nullable String request,
            Instant at,
            TrafficSink.Statement statement,
            List<@Nullable Object> parameters) {
        TrafficRecord.Decision decision = statement.decision();
        JsonWriter json = line(DECIDED).member("statement", name);
        if (request != null) {
            json.member("request", request);
        }
        json.member("at", at.toString());
        json.member("sql", statement.sql().length() > MAX_SQL ? null : statement.sql());
        json.member("path", statement.session().searchPath());
        json.member("settings", statement.session().settings());
        json.name("parameters").array();
        parameters.forEach(parameter -> TypedValues.write(json, parameter));
        json.endArray();
        json.member("outcome", decision.outcome().name().toLowerCase(Locale.ROOT));
        json.member("stage", decision.stage().name().toLowerCase(Locale.ROOT));
        json.member("nanos", decision.nanos());
        json.member("passed", decision.passed());
        optional(json, "code", decision.code());
        optional(json, "query", decision.queryId());
        optional(json, "text", decision.query().length() > MAX_SQL ? "" : decision.query());
        optional(json, "reason", decision.reason());
        if (!decision.nearest().isEmpty()) {
            json.member("nearest", decision.nearest());
        }
        json.name("columns").array();
        statement.columns().forEach(json::number);
        return json.endArray().endObject().toString();
    }

    private static void optional(JsonWriter json, String name, String text) {
        if (!text.isEmpty()) {
            json.member(name, text);
        }
    }

    static String row(String statement, @Nullable Object[] cells) {
        JsonWriter json = line(ROW).member("statement", statement).name("cells").array();
        for (Object cell : cells) {
            // The rest of a very long row counts as not read, which can only refuse more when it is replayed.
            TypedValues.write(json, json.length() > MAX_LINE / 2 ? TypedValues.UNKNOWN : cell);
        }
        return json.endArray().endObject().toString();
    }

    static String exhausted(String statement) {
        return line(EXHAUSTED).member("statement", statement).endObject().toString();
    }

    static String mark(String request, long mark) {
        return line(MARK)
                .member("request", request)
                .member("mark", mark)
                .endObject()
                .toString();
    }

    static String forget(String request, long since) {
        return line(FORGET)
                .member("request", request)
                .member("since", since)
                .endObject()
                .toString();
    }

    static String lost(long lines) {
        return line(LOST).member("lines", lines).endObject().toString();
    }

    private static JsonWriter line(String kind) {
        return new JsonWriter().object().member(KIND, kind);
    }
}

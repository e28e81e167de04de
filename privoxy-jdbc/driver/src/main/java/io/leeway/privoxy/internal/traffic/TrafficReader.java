package io.leeway.privoxy.internal.traffic;

import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording, plain or with gzip, line by line. A last line without end, as a killed process leaves it, is
 * passed over; anything else that is not understood is an error with its line. Not thread-safe.
 *
 * <p>A recording is taken from a running application, so its end may be anywhere.
 */
public final class TrafficReader implements Closeable {

    private final String name;
    private final CountingStream bytes;
    private final Reader text;
    private final StringBuilder line = new StringBuilder();
    private long lineNumber;
    private boolean cutOff;

    private TrafficReader(String name, InputStream in, boolean zipped) throws IOException {
        this.name = name;
        this.bytes = new CountingStream(in);
        InputStream plain = zipped ? new GZIPInputStream(bytes) : bytes;
        this.text = new InputStreamReader(
                new BufferedInputStream(plain, 1 << 16),
                StandardCharsets.UTF_8
                        .newDecoder()
                        // With a replacement character a text would be another one than was decided on.
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    /** Opens a recording. */
    public static TrafficReader open(Path path) throws IOException {
        InputStream in = Files.newInputStream(path);
        try {
            return new TrafficReader(path.toString(), in, path.toString().endsWith(".gz"));
        } catch (IOException | RuntimeException unreadable) {
            in.close();
            throw unreadable;
        }
    }

    /** Reads a recording from memory. */
    static TrafficReader of(String text) throws IOException {
        return new TrafficReader(
                "text", new java.io.ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), false);
    }

    /**
     * The next record; null at the end.
     *
     * @throws JsonException with file and line if there is something that is no record
     */
    public @Nullable TrafficRecord next() throws IOException {
        while (readLine()) {
            if (line.isEmpty()) {
                continue;
            }
            try {
                return record(JsonReader.read(line.toString()).object());
            } catch (JsonException | DateTimeException problem) {
                // Written half by a process that was killed: the rest of the file is good.
                if (cutOff) {
                    return null;
                }
                throw new JsonException(name + ":" + lineNumber + ": " + problem.getMessage());
            }
        }
        return null;
    }

    /** How many bytes of the file have been read. */
    public long position() {
        return bytes.count;
    }

    /** Whether the last line was without end and not understood. */
    public boolean isCutOff() {
        return cutOff;
    }

    @Override
    public void close() throws IOException {
        text.close();
    }

    /** Reads a line; false at the end. */
    private boolean readLine() throws IOException {
        line.setLength(0);
        lineNumber++;
        int c = text.read();
        if (c < 0) {
            return false;
        }
        while (c >= 0 && c != '\n') {
            line.append((char) c);
            // Twice, as escapes make a line longer than what was counted.
            if (line.length() > TrafficLines.MAX_LINE * 2) {
                throw new JsonException(name + ":" + lineNumber + ": the line is too long");
            }
            c = text.read();
        }
        cutOff = c < 0;
        return true;
    }

    private static TrafficRecord record(Json.Members json) {
        String kind = json.need(TrafficLines.KIND).text();
        return switch (kind) {
            case TrafficLines.START -> start(json);
            case TrafficLines.BEGIN -> new TrafficRecord.Begin(text(json, "request"), context(json));
            case TrafficLines.END -> new TrafficRecord.End(text(json, "request"));
            case TrafficLines.DECIDED -> decided(json);
            case TrafficLines.ROW ->
                new TrafficRecord.Row(text(json, "statement"), TypedValues.readAll(json.need("cells")));
            case TrafficLines.EXHAUSTED -> new TrafficRecord.Exhausted(text(json, "statement"));
            case TrafficLines.MARK ->
                new TrafficRecord.Mark(text(json, "request"), json.need("mark").whole());
            case TrafficLines.FORGET ->
                new TrafficRecord.Forget(
                        text(json, "request"), json.need("since").whole());
            case TrafficLines.LOST -> new TrafficRecord.Lost(json.need("lines").whole());
            default -> throw new JsonException("\"" + kind + "\" is no kind of record");
        };
    }

    private static TrafficRecord start(Json.Members json) {
        if (json.need("format").whole() != TrafficLines.FORMAT) {
            // A half-understood recording would be decided on with facts missing.
            throw new JsonException("the recording has a form that this version does not read");
        }
        return new TrafficRecord.Start(Instant.parse(text(json, "at")), text(json, "dialect"), text(json, "policy"));
    }

    private static Map<String, @Nullable Object> context(Json.Members json) {
        var context = new LinkedHashMap<String, @Nullable Object>();
        json.need("context").object().members().forEach((name, value) -> context.put(name, TypedValues.read(value)));
        return context;
    }

    private static TrafficRecord decided(Json.Members json) {
        return new TrafficRecord.Decided(
                text(json, "statement"),
                optional(json, "request"),
                Instant.parse(text(json, "at")),
                optional(json, "sql"),
                new TrafficRecord.Session(
                        json.need("path").texts(), json.need("settings").texts()),
                TypedValues.readAll(json.need("parameters")),
                decision(json),
                columns(json.need("columns")));
    }

    private static TrafficRecord.Decision decision(Json.Members json) {
        return new TrafficRecord.Decision(
                constant(Outcome.class, text(json, "outcome")),
                constant(Stage.class, text(json, "stage")),
                json.need("nanos").whole(),
                json.need("passed").truth(),
                orEmpty(json, "code"),
                orEmpty(json, "query"),
                orEmpty(json, "text"),
                orEmpty(json, "reason"),
                nearest(json));
    }

    private static List<String> nearest(Json.Members json) {
        Json nearest = json.get("nearest");
        return nearest == null ? List.of() : nearest.texts();
    }

    private static List<Integer> columns(Json json) {
        var columns = new ArrayList<Integer>();
        for (Json item : json.items()) {
            long column = item.whole();
            // A number out of range would make an array of that size later.
            if (column < 1 || column > Short.MAX_VALUE) {
                throw new JsonException("there is no column " + column);
            }
            columns.add((int) column);
        }
        return columns;
    }

    private static String text(Json.Members json, String name) {
        return json.need(name).text();
    }

    private static @Nullable String optional(Json.Members json, String name) {
        Json member = json.get(name);
        return member == null ? null : member.text();
    }

    private static String orEmpty(Json.Members json, String name) {
        String text = optional(json, name);
        return text == null ? "" : text;
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(name)) {
                return constant;
            }
        }
        throw new JsonException("\"" + name + "\" is not known");
    }

    /**
     * Counts what is read through it.
     *
     * <p>For a progress bar over compressed files, whose length in lines nobody knows.
     */
    private static final class CountingStream extends java.io.FilterInputStream {

        private long count;

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int c = super.read();
            count += c < 0 ? 0 : 1;
            return c;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}

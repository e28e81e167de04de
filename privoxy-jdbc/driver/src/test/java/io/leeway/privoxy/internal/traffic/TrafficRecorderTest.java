package io.leeway.privoxy.internal.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.RequestScope;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficRecorderTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final Trace.Bounds BOUNDS = new Trace.Bounds(100, 100, 10_000);

    @TempDir
    private Path folder;

    @Test
    void readsBackARequestFromItsBeginningToItsEnd() throws IOException {
        Path path = folder.resolve("t.jsonl");
        LineFile file = new LineFile(path, LineFile.MAX_WAITING, TrafficLines::lost);
        var recorder = new TrafficRecorder(file, InstantSource.fixed(NOW));
        recorder.policy("H2", "abc");
        var scope = new RequestScope(Map.of("MyUId", Value.of(2), "Role", Value.of("guest")));
        Request request = scope.of(this, BOUNDS);

        TrafficSink.Rows rows = recorder.decided(
                request, statement("SELECT * FROM t WHERE a = ?", Outcome.ALLOW, Arrays.asList(5L, null), 1, 3));
        rows.row(new Object[] {5L, "x"});
        rows.row(new Object[] {6L, null});
        rows.exhausted();
        recorder.decided(request, statement("SELECT secret FROM t", Outcome.DENY, List.of()));
        long mark = request.trace().mark();
        request.trace().forgetSince(mark);
        scope.end();
        recorder.decided(Request.NOBODY, statement("SELECT 1", Outcome.ALLOW, List.of()));
        file.flush(Duration.ofSeconds(30));

        List<TrafficRecord> records = readAll(path);
        assertThat(records).hasSize(11);
        assertThat(records.get(0)).isEqualTo(new TrafficRecord.Start(NOW, "H2", "abc"));
        var begin = (TrafficRecord.Begin) records.get(1);
        assertThat(begin.context()).isEqualTo(Map.of("MyUId", 2L, "Role", "guest"));
        var first = (TrafficRecord.Decided) records.get(2);
        assertThat(first.request()).isEqualTo(begin.request());
        assertThat(first.sql()).isEqualTo("SELECT * FROM t WHERE a = ?");
        assertThat(first.parameters()).containsExactly(5L, null);
        assertThat(first.columns()).containsExactly(1, 3);
        assertThat(first.session().searchPath()).containsExactly("public");
        assertThat(first.decision().stage()).isEqualTo(Stage.CHASE);
        assertThat(records.get(3)).isEqualTo(new TrafficRecord.Row(first.statement(), List.of(5L, "x")));
        assertThat(((TrafficRecord.Row) records.get(4)).cells()).containsExactly(6L, null);
        assertThat(records.get(5)).isEqualTo(new TrafficRecord.Exhausted(first.statement()));
        var second = (TrafficRecord.Decided) records.get(6);
        assertThat(second.decision().outcome()).isEqualTo(Outcome.DENY);
        assertThat(second.decision().reason()).isEqualTo("because");
        assertThat(second.decision().nearest()).containsExactly("v: a row");
        assertThat(records.get(7)).isEqualTo(new TrafficRecord.Mark(begin.request(), mark));
        assertThat(records.get(8)).isEqualTo(new TrafficRecord.Forget(begin.request(), mark));
        assertThat(records.get(9)).isEqualTo(new TrafficRecord.End(begin.request()));
        assertThat(((TrafficRecord.Decided) records.get(10)).request()).isNull();
        file.close();
    }

    @Test
    void readsWhatWasZipped() throws IOException {
        Path path = folder.resolve("t.jsonl.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(path))) {
            out.write((TrafficLines.lost(3) + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        assertThat(readAll(path)).containsExactly(new TrafficRecord.Lost(3));
    }

    @Test
    void aLastLineThatIsCutOffIsPassedOver() throws IOException {
        String whole = TrafficLines.end("r-1");

        assertThat(readAll(whole + "\n" + whole.substring(0, 10))).containsExactly(new TrafficRecord.End("r-1"));
    }

    @Test
    void aDamagedLineIsAnErrorWithItsNumber() {
        String whole = TrafficLines.end("r-1");

        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> readAll(whole + "\n" + whole.substring(0, 10) + "\n" + whole + "\n"))
                .withMessageStartingWith("text:2: column 11");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> readAll("{\"privoxy\":\"gossip\"}\n"))
                .withMessageContaining("text:1: \"gossip\" is no kind of record");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> readAll("{\"privoxy\":\"start\",\"format\":2}\n"))
                .withMessageContaining("does not read");
    }

    @Test
    void aTextBeyondReasonIsLeftOut() throws IOException {
        TrafficSink.Statement statement = statement("x".repeat(TrafficLines.MAX_SQL + 1), Outcome.ALLOW, List.of());

        TrafficRecord record =
                readAll(TrafficLines.decided("s", "r", NOW, statement) + "\n").get(0);

        assertThat(((TrafficRecord.Decided) record).sql()).isNull();
    }

    @Test
    void parametersBeyondReasonAreUnknown() throws IOException {
        List<@Nullable Object> parameters = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            parameters.add("x".repeat(8_000));
        }

        String line = TrafficLines.decided("s", "r", NOW, statement("SELECT 1", Outcome.ALLOW, parameters));

        assertThat(line.length()).isLessThan(TrafficLines.MAX_LINE);
        var record = (TrafficRecord.Decided) readAll(line + "\n").get(0);
        assertThat(record.parameters()).hasSize(2_000).containsOnly(TypedValues.UNKNOWN);
    }

    private static TrafficSink.Statement statement(
            String sql, Outcome outcome, List<@Nullable Object> parameters, Integer... columns) {
        boolean allowed = outcome == Outcome.ALLOW;
        var decision = new TrafficRecord.Decision(
                outcome,
                Stage.CHASE,
                1_000,
                allowed,
                allowed ? "" : "PRIVOXY-1201",
                "q1",
                sql,
                allowed ? "" : "because",
                allowed ? List.of() : List.of("v: a row"));
        var session = new TrafficRecord.Session(List.of("public"), List.of("mode=REGULAR"));
        return new TrafficSink.Statement(sql, session, parameters, decision, List.of(columns));
    }

    private static List<TrafficRecord> readAll(String text) throws IOException {
        try (TrafficReader reader = TrafficReader.of(text)) {
            return readAll(reader);
        }
    }

    private static List<TrafficRecord> readAll(Path path) throws IOException {
        try (TrafficReader reader = TrafficReader.open(path)) {
            return readAll(reader);
        }
    }

    private static List<TrafficRecord> readAll(TrafficReader reader) throws IOException {
        List<TrafficRecord> records = new ArrayList<>();
        for (TrafficRecord record = reader.next(); record != null; record = reader.next()) {
            records.add(record);
        }
        return records;
    }
}

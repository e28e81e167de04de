package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.RowRecorder;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.ContextValues;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceWatcher;
import io.leeway.privoxy.internal.traffic.JsonException;
import io.leeway.privoxy.internal.traffic.TrafficReader;
import io.leeway.privoxy.internal.traffic.TrafficRecord;
import io.leeway.privoxy.internal.traffic.TypedValues;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides anew on recorded traffic, request by request, in the order in which it was recorded. What a statement that is
 * now allowed returned then becomes known to its request, as it would in the driver; what one returned that is now
 * refused does not. Not thread-safe; used once.
 */
final class Replay {

    /** As the driver's defaults; larger would only allow more. */
    static final Trace.Bounds BOUNDS = new Trace.Bounds(1_000, 1_000, 200_000);

    private final Judge judge;
    private final Map<String, Known> requests = new HashMap<>();
    private final Map<String, Reading> readings = new HashMap<>();
    private final Summary summary = new Summary();

    private Replay(Judge judge) {
        this.judge = judge;
    }

    /** Decides on a recorded statement. */
    @FunctionalInterface
    interface Judge {
        Trial.Result decide(Statement statement);
    }

    /** A recorded statement, ready to be decided on. */
    record Statement(TrafficRecord.Decided recorded, String sql, SessionState session, Request request) {

        Trial.Result under(Trial trial) {
            List<@Nullable Object> bound = recorded.parameters();
            Parameters parameters = index -> index <= bound.size() ? known(bound.get(index - 1)) : Parameters.UNKNOWN;
            return trial.run(sql, session, request, parameters);
        }

        /** Whether it was allowed when it was recorded. */
        boolean wasAllowed() {
            return recorded.decision().outcome() == Outcome.ALLOW;
        }
    }

    /** What there was. */
    static final class Summary {
        long statements;
        long requests;
        long withoutText;
        long lostLines;
        boolean cutOff;

        @Nullable
        Instant first;

        @Nullable
        Instant last;
    }

    /** A request under way. */
    private record Known(Request request, Map<Long, Long> marks) {}

    /** A statement whose rows are read. */
    private record Reading(@Nullable String request, RowRecorder recorder, List<Integer> places) {}

    /** Replays recordings. */
    static Summary run(List<String> files, Console console, Judge judge) throws CommandException {
        if (files.isEmpty()) {
            throw new CommandException("name the recordings, the files that privoxyRecord wrote");
        }
        var replay = new Replay(judge);
        try (Progress progress = Progress.of(console, "Replaying")) {
            long all = 0;
            for (String file : files) {
                all += Files.size(TextFiles.path(file));
            }
            long before = 0;
            for (String file : files) {
                Path path = TextFiles.path(file);
                replay.file(path, progress, before, all);
                before += Files.size(path);
            }
        } catch (IOException unreadable) {
            throw TextFiles.cannot("read", String.join(", ", files), unreadable);
        } catch (JsonException broken) {
            throw new CommandException(broken.getMessage() + "; this is no line that privoxyRecord wrote", broken);
        }
        return replay.summary;
    }

    private void file(Path path, Progress progress, long before, long all) throws IOException {
        try (TrafficReader reader = TrafficReader.open(path)) {
            for (TrafficRecord record = reader.next(); record != null; record = reader.next()) {
                take(record);
                progress.at(before + reader.position(), all);
            }
            summary.cutOff |= reader.isCutOff();
        }
        requests.clear();
        readings.clear();
    }

    private void take(TrafficRecord record) {
        if (record instanceof TrafficRecord.Decided decided) {
            decided(decided);
        } else if (record instanceof TrafficRecord.Row row) {
            row(row);
        } else if (record instanceof TrafficRecord.Exhausted end) {
            Reading reading = readings.remove(end.statement());
            if (reading != null) {
                reading.recorder.exhausted();
            }
        } else if (record instanceof TrafficRecord.Begin begin) {
            summary.requests++;
            requests.put(begin.request(), new Known(new Request(context(begin), new Trace(BOUNDS)), new HashMap<>()));
        } else if (record instanceof TrafficRecord.End end) {
            requests.remove(end.request());
            readings.values().removeIf(reading -> end.request().equals(reading.request));
        } else if (record instanceof TrafficRecord.Mark mark) {
            Known known = requests.get(mark.request());
            if (known != null) {
                known.marks.put(mark.mark(), known.request.trace().mark());
            }
        } else if (record instanceof TrafficRecord.Forget forget) {
            forget(forget);
        } else if (record instanceof TrafficRecord.Lost lost) {
            summary.lostLines += lost.lines();
        }
    }

    private void forget(TrafficRecord.Forget forget) {
        Known known = requests.get(forget.request());
        if (known != null) {
            Long mark = known.marks.get(forget.since());
            if (mark == null || forget.since() == TraceWatcher.BEGINNING) {
                known.request.trace().forgetAll();
            } else {
                known.request.trace().forgetSince(mark);
            }
        }
    }

    private static Map<String, Value> context(TrafficRecord.Begin begin) {
        var context = new HashMap<String, Value>();
        begin.context().forEach((name, value) -> {
            try {
                context.put(name, ContextValues.of(name, value));
            } catch (IllegalArgumentException noValue) {
                // Not recorded: whatever needs it is refused, as without it.
            }
        });
        return context;
    }

    private void decided(TrafficRecord.Decided decided) {
        summary.statements++;
        summary.first = summary.first == null ? decided.at() : summary.first;
        summary.last = decided.at();
        String sql = decided.sql();
        if (sql == null) {
            summary.withoutText++;
            return;
        }
        Known known = decided.request() == null ? null : requests.get(decided.request());
        Request request = known == null ? Request.NOBODY : known.request;
        var session = new SessionState(
                decided.session().searchPath(), decided.session().settings());
        Trial.Result now = judge.decide(new Statement(decided, sql, session, request));
        Permit permit = now.permit();
        if (permit != null && decided.decision().passed()) {
            permit.executed();
            RowRecorder recorder = permit.recorder();
            if (recorder != null && !decided.columns().isEmpty()) {
                List<Integer> places = places(recorder.columns(), decided.columns());
                readings.put(decided.statement(), new Reading(decided.request(), recorder, places));
            }
        }
    }

    /** For each column that is wanted its place in what was recorded, or -1. */
    private static List<Integer> places(int[] wanted, List<Integer> recorded) {
        return IntStream.of(wanted).map(recorded::indexOf).boxed().toList();
    }

    private void row(TrafficRecord.Row row) {
        Reading reading = readings.get(row.statement());
        if (reading == null) {
            return;
        }
        @Nullable Object[] cells = new Object[reading.places.size()];
        for (int i = 0; i < cells.length; i++) {
            int place = reading.places.get(i);
            cells[i] = place < 0 || place >= row.cells().size()
                    ? Parameters.UNKNOWN
                    : known(row.cells().get(place));
        }
        if (!reading.recorder.row(cells)) {
            readings.remove(row.statement());
        }
    }

    private static @Nullable Object known(@Nullable Object recorded) {
        return recorded == TypedValues.UNKNOWN ? Parameters.UNKNOWN : recorded;
    }
}

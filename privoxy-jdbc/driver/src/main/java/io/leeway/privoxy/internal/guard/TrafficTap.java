package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SlotSource;
import io.leeway.privoxy.internal.traffic.TrafficRecord;
import io.leeway.privoxy.internal.traffic.TrafficRecorder;
import io.leeway.privoxy.internal.traffic.TrafficSink;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells what is decided to a recording, after the decision, so that no fault of a recording changes one. Without
 * recording it costs a comparison. Thread-safe.
 */
final class TrafficTap {

    private static final System.Logger LOG = System.getLogger(TrafficTap.class.getName());

    private final TrafficSink sink;
    private final String dialect;
    private final int rows;
    private final boolean passesFaults;
    private final AtomicBoolean faultLogged = new AtomicBoolean();

    private TrafficTap(TrafficSink sink, PrivoxyConfig config, Dialect dialect) {
        this.sink = sink;
        this.dialect = dialect.name();
        this.rows = config.get(PrivoxyOptions.TRACE_ROWS);
        this.passesFaults = Audit.letsPass(config.mode());
    }

    /** The recording that the options ask for. */
    static TrafficTap of(PrivoxyConfig config, Dialect dialect) {
        return new TrafficTap(sink(config.get(PrivoxyOptions.RECORD)), config, dialect);
    }

    /** No recording, whatever the options say. */
    static TrafficTap none(PrivoxyConfig config, Dialect dialect) {
        return new TrafficTap(TrafficSink.NONE, config, dialect);
    }

    private static TrafficSink sink(String file) {
        try {
            return file.isEmpty() ? TrafficSink.NONE : TrafficRecorder.open(Path.of(file));
        } catch (InvalidPathException noPath) {
            LOG.log(System.Logger.Level.WARNING, "Traffic is not recorded: privoxyRecord is no path.");
            // A recording that cannot begin must not keep the application from starting.
            return TrafficSink.NONE;
        }
    }

    boolean isActive() {
        return sink.isActive();
    }

    /** A policy comes into force. */
    void policy(LoadedPolicy loaded) {
        sink.policy(dialect, loaded.hash());
    }

    /** A text was refused before anything was known of its execution. */
    void notUnderstood(String sql, SessionState session, Denial denial) {
        if (sink.isActive()) {
            QueryName name = QueryName.of(SqlText.withoutLiterals(sql));
            TrafficRecord.Decision decision = decision(denial, Stage.NONE, 0, passesFaults, name);
            // As nobody's: no execution, no values, no facts.
            sink.decided(
                    Request.NOBODY, new TrafficSink.Statement(sql, words(session), List.of(), decision, List.of()));
        }
    }

    /**
     * An execution was decided on.
     *
     * @param denial why not; null if it is compliant
     * @param passed whether it is sent
     * @param columns of the result that are told row by row; null if nothing can be learnt from them
     * @param recorder of the request's trace, or null
     * @return where to tell the rows
     */
    @Nullable
    RowRecorder decided(
            Execution execution,
            @Nullable Denial denial,
            Stage stage,
            long nanos,
            boolean passed,
            @Nullable List<Integer> columns,
            @Nullable RowRecorder recorder) {
        try {
            TrafficRecord.Decision decision = decision(denial, stage, nanos, passed, execution.name());
            List<Integer> told =
                    passed && columns != null && execution.request().hasContext() ? columns : List.of();
            TrafficSink.Rows recording = sink.decided(
                    execution.request(),
                    new TrafficSink.Statement(
                            execution.sql(), words(execution.session()), execution.bound(), decision, told));
            return told.isEmpty() ? recorder : new TappedRows(recorder, recording, told, rows);
        } catch (RuntimeException fault) {
            // Of a driver's object, as an array that cannot be read. The decision stays what it is.
            if (faultLogged.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "A statement could not be recorded ({0}); more of these are not reported.",
                        fault.getClass().getName());
            }
            return recorder;
        }
    }

    private static TrafficRecord.Decision decision(
            @Nullable Denial denial, Stage stage, long nanos, boolean passed, QueryName name) {
        if (denial == null) {
            return new TrafficRecord.Decision(
                    Outcome.ALLOW, stage, nanos, passed, "", name.id(), name.text(), "", List.of());
        }
        List<String> nearest = denial.nearestViews().stream()
                .map(view -> view.name() + ": " + view.lacks())
                .toList();
        return new TrafficRecord.Decision(
                denial.outcome(),
                stage,
                nanos,
                passed,
                denial.code(),
                name.id(),
                name.text(),
                denial.reason(),
                nearest);
    }

    private static TrafficRecord.Session words(SessionState session) {
        return new TrafficRecord.Session(session.searchPath(), session.settings());
    }

    /**
     * One execution of a text.
     *
     * @param sources where the text's slots come from, for the number of parameters
     */
    record Execution(
            String sql,
            SessionState session,
            QueryName name,
            List<SlotSource> sources,
            Request request,
            Parameters parameters) {

        /** What is bound, in order. */
        private List<@Nullable Object> bound() {
            int count = sources.stream()
                    .mapToInt(source -> source instanceof SlotSource.Jdbc jdbc ? jdbc.index() : 0)
                    .max()
                    .orElse(0);
            List<@Nullable Object> bound = new ArrayList<>(count);
            for (int index = 1; index <= count; index++) {
                bound.add(plain(parameters.get(index)));
            }
            return bound;
        }

        /** Its content now: the application may free an array once the statement is done. */
        private static @Nullable Object plain(@Nullable Object value) {
            try {
                Object content = value instanceof Array array ? array.getArray() : value;
                if (content instanceof long[] numbers) {
                    return LongStream.of(numbers).boxed().toList();
                }
                return content instanceof int[] numbers
                        ? IntStream.of(numbers).boxed().toList()
                        : content;
            } catch (SQLException unreadable) {
                return Parameters.UNKNOWN;
            }
        }
    }
}

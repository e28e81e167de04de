package io.leeway.privoxy.internal.traffic;

import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.TraceWatcher;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Appends what is decided and read to a file, one line each. A request is named with its first statement; what its
 * trace forgets is recorded too, so that the recording tells what every decision knew. Thread-safe.
 *
 * <p>Faults of recording are swallowed and logged once: the decision stands whether or not it is written down.
 */
public final class TrafficRecorder implements TrafficSink {

    private static final System.Logger LOG = System.getLogger(TrafficRecorder.class.getName());
    private static final int RUN_LENGTH = 8;

    private final LineFile file;
    private final InstantSource clock;
    /**
     * Tells the names of this recorder from those of others in the same file.
     *
     * <p>Two processes, or two runs of one, may append to the same file.
     */
    private final String run = UUID.randomUUID().toString().substring(0, RUN_LENGTH);

    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong statements = new AtomicLong();
    private final AtomicBoolean faultLogged = new AtomicBoolean();

    TrafficRecorder(LineFile file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /**
     * Begins to record.
     *
     * @param path the file, created if it is not there; opened later, by the thread that writes
     */
    public static TrafficRecorder open(Path path) {
        return new TrafficRecorder(Recordings.file(path), InstantSource.system());
    }

    /**
     * Waits until what was recorded in a file so far is written.
     *
     * @return whether it is
     */
    public static boolean flush(Path path, Duration patience) {
        return Recordings.file(path).flush(patience);
    }

    @Override
    public void policy(String dialect, String policy) {
        file.add(TrafficLines.start(clock.instant(), dialect, policy));
    }

    @Override
    public Rows decided(Request request, Statement statement) {
        try {
            String name = run + "." + statements.incrementAndGet();
            file.add(TrafficLines.decided(name, name(request), clock.instant(), statement));
            // Rows from which nothing can be learnt are not written: a recording has users' data in it.
            return statement.columns().isEmpty() ? Rows.NONE : new Lines(name);
        } catch (RuntimeException fault) {
            report(fault);
            return Rows.NONE;
        }
    }

    /** The request's name, or null if nobody said who asks. */
    private @Nullable String name(Request request) {
        if (!request.hasContext()) {
            return null;
        }
        TraceWatcher watcher = request.trace().watchedBy(() -> begin(request));
        // A trace has one watcher: if another recorder has it, its statements are recorded as nobody's.
        return watcher instanceof Watched watched && watched.recorder() == this ? watched.name : null;
    }

    private TraceWatcher begin(Request request) {
        var watched = new Watched(run + "-" + requests.incrementAndGet());
        file.add(TrafficLines.begin(watched.name, request.context()));
        return watched;
    }

    private void report(RuntimeException fault) {
        if (faultLogged.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A statement could not be recorded ({0}); more of these are not reported.",
                    fault.getClass().getName());
        }
    }

    /**
     * A request that is recorded.
     *
     * <p>Told under the trace's lock, so it only adds a line.
     */
    private final class Watched implements TraceWatcher {

        private final String name;

        Watched(String name) {
            this.name = name;
        }

        TrafficRecorder recorder() {
            return TrafficRecorder.this;
        }

        @Override
        public void marked(long mark) {
            file.add(TrafficLines.mark(name, mark));
        }

        @Override
        public void forgottenSince(long mark) {
            file.add(TrafficLines.forget(name, mark));
        }

        @Override
        public void ended() {
            file.add(TrafficLines.end(name));
        }
    }

    /** The rows of one statement. */
    private final class Lines implements Rows {

        private final String statement;

        Lines(String statement) {
            this.statement = statement;
        }

        @Override
        public void row(@Nullable Object[] cells) {
            try {
                file.add(TrafficLines.row(statement, cells));
            } catch (RuntimeException fault) {
                report(fault);
            }
        }

        @Override
        public void exhausted() {
            file.add(TrafficLines.exhausted(statement));
        }
    }
}

package io.leeway.benchmarks.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records figures as they are measured, with where and when.
 *
 * <pre>{@code
 * Recorder.of("privoxy", "build/bench io.leeway.benchmarks.privoxy.CachedDecision")
 *         .record("cached decision", 12.5, "µs", 50.0, Better.LOWER, "");
 * }</pre>
 */
public final class Recorder {

    private final ResultFile file;
    private final String command;
    private final String machine;
    private final String date;
    private final String commit;

    private Recorder(ResultFile file, String command, String machine, String date, String commit) {
        this.file = file;
        this.command = command;
        this.machine = machine;
        this.date = date;
        this.commit = commit;
    }

    /** For the repository in {@code leeway.root} or the working directory. */
    public static Recorder of(String product, String command) {
        return of(Path.of(System.getProperty("leeway.root", ".")), product, command);
    }

    static Recorder of(Path root, String product, String command) {
        String today = LocalDate.now(ZoneOffset.UTC).toString();
        return new Recorder(ResultFile.of(root, product), command, Machine.describe(), today, Machine.commit(root));
    }

    /** Writes one figure at once, so that a run that breaks off keeps what it has. */
    public Recorder record(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        file.merge(List.of(new Result(name, value, unit, goal, better, peer, command, machine, date, commit)));
        return this;
    }
}

package io.leeway.privoxy.internal.traffic;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The recordings of this process: one for each file, whoever writes to it.
 *
 * <p>Several data sources may name one file; each would else have a buffer and a thread of its own, and lines would
 * come in another order than they were decided.
 */
final class Recordings {

    /** A full disk or a network drive must not hold up the end of the process. */
    private static final Duration PATIENCE_AT_EXIT = Duration.ofSeconds(2);

    private static final Map<Path, LineFile> FILES = new ConcurrentHashMap<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Recordings::finish, "privoxy-record-exit"));
    }

    private Recordings() {}

    /** The file to which all recordings of that name go. */
    static LineFile file(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        return FILES.computeIfAbsent(absolute, where -> new LineFile(where, LineFile.MAX_WAITING, TrafficLines::lost));
    }

    /** Writes what is waiting before the process ends. */
    private static void finish() {
        FILES.values().forEach(file -> file.flush(PATIENCE_AT_EXIT));
    }
}

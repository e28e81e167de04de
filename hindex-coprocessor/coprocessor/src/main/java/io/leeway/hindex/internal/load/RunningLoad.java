package io.leeway.hindex.internal.load;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * A load that has begun, and of which HBase has not said yet what became of it. Under the lock of {@link RunningLoads}.
 */
final class RunningLoad {

    /** After the last call; clients try again within seconds, or not at all. */
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(30).toNanos();

    /** One whose rows have states holds up others, some writes, and what compactions do. */
    private static final long SOON_FORGOTTEN_NANOS = Duration.ofMinutes(2).toNanos();

    private final Load load;
    private final List<GivenFile> files;
    private final List<String> states;
    /** Families of which a flush has ended since all entries were there. */
    private final Set<String> flushed = new HashSet<>();

    private boolean isBusy = true;
    /** Never taken back: HBase may be moving the files. */
    private boolean isAccepted;
    /** When the last call ended. */
    private long touched = System.nanoTime();

    /** A call works on it from the beginning; the files were in these states then. */
    RunningLoad(Load load, List<GivenFile> files, List<String> states) {
        this.load = load;
        this.files = files;
        this.states = states;
    }

    Load load() {
        return load;
    }

    List<GivenFile> files() {
        return files;
    }

    /** Whether all its files are there. It asks where they are, so not under the lock. */
    boolean exists(Configuration configuration) throws IOException {
        for (GivenFile file : files) {
            if (!file.exists(configuration)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the files are still what they were. */
    boolean isIn(List<String> now) {
        return states.equals(now);
    }

    /** Whether they are the same files in the same places, in the same order. */
    boolean isOf(List<GivenFile> others) {
        return paths(files).equals(paths(others));
    }

    private static List<Path> paths(List<GivenFile> files) {
        return files.stream().map(GivenFile::path).toList();
    }

    /** Whether a call works on it. */
    boolean isBusy() {
        return isBusy;
    }

    /** A call works on it again. */
    void goOn() {
        isBusy = true;
    }

    /** The call has ended. */
    void rest() {
        isBusy = false;
        touched = System.nanoTime();
    }

    /** Whether all entries are there, so that HBase may take the files. */
    boolean isAccepted() {
        return isAccepted;
    }

    void accept() {
        isAccepted = true;
    }

    /** A flush of a family has ended. */
    void flushed(String family) {
        if (isAccepted) {
            flushed.add(family);
        }
    }

    /** Whether a flush of a family has ended since it was accepted. */
    boolean isFlushed(String family) {
        return flushed.contains(family);
    }

    /** Whether nobody goes on with it any more. */
    boolean isForgotten(long now) {
        // HBase may take long to copy the files of one that has its entries.
        long patience = load.hasStates() && !isAccepted ? SOON_FORGOTTEN_NANOS : FORGOTTEN_NANOS;
        return !isBusy && now - touched > patience;
    }
}

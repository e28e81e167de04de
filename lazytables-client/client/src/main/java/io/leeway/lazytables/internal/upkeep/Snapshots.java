package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.config.Scheme;
import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreProvider;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server's snapshots: numbered, checked, and the last two of them kept. Clients keep what they sent until the last
 * but one holds it ({@link io.leeway.lazytables.internal.server.ServerCore}), so a server loses nothing if the newest
 * is found damaged. Not for several threads at once.
 */
final class Snapshots implements AutoCloseable {

    /*
     * Two, as the disk may give back the newest damaged, which is found only when it is needed. What a client may drop
     * is what both hold; so a server that has to begin with the older one finds the difference in its clients. Older
     * ones nobody needs, and they are deleted behind the storing of a new one, never before: at each moment there are
     * two, or those there were.
     *
     * Only those that this server has stored or read count as sound. What else is there, under a number that was never
     * confirmed, is deleted with the next one that is.
     *
     * Tables of clocks lie beside them under names of their own, so that neither is taken for the other. They are
     * grouped by run, since clock 10 of two runs are different tables: a file names each run that began here, and
     * readers take those of the last.
     */

    private static final Logger LOG = System.getLogger(Snapshots.class.getName());
    private static final Pattern NAME = Pattern.compile("snapshot-([0-9]{1,18})");
    /** Of the first run that stored tables there; of a later one with its number behind. */
    private static final Pattern TABLES = Pattern.compile("tables-([0-9]{1,10})(?:-([0-9]{1,9}))?");

    private static final Pattern RUN = Pattern.compile("run-([0-9]{1,9})-([0-9a-f]{16})");
    private static final int KEPT = 2;

    private final String location;
    private final SnapshotStore store;
    /** The numbers of those that are known to be sound, the oldest first. */
    private final ArrayList<Long> sound = new ArrayList<>();

    // The greatest number that was seen or used.
    private long last;
    /**
     * The run whose tables are stored, and which one it is of those that have stored theirs here; 0 before one has
     * begun.
     */
    private long run;

    private int runNumber;

    private Snapshots(String location, SnapshotStore store) {
        this.location = location;
        this.store = store;
    }

    /** Opens the place, which other servers cannot use then. */
    static Snapshots open(String location) {
        try {
            return new Snapshots(location, storeAt(location));
        } catch (IOException | InvalidPathException e) {
            throw fault("Snapshots cannot be stored at " + location + ": " + text(e), e);
        }
    }

    /** Opens the place to read only, whoever uses it. */
    static Snapshots openToRead(String location) {
        try {
            return new Snapshots(location, storeToReadAt(location));
        } catch (IOException | InvalidPathException e) {
            throw fault("What is stored at " + location + " cannot be read: " + text(e), e);
        }
    }

    private static SnapshotStore storeToReadAt(String location) throws IOException {
        String scheme = Scheme.of(location);
        return scheme.isEmpty()
                ? DirectoryStore.openToRead(Path.of(location))
                : requireProvider(scheme).openToRead(location);
    }

    /**
     * For a store that is open.
     */
    static Snapshots in(SnapshotStore store) {
        return new Snapshots(store.toString(), store);
    }

    /** What opens a place that is no directory of this machine; null if it is one, or nobody here opens it. */
    static @Nullable SnapshotStoreProvider providerOf(String location) {
        String scheme = Scheme.of(location);
        return scheme.isEmpty() ? null : provider(scheme);
    }

    private static SnapshotStore storeAt(String location) throws IOException {
        String scheme = Scheme.of(location);
        return scheme.isEmpty()
                ? DirectoryStore.open(Path.of(location))
                : requireProvider(scheme).open(location);
    }

    private static SnapshotStoreProvider requireProvider(String scheme) throws IOException {
        SnapshotStoreProvider provider = provider(scheme);
        if (provider == null) {
            throw new IOException("no SnapshotStoreProvider in the class path opens locations of " + scheme);
        }
        return provider;
    }

    private static @Nullable SnapshotStoreProvider provider(String scheme) {
        // Looked for each time, which is at starts only; the first that opens the scheme is taken.
        for (SnapshotStoreProvider provider : ServiceLoader.load(SnapshotStoreProvider.class)) {
            if (provider.opens(scheme)) {
                return provider;
            }
        }
        return null;
    }

    /**
     * The newest that is sound; null if there is none at all.
     *
     * @throws LazyTablesException if there are some and none is sound, or they cannot be read
     */
    byte @Nullable [] newest() {
        try {
            NavigableSet<Long> numbers = numbers();
            // Of all, also damaged ones: theirs are not used again either.
            last = numbers.isEmpty() ? 0 : numbers.last();
            for (long number : numbers.descendingSet()) {
                byte[] snapshot = SnapshotFile.unwrap(store.read(name(number)));
                // The one before it is not looked at: whether it is sound is of no use as long as this one is.
                if (snapshot != null) {
                    sound.add(number);
                    return snapshot;
                }
                LOG.log(
                        Level.WARNING,
                        "{0} in {1} was cut or changed and cannot be used; the one before it is looked for",
                        name(number),
                        location);
            }
            // A server that began anew here would hold nothing, while clients of before believe that it holds their
            // updates.
            if (!numbers.isEmpty()) {
                throw fault(
                        "None of the " + numbers.size() + " snapshots in " + location
                                + " is whole: remove them only if the server is to begin with empty tables",
                        null);
            }
            return null;
        } catch (IOException e) {
            throw fault("The snapshots in " + location + " cannot be read: " + text(e), e);
        }
    }

    /** Stores one more, and deletes those that nobody needs after it. */
    void store(byte[] snapshot) throws IOException {
        // A number is not used twice: what a write that failed has left is never taken for another.
        last++;
        store.write(name(last), SnapshotFile.wrap(snapshot));
        sound.add(last);
        while (sound.size() > KEPT) {
            sound.remove(0);
        }
        try {
            for (long number : numbers()) {
                // Older ones, and those that were found damaged.
                if (!sound.contains(number)) {
                    store.delete(name(number));
                }
            }
        } catch (IOException e) {
            // The snapshot is stored all the same; the next one tries again.
            LOG.log(Level.WARNING, "Old snapshots in {0} cannot be deleted: {1}", location, text(e));
        }
    }

    /**
     * Begins to store the tables of a run, or goes on with it: who reads finds those of the run that has begun last,
     * and none of an earlier one, which stay as they are.
     *
     * @param begun what tells the run from others
     */
    void beginRun(long begun) throws IOException {
        // The hot case, once for each stored clock.
        if (runNumber > 0 && run == begun) {
            return;
        }
        Matcher newest = newestRun();
        if (newest != null && Long.parseUnsignedLong(newest.group(2), 16) == begun) {
            runNumber = Integer.parseInt(newest.group(1));
        } else {
            int before = newest == null ? 1 : Integer.parseInt(newest.group(1));
            // Where no run was named, what is there is of a first one: tables are stored under a name only since runs
            // have one.
            boolean isFirst = newest == null && clocks(1).isEmpty();
            int number = isFirst ? 1 : before + 1;
            // Before the first of its tables, so that no reader finds these under the run before.
            store.write(String.format(Locale.ROOT, "run-%06d-%016x", number, begun), new byte[] {1});
            runNumber = number;
            if (!isFirst) {
                LOG.log(
                        Level.WARNING,
                        "Another run begins in {0}: the tables of clocks {1} are of an earlier one; they stay, and are not"
                                + " read any more",
                        location,
                        clocks(before));
            }
        }
        run = begun;
    }

    private @Nullable Matcher newestRun() throws IOException {
        Matcher newest = null;
        for (String name : store.list()) {
            Matcher matcher = RUN.matcher(name);
            if (matcher.matches()
                    && (newest == null || Integer.parseInt(matcher.group(1)) > Integer.parseInt(newest.group(1)))) {
                newest = matcher;
            }
        }
        return newest;
    }

    /**
     * Stores the tables of a clock of a run, unless they are there, and deletes the oldest of that run beyond so many;
     * none, if that is 0.
     */
    void storeTables(long ofRun, int clock, byte[] tables, int kept) throws IOException {
        beginRun(ofRun);
        NavigableSet<Integer> clocks = clocks(runNumber);
        // A server that was restarted may come to a clock again: with the same updates.
        // Not written over: a reader may have it open.
        if (clocks.add(clock)) {
            store.write(tablesName(clock, runNumber), SnapshotFile.wrap(tables));
        }
        // Of this run only: what an earlier one left stays for people.
        while (kept > 0 && clocks.size() > kept) {
            store.delete(tablesName(clocks.pollFirst(), runNumber));
        }
    }

    /** The clocks of which tables of the run are stored that has begun last. */
    NavigableSet<Integer> clocks() throws IOException {
        return clocks(newestNumber());
    }

    private int newestNumber() throws IOException {
        Matcher newest = newestRun();
        return newest == null ? 1 : Integer.parseInt(newest.group(1));
    }

    private NavigableSet<Integer> clocks(int ofRun) throws IOException {
        var clocks = new TreeSet<Integer>();
        for (String name : store.list()) {
            Matcher matcher = TABLES.matcher(name);
            if (matcher.matches()
                    && (matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2))) == ofRun
                    && Long.parseLong(matcher.group(1)) <= Integer.MAX_VALUE) {
                clocks.add(Integer.parseInt(matcher.group(1)));
            }
        }
        return clocks;
    }

    /**
     * The tables of a clock, of the run that has begun last. No older ones take their place here: who asks for a clock
     * wants that one.
     */
    byte[] tables(int clock) throws IOException {
        String name = tablesName(clock, newestNumber());
        byte[] tables = SnapshotFile.unwrap(store.read(name));
        if (tables == null) {
            throw new IOException(name + " was cut or changed");
        }
        return tables;
    }

    private static String tablesName(int clock, int runNumber) {
        String name = String.format(Locale.ROOT, "tables-%010d", clock);
        return runNumber == 1 ? name : name + "-" + runNumber;
    }

    @Override
    public void close() {
        try {
            store.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be left: {1}", location, text(e));
        }
    }

    @Override
    public String toString() {
        return location;
    }

    /** What happened, for people; the name of a file alone is what some exceptions of the system say. */
    static String text(Throwable fault) {
        return fault.getClass().getSimpleName() + ": " + fault.getMessage();
    }

    static LazyTablesException fault(String what, @Nullable Throwable cause) {
        return LazyTablesException.of(Code.SNAPSHOT, what, cause);
    }

    private NavigableSet<Long> numbers() throws IOException {
        var numbers = new TreeSet<Long>();
        for (String name : store.list()) {
            Matcher matcher = NAME.matcher(name);
            // Others may copy files there, under names that are like ours.
            if (matcher.matches() && name.equals(name(Long.parseLong(matcher.group(1))))) {
                numbers.add(Long.parseLong(matcher.group(1)));
            }
        }
        return numbers;
    }

    private static String name(long number) {
        return String.format(Locale.ROOT, "snapshot-%012d", number);
    }
}

package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.merge.MemoryRun;
import io.leeway.lazybase.internal.merge.Sorter;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An SCU whose rows are not in the order of keys yet: the one that takes commits, or one that waits to be sorted. Its groups are in memory;
 * after a restart they are read from its file when somebody asks.
 *
 * <p>A query that needs them sorts them, and leaves the result behind for the next query and for the stage that sorts: freshness is paid
 * for once. Sorted pieces double in size, so each row is sorted a few times at most, however often an open SCU is asked. Thread-safe.
 */
public final class Scu {

    private final long number;
    private final Store store;
    private final int expected;
    private final @Nullable IdKeys idKeys;
    private final List<Group> groups = new ArrayList<>();
    private final Map<Integer, List<Piece>> pieces = new HashMap<>();
    private final Map<Integer, Map<ByteBuffer, Long>> newKeys = new HashMap<>();
    private boolean loaded;
    private int remapped;
    private long minTime;
    private long maxTime;
    private long rows;
    private long memory;

    /** A sorted piece: the groups from one on to before another. */
    private record Piece(int from, int to, MemoryRun run) {}

    /** One that takes commits. */
    Scu(long number, Store store, @Nullable IdKeys idKeys) {
        this.number = number;
        this.idKeys = idKeys;
        this.store = store;
        this.expected = -1;
        this.loaded = true;
    }

    /** One whose groups lie in its file. */
    Scu(Sealed sealed, Store store, @Nullable IdKeys idKeys) {
        this.idKeys = idKeys;
        this.number = sealed.number();
        this.store = store;
        this.expected = sealed.groups();
        this.minTime = sealed.minTime();
        this.maxTime = sealed.maxTime();
        this.rows = sealed.rows();
    }

    /** Its number. */
    public long number() {
        return number;
    }

    synchronized void add(Group group) {
        if (groups.isEmpty()) {
            minTime = group.time();
        }
        maxTime = group.time();
        rows += group.rows();
        memory += group.memory();
        groups.add(group);
    }

    /** Number of groups. */
    public synchronized int groups() {
        return expected >= 0 ? expected : groups.size();
    }

    /** Rows of all tables. */
    public synchronized long rows() {
        return rows;
    }

    /** About how much memory its groups take. */
    synchronized long memory() {
        return memory;
    }

    /** Time of the first commit. */
    public synchronized long minTime() {
        return minTime;
    }

    /** Time of the last commit. */
    public synchronized long maxTime() {
        return maxTime;
    }

    /** Number of groups up to a time. */
    public synchronized int groupsUntil(long time) {
        int low = 0;
        int high = groups.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (groups.get(middle).time() <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Time of a group. */
    public synchronized long timeOf(int group) {
        return groups.get(group).time();
    }

    /** Numbers of the tables that have rows. */
    synchronized List<Integer> tables() {
        load();
        return groups.stream()
                .flatMap(group -> group.batches().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    // For the stage that gives ids, which holds its lock.

    /** The first so many groups have ids instead of natural keys. */
    synchronized int remapped() {
        return remapped;
    }

    /** Some groups. */
    synchronized List<Group> groups(int from, int to) {
        load();
        return List.copyOf(groups.subList(from, to));
    }

    /** Puts groups with ids in the place of those without. */
    synchronized void remapped(int from, List<Group> done) {
        for (int i = 0; i < done.size(); i++) {
            groups.set(from + i, done.get(i));
        }
        remapped = from + done.size();
    }

    /** Keys of a table that appear here first. */
    Map<ByteBuffer, Long> newKeys(int table) {
        synchronized (newKeys) {
            return newKeys.computeIfAbsent(table, none -> new HashMap<>());
        }
    }

    /** Gives ids to all of it. */
    void remap() {
        if (idKeys != null) {
            idKeys.ensure(this, groups());
        }
    }

    private void load() {
        if (loaded) {
            return;
        }
        try (Store.Reader in = store.open(Sealed.file(number))) {
            List<Group> read = GroupCodec.read(in, expected);
            if (read.size() < expected) {
                throw new IOException("SCU " + number + " has " + read.size() + " groups of commits instead of "
                        + expected + ": its file is damaged");
            }
            groups.addAll(read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Group group : groups) {
            memory += group.memory();
        }
        loaded = true;
    }

    /** Rows of a table in the first groups; what sorting them would be about. */
    public synchronized long rowsOf(int table, int upTo) {
        if (!loaded) {
            return rows;
        }
        long sum = 0;
        for (Group group : groups.subList(0, Math.min(upTo, groups.size()))) {
            Batch batch = group.batches().get(table);
            sum += batch == null ? 0 : batch.rows();
        }
        return sum;
    }

    /** Rows of a table in the first groups that no query has sorted yet. */
    public synchronized long unsortedRowsOf(int table, int upTo) {
        List<Piece> mine = pieces.getOrDefault(table, List.of());
        int sorted = mine.isEmpty() ? 0 : mine.get(mine.size() - 1).to;
        return Math.max(0, rowsOf(table, upTo) - rowsOf(table, Math.min(sorted, upTo)));
    }

    /** A table's rows in the first groups as sorted runs, oldest first. */
    public List<MemoryRun> sorted(int table, int upTo, KeyCodec codec) {
        IdKeys.ensure(idKeys, this, table, upTo);
        return sortedNow(table, upTo, codec);
    }

    private synchronized List<MemoryRun> sortedNow(int table, int upTo, KeyCodec codec) {
        load();
        List<Piece> mine = pieces.computeIfAbsent(table, none -> new ArrayList<>());
        int covered = mine.isEmpty() ? 0 : mine.get(mine.size() - 1).to;
        if (upTo > covered) {
            extend(mine, table, covered, upTo, codec);
            return runs(mine);
        }
        // An older snapshot: the pieces that it has whole, and the rest anew.
        var runs = new ArrayList<MemoryRun>();
        int at = 0;
        for (Piece piece : mine) {
            if (piece.to <= upTo) {
                runs.add(piece.run);
                at = piece.to;
            }
        }
        Batch rest = at < upTo ? batch(table, at, upTo) : null;
        if (rest != null) {
            runs.add(Sorter.sort(rest, codec));
        }
        return runs;
    }

    private void extend(List<Piece> mine, int table, int from, int to, KeyCodec codec) {
        int begin = from;
        long size = rowsOf(table, to) - rowsOf(table, from);
        while (!mine.isEmpty() && mine.get(mine.size() - 1).run.batch().rows() < 2 * size) {
            Piece last = mine.remove(mine.size() - 1);
            size += last.run.batch().rows();
            begin = last.from;
        }
        Batch batch = batch(table, begin, to);
        MemoryRun run = batch == null
                ? new MemoryRun(
                        new Batch(0, null, new int[0], new io.leeway.lazybase.internal.column.Vector[0]), empty())
                : Sorter.sort(batch, codec);
        mine.add(new Piece(begin, to, run));
    }

    private static io.leeway.lazybase.internal.column.Keys empty() {
        return new KeyCodec(new int[0], new boolean[0], new boolean[0]).keys(0, id -> null);
    }

    private static List<MemoryRun> runs(List<Piece> pieces) {
        var runs = new ArrayList<MemoryRun>();
        for (Piece piece : pieces) {
            if (piece.run.batch().rows() > 0) {
                runs.add(piece.run);
            }
        }
        return runs;
    }

    private @Nullable Batch batch(int table, int from, int to) {
        var parts = new ArrayList<Batch>();
        for (Group group : groups.subList(from, to)) {
            Batch batch = group.batches().get(table);
            if (batch != null) {
                parts.add(batch);
            }
        }
        return parts.isEmpty() ? null : Batch.concat(parts);
    }
}

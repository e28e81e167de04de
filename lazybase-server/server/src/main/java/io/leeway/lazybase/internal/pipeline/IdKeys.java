package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stage that puts ids in the place of natural keys (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014,
 * section 3.3.3, "id-remap"). It is done for many rows at once: when an SCU is to be sorted, or when a query asks for rows that are not.
 *
 * <p>Model: the ids of a table are 1, 2, … in the order in which its keys appear in history: by SCU, group, table, column, row. So they are
 * a function of what was committed, and nothing about them needs to be logged: whoever does the stage again, after whatever fault, gives
 * the same ones. A key is looked up in what precedes its SCU only: the sorted runs of its table, and the new keys of SCUs that are not
 * sorted. How many there are before is the number of rows of these, since each key is in one of them, once.
 *
 * <p>Cost: one pass over the rows, and one over the distinct keys in order beside each run. One at a time; readers of what is done already
 * do not wait. Thread-safe.
 */
// Every buffer here is a whole array that was wrapped.
@SuppressWarnings("ByteBufferBackingArray")
final class IdKeys {

    private final Versions versions;
    private final StageMeter meter;
    private final Object lock = new Object();

    IdKeys(Versions versions, StageMeter meter) {
        this.versions = versions;
        this.meter = meter;
    }

    /** Whether a table's rows may come with natural keys instead of ids. */
    boolean concerns(int table) {
        Table found = versions.current().state.catalog().table(table);
        return found != null && concerns(found);
    }

    private static boolean concerns(Table table) {
        return table.identity() != 0 || !table.references().isEmpty();
    }

    /** Whether any of these tables' rows may. */
    static boolean concern(List<Table> tables) {
        return tables.stream().anyMatch(IdKeys::concerns);
    }

    /** When this returns, the first groups of an SCU have ids, and so has everything before. */
    void ensure(Scu scu, int groups) {
        if (scu.remapped() >= groups
                || !concern(versions.current().state.catalog().tables())) {
            return;
        }
        synchronized (lock) {
            Versions.Version version = versions.pin();
            long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long rows = 0;
            try {
                for (Scu each : version.unsorted) {
                    if (each.number() < scu.number()) {
                        rows += remap(version, each, each.groups());
                    }
                }
                rows += remap(version, scu, groups);
            } finally {
                versions.unpin(version);
            }
            if (rows > 0) {
                meter.done(rows, 0, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began);
            }
        }
    }

    /** Rows of natural keys: where they stand in a batch. */
    private record Occurrence(int group, int table, Reference reference, Batch batch, Keys keys) {

        /** Whether a row has a natural key. */
        boolean has(int row) {
            for (int i = 0; i < reference.key().size(); i++) {
                Vector part = batch.column(number(i));
                if (part == null || part.isNull(row)) {
                    return false;
                }
            }
            return true;
        }

        /** The number of a part: in the table of keys itself it is the column's own. */
        int number(int part) {
            return reference.column() == 0 ? reference.key().get(part).id() : reference.part(part);
        }

        ByteBuffer key(int row) {
            return ByteBuffer.wrap(keys.get(row));
        }
    }

    private long remap(Versions.Version version, Scu scu, int upTo) {
        int from = scu.remapped();
        if (from >= upTo) {
            return 0;
        }
        Catalog catalog = version.state.catalog();
        List<Group> groups = scu.groups(from, upTo);
        var occurrences = new TreeMap<Integer, List<Occurrence>>();
        for (int g = 0; g < groups.size(); g++) {
            collect(catalog, g, groups.get(g), occurrences);
        }
        long rows = 0;
        var ids = new HashMap<Integer, Map<ByteBuffer, Long>>();
        var given = new HashMap<Integer, Map<ByteBuffer, Long>>();
        var changed = new ArrayList<Map<Integer, Batch>>();
        groups.forEach(group -> changed.add(new HashMap<>(group.batches())));
        for (Map.Entry<Integer, List<Occurrence>> entry : occurrences.entrySet()) {
            Table keys = catalog.table(entry.getKey());
            if (keys == null) {
                continue;
            }
            // What clients gave of the keys themselves makes way for those of them that are new.
            changed.forEach(batches -> batches.remove(keys.id()));
            Map<ByteBuffer, Long> known = known(version, scu, keys, entry.getValue());
            var mine = new HashMap<ByteBuffer, Long>();
            rows += give(version, scu, keys, entry.getValue(), known, mine, groups, changed);
            ids.put(keys.id(), known);
            given.put(keys.id(), mine);
        }
        occurrences.values().forEach(all -> all.forEach(one -> rewrite(one, ids, changed)));
        var done = new ArrayList<Group>();
        for (int g = 0; g < groups.size(); g++) {
            done.add(new Group(groups.get(g).time(), changed.get(g)));
        }
        // Not before everything is known: what fails halfway is done again from the beginning.
        given.forEach((table, mine) -> scu.newKeys(table).putAll(mine));
        scu.remapped(from, done);
        return rows;
    }

    /** In the order in which ids are given: by group, table, column. */
    private static void collect(Catalog catalog, int number, Group group, Map<Integer, List<Occurrence>> occurrences) {
        for (int id : new TreeSet<>(group.batches().keySet())) {
            Table table = catalog.table(id);
            Batch batch = group.batches().get(id);
            if (table == null || batch == null || !concerns(table)) {
                continue;
            }
            var references = new ArrayList<>(table.references());
            if (table.identity() != 0) {
                references.add(new Reference(0, id, keyOf(table)));
            }
            for (Reference reference : references) {
                var one = new Occurrence(number, id, reference, batch, keys(reference, batch));
                occurrences
                        .computeIfAbsent(reference.table(), none -> new ArrayList<>())
                        .add(one);
            }
        }
    }

    private static List<Column> keyOf(Table table) {
        return table.primary().key().stream().map(table::columnOf).toList();
    }

    private static Keys keys(Reference reference, Batch batch) {
        int size = reference.key().size();
        int[] numbers = new int[size];
        boolean[] isLong = new boolean[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = reference.column() == 0 ? reference.key().get(i).id() : reference.part(i);
            isLong[i] = reference.key().get(i).type().isLong();
        }
        return new KeyCodec(numbers, isLong, new boolean[size]).keys(batch.rows(), number -> {
            Vector part = batch.column(number);
            if (part != null) {
                return part;
            }
            boolean longs = isLong[indexOf(numbers, number)];
            return Vector.constant(batch.rows(), longs, Vector.NULL);
        });
    }

    private static int indexOf(int[] numbers, int number) {
        int at = 0;
        while (numbers[at] != number) {
            at++;
        }
        return at;
    }

    /** Ids of the keys that are there before: one look at each run, in the order of the keys. */
    private static Map<ByteBuffer, Long> known(
            Versions.Version version, Scu scu, Table keys, List<Occurrence> occurrences) {
        var found = new HashMap<ByteBuffer, Long>();
        var wanted = new TreeSet<ByteBuffer>((a, b) -> Arrays.compareUnsigned(a.array(), b.array()));
        for (Occurrence one : occurrences) {
            for (int row = 0; row < one.batch.rows(); row++) {
                if (one.has(row)) {
                    wanted.add(one.key(row));
                }
            }
        }
        for (Scu each : before(version, scu)) {
            Map<ByteBuffer, Long> added = each.newKeys(keys.id());
            wanted.removeIf(key -> {
                Long id = added.get(key);
                if (id != null) {
                    found.put(key, id);
                }
                return id != null;
            });
        }
        for (RunInfo run : runs(version, scu, keys)) {
            SortedRun file = version.files.get(run.file());
            if (file == null) {
                throw new IllegalStateException("no file " + run.file() + " in this version");
            }
            seek(file, keys.identity(), wanted, found);
        }
        return found;
    }

    private static void seek(SortedRun run, int column, NavigableSet<ByteBuffer> wanted, Map<ByteBuffer, Long> found) {
        int block = 0;
        var here = new ArrayList<ByteBuffer>();
        for (ByteBuffer key : wanted) {
            byte[] bytes = key.array();
            while (block < run.blocks() && Arrays.compareUnsigned(run.maxKey(block), bytes) < 0) {
                block++;
            }
            if (block == run.blocks()) {
                break;
            }
            if (Arrays.compareUnsigned(run.minKey(block), bytes) <= 0) {
                Keys keys = run.keys(block);
                int row = keys.seek(0, keys.size(), bytes);
                if (row < keys.size() && keys.compare(row, bytes) == 0) {
                    Vector ids = run.column(block, column);
                    if (ids == null) {
                        throw new IllegalStateException("keys without ids");
                    }
                    found.put(key, ids.getLong(row));
                    here.add(key);
                }
            }
        }
        here.forEach(wanted::remove);
    }

    /** The SCUs before one that are not sorted, and itself. */
    private static List<Scu> before(Versions.Version version, Scu scu) {
        var all = new ArrayList<Scu>();
        version.unsorted.stream().filter(each -> each.number() < scu.number()).forEach(all::add);
        all.add(scu);
        return all;
    }

    private static List<RunInfo> runs(Versions.Version version, Scu scu, Table keys) {
        var runs = new ArrayList<>(version.state.partsOf(keys.primary().id()));
        for (Flight flight : version.state.flights()) {
            RunInfo run = flight.last() < scu.number() ? flight.runs().get(keys.id()) : null;
            if (run != null) {
                runs.add(run);
            }
        }
        return runs;
    }

    /** Gives ids to new keys, which become rows of their table in the group where they appear first. */
    private static long give(
            Versions.Version version,
            Scu scu,
            Table keys,
            List<Occurrence> occurrences,
            Map<ByteBuffer, Long> known,
            Map<ByteBuffer, Long> given,
            List<Group> groups,
            List<Map<Integer, Batch>> changed) {
        long next = 1;
        for (RunInfo run : runs(version, scu, keys)) {
            next += run.rows();
        }
        for (Scu each : before(version, scu)) {
            next += each.newKeys(keys.id()).size();
        }
        long rows = 0;
        var added = new LinkedHashMap<Integer, NewKeys>();
        for (Occurrence one : occurrences) {
            for (int row = 0; row < one.batch.rows(); row++) {
                if (!one.has(row)) {
                    continue;
                }
                rows++;
                ByteBuffer key = one.key(row);
                if (!known.containsKey(key)) {
                    known.put(key, next);
                    given.put(key, next);
                    added.computeIfAbsent(one.group, none -> new NewKeys(one.reference))
                            .add(one, row, next);
                    next++;
                }
            }
        }
        added.forEach((group, some) -> changed.get(group)
                .put(keys.id(), some.batch(keys, groups.get(group).time())));
        return rows;
    }

    /** New rows of a table of keys. */
    private static final class NewKeys {

        private final List<VectorBuilder> parts = new ArrayList<>();
        private final VectorBuilder ids = new VectorBuilder(true, 64);

        NewKeys(Reference reference) {
            reference
                    .key()
                    .forEach(column -> parts.add(new VectorBuilder(column.type().isLong(), 64)));
        }

        void add(Occurrence from, int row, long id) {
            for (int i = 0; i < parts.size(); i++) {
                Vector part = from.batch.column(from.number(i));
                if (part != null) {
                    parts.get(i).addRange(part, row, row + 1);
                }
            }
            ids.addLong(id);
        }

        Batch batch(Table keys, long time) {
            int count = parts.size();
            int rows = ids.size();
            int[] numbers = new int[count + 2];
            Vector[] columns = new Vector[count + 2];
            long[] times = new long[rows];
            Arrays.fill(times, time);
            numbers[0] = Column.UPDATED;
            columns[0] = Vector.ofLongs(rows, times, null);
            for (int i = 0; i < count; i++) {
                numbers[i + 1] = keys.primary().key().get(i);
                columns[i + 1] = parts.get(i).build();
            }
            numbers[count + 1] = keys.identity();
            columns[count + 1] = ids.build();
            return new Batch(rows, null, numbers, columns);
        }
    }

    /** The ids instead of the keys. */
    private static void rewrite(
            Occurrence one, Map<Integer, Map<ByteBuffer, Long>> ids, List<Map<Integer, Batch>> changed) {
        Map<ByteBuffer, Long> known = ids.get(one.reference.table());
        Batch batch = changed.get(one.group).get(one.table);
        if (one.reference.column() == 0 || known == null || batch == null || batch.column(one.number(0)) == null) {
            return;
        }
        Vector given = batch.column(one.reference.column());
        var builder = new VectorBuilder(true, batch.rows());
        for (int row = 0; row < batch.rows(); row++) {
            Long id = one.has(row) ? known.get(one.key(row)) : null;
            if (id != null) {
                builder.addLong(id);
            } else if (given != null) {
                builder.addRange(given, row, row + 1);
            } else if ((batch.flag(row) & Batch.RESET) != 0) {
                builder.addNull();
            } else {
                builder.addAbsent();
            }
        }
        changed.get(one.group).put(one.table, replaced(batch, one, builder.build()));
    }

    private static Batch replaced(Batch batch, Occurrence one, Vector ids) {
        var numbers = new ArrayList<Integer>();
        var columns = new ArrayList<Vector>();
        for (int c = 0; c < batch.ids().length; c++) {
            int number = batch.ids()[c];
            boolean replaced = number == one.reference.column() || Reference.columnOf(number) == one.reference.column();
            if (!replaced) {
                numbers.add(number);
                columns.add(batch.columns()[c]);
            }
        }
        numbers.add(one.reference.column());
        columns.add(ids);
        return new Batch(
                batch.rows(),
                batch.flags(),
                numbers.stream().mapToInt(Integer::intValue).toArray(),
                columns.toArray(new Vector[0]));
    }

    /** What to hand to an SCU that nobody asks for ids. */
    static void ensure(@Nullable IdKeys keys, Scu scu, int table, int groups) {
        if (keys != null && keys.concerns(table)) {
            keys.ensure(scu, groups);
        }
    }
}

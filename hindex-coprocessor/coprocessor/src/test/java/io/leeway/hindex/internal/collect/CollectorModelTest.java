package io.leeway.hindex.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.collect.ModelStore.Cell;
import io.leeway.hindex.internal.collect.ModelStore.Entry;
import io.leeway.hindex.internal.collect.ModelStore.Run;
import io.leeway.hindex.internal.collect.Retention.Repair;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of a small store, with flushes, compactions of some and of all files, writes while a run is under way,
 * values that expire then or at other times, runs that fail half way and readers of old read points. After each step every version that a reader sees has its entry; after a
 * complete run over quiet data there is no other entry.
 *
 * <p>Changes made by hand to the collector, and found by this test: the version's own sequence id alone, or its cause's alone,
 * compared with what is repaired; late puts kept in lazy runs; tombstones dropped in incomplete runs, or in lazy ones before
 * they are settled; tombstones of one version taken for those of all before; family tombstones forgotten at the next column;
 * puts of one timestamp counted twice, or not removed; masked puts counted as newer; the read point not looked at; one version
 * too many or too few; entries of versions removed that an incomplete run keeps. Changes that only keep too much, or repair it
 * once more, are found by {@link CollectorTest}.
 */
class CollectorModelTest {

    private static final int HISTORIES = 1_500;
    private static final int STEPS = 40;
    private static final List<CellKind> TOMBSTONES =
            Stream.of(CellKind.values()).filter(CellKind::isDelete).toList();
    private static final String[] COLUMNS = {"", "a", "b"};

    @ParameterizedTest
    @EnumSource(
            value = Repair.class,
            names = {"LAZY", "STRICT"})
    void everythingThatIsReadHasItsEntryAndNothingElseStays(Repair repair) {
        long seed = Seeds.seed("histories, " + repair);
        for (int history = 0; history < HISTORIES; history++) {
            var random = new Random(seed + history);
            var store = new ModelStore(1 + random.nextInt(3));
            var log = new ArrayList<String>();
            for (int step = 0; step < STEPS; step++) {
                log.add(step(store, repair, random));
                assertThat(store.index).as("history %d: %s", history, log).containsAll(store.fresh());
            }
            store.flush(store.retention(Repair.NONE, false, store.seq));
            compact(store, List.copyOf(store.files), store.retention(repair, true, store.seq), random, 0, false);
            assertThat(store.index)
                    .as("history %d, at the end: %s", history, log)
                    .isEqualTo(store.fresh());
        }
    }

    private static String step(ModelStore store, Repair repair, Random random) {
        int choice = random.nextInt(20);
        if (choice < 13) {
            return write(store, random);
        }
        if (choice == 13) {
            store.expire();
            return "expire";
        }
        long readPoint = store.seq - random.nextInt(4);
        if (choice < 16) {
            Repair atFlush = random.nextBoolean() ? Repair.NONE : repair;
            store.flush(store.retention(atFlush, false, readPoint));
            return "flush " + atFlush;
        }
        boolean complete = choice < 18;
        List<List<Cell>> input = complete ? List.copyOf(store.files) : some(store.files, random);
        Retention retention = store.retention(repair, complete, readPoint);
        return compact(store, input, retention, random, random.nextInt(3), random.nextInt(4) == 0);
    }

    private static String write(ModelStore store, Random random) {
        String column = COLUMNS[random.nextInt(COLUMNS.length)];
        // Most timestamps are new, some late, some used before.
        long ts = random.nextInt(3) > 0 ? 100 + store.seq : 100 + random.nextInt(1 + (int) store.seq);
        int kind = random.nextInt(16);
        if (kind < TOMBSTONES.size()) {
            CellKind tombstone = TOMBSTONES.get(kind);
            store.delete(tombstone, column, ts);
            return tombstone + " " + column + "@" + ts;
        }
        String value = "v" + random.nextInt(3);
        boolean expires = random.nextInt(4) == 0;
        store.put(column, ts, value, expires);
        return column + "@" + ts + "=" + value + (expires ? " expiring" : "");
    }

    /** Files that follow each other. */
    private static List<List<Cell>> some(List<List<Cell>> files, Random random) {
        int from = random.nextInt(1 + files.size());
        return List.copyOf(files.subList(from, from + random.nextInt(1 + files.size() - from)));
    }

    /** Reads, lets others write, removes entries, and puts the new file in the place of the old ones. */
    private static String compact(
            ModelStore store, List<List<Cell>> input, Retention retention, Random random, int writes, boolean fails) {
        var run = new Run(input, retention);
        long upTo =
                input.stream().flatMap(List::stream).mapToLong(Cell::seq).max().orElse(-1);
        checkReaders(store, input, run, retention);
        var log = new StringBuilder("compact " + input.size() + " of " + store.files.size() + " read point "
                + retention.readPoint() + (fails ? " fails" : ""));
        for (int i = 0; i < writes; i++) {
            boolean expires = random.nextInt(4) == 0;
            if (expires) {
                store.expire();
                run.output.removeIf(Cell::expires);
            }
            log.append(" {").append(expires ? "expire" : write(store, random)).append('}');
            // Nor while the run is under way.
            assertThat(store.index).as("%s", log).containsAll(store.fresh());
        }
        Set<Entry> removed = new HashSet<>(run.removals);
        if (fails) {
            removed.removeIf(entry -> random.nextBoolean());
        }
        store.index.removeAll(removed);
        if (!removed.containsAll(run.mustAck)) {
            return log.append(", not committed").toString();
        }
        int at = input.isEmpty() ? 0 : indexOf(store.files, input.get(0));
        store.files.subList(at, at + input.size()).clear();
        store.files.add(at, run.output);
        store.settle(run.overtaken);
        if (retention.complete() && removed.containsAll(run.removals)) {
            store.repairedUpTo = Math.max(store.repairedUpTo, upTo);
        }
        return log.toString();
    }

    private static int indexOf(List<List<Cell>> files, List<Cell> file) {
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i) == file) {
                return i;
            }
        }
        throw new AssertionError("no such file");
    }

    /** A complete run changes nothing for scanners that are open, nor for new ones. */
    private static void checkReaders(ModelStore store, List<List<Cell>> input, Run run, Retention retention) {
        if (!retention.complete()) {
            return;
        }
        var before = new ArrayList<Cell>();
        input.forEach(before::addAll);
        for (long readPoint = retention.readPoint(); readPoint <= store.seq; readPoint++) {
            assertThat(seen(store, run.output, readPoint))
                    .as("at read point %d, with %s of %s", readPoint, run.output, before)
                    .isEqualTo(seen(store, before, readPoint));
        }
    }

    private static Map<String, List<Cell>> seen(ModelStore store, List<Cell> cells, long readPoint) {
        return store.visible(
                cells.stream().filter(cell -> cell.seq() <= readPoint).toList());
    }
}

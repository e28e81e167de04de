package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.collect.CellKind;
import io.leeway.hindex.internal.collect.Collector;
import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import io.leeway.hindex.internal.repair.ComingStates;
import io.leeway.hindex.internal.repair.Fact;
import io.leeway.hindex.internal.repair.Fact.Kind;
import io.leeway.hindex.internal.repair.StateHistory;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of one row with two indexed columns and a covered one: batches of puts and deletes with new, late and
 * repeated timestamps, flushes, compactions of all files with writes in the middle of them, and loads of one or two files whose
 * cells appear one file after the other, at any time or never. What the row shows is computed anew from all cells each time.
 * After each step its entry is there; after a compaction of quiet data there is no other.
 */
class RowChangeModelTest {

    private static final int HISTORIES = 3_000;
    private static final int STEPS = 30;
    private static final byte[] ROW = {'r'};
    private static final int COLUMNS = 3;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyStateHasItsEntryAndOnlyTheLastKeepsIt(int keptVersions) throws Exception {
        long seed = Seeds.seed("histories of states, " + keptVersions);
        int loads = 0;
        int refused = 0;
        for (int history = 0; history < HISTORIES; history++) {
            var row = new Row(keptVersions, new Random(seed + history));
            for (int step = 0; step < STEPS; step++) {
                row.step();
                assertThat(row.entries).as("history %d: %s", history, row.log).containsAll(row.shown());
            }
            row.endLoad();
            row.flush();
            row.compact(0);
            assertThat(row.entries)
                    .as("history %d, at the end: %s", history, row.log)
                    .containsAll(row.shown());
            row.entries.removeAll(row.leftByLoads);
            row.entries.addAll(row.shown());
            assertThat(row.entries)
                    .as("history %d, at the end: %s", history, row.log)
                    .isEqualTo(row.shown());
            loads += row.loads;
            refused += row.refused;
        }
        assertThat(loads).isGreaterThan(HISTORIES);
        assertThat(refused).isGreaterThan(HISTORIES);
    }

    /** The row's cells, in files and in memory, and its entries. */
    private static final class Row implements ColumnReader {

        private final IndexPlan index;
        private final int keptVersions;
        private final Random random;
        private final Set<Entry> entries = new HashSet<>();
        private final List<String> log = new ArrayList<>();
        private List<Stored> file = new ArrayList<>();
        private List<Stored> memory = new ArrayList<>();
        private final Set<Entry> revived = new HashSet<>();
        private final List<List<Stored>> coming = new ArrayList<>();
        private final Set<Entry> maybeInVain = new HashSet<>();

        /** Of loads that failed, or that HBase gave no sequence id: only a repair finds them. */
        private final Set<Entry> leftByLoads = new HashSet<>();

        private List<Entry> likely = List.of();
        private int cameAlready;
        private boolean hasSequence;
        private int loads;
        private int refused;
        private long time = 100;
        private long sequence;

        Row(int keptVersions, Random random) {
            this.keptVersions = keptVersions;
            this.random = random;
            this.index = IndexPlan.of(
                    IndexDefinition.parse("i", "columns=f:a:utf8, f:b:utf8; covers=f:c"),
                    TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                            .setColumnFamily(
                                    ColumnFamilyDescriptorBuilder.newBuilder("f".getBytes(StandardCharsets.US_ASCII))
                                            .setMaxVersions(keptVersions)
                                            .build())
                            .build());
        }

        /** A cell, and whether its delete is one of the family. */
        private record Stored(CellKind kind, Fact fact) {
            boolean isAt(Stored other) {
                return kind == other.kind
                        && fact.column() == other.fact.column()
                        && fact.timestamp() == other.fact.timestamp();
            }

            boolean hides(Fact put) {
                boolean column = fact.column() == Fact.ALL_COLUMNS || fact.column() == put.column();
                return column
                        && (fact.kind() == Kind.DELETE_UP_TO && put.timestamp() <= fact.timestamp()
                                || fact.kind() == Kind.DELETE_VERSION && put.timestamp() == fact.timestamp());
            }
        }

        private List<Stored> all() {
            var all = new ArrayList<>(file);
            all.addAll(memory);
            return all;
        }

        /** Puts that nothing hides, newest first, of one timestamp the last that arrived. */
        private List<Fact> visible(int column) {
            var times = new HashSet<Long>();
            return all().stream()
                    .map(Stored::fact)
                    .filter(fact -> fact.kind() == Kind.PUT && fact.column() == column)
                    .filter(put -> all().stream().noneMatch(cell -> cell.hides(put)))
                    .sorted(Comparator.comparingLong(Fact::timestamp)
                            .thenComparingLong(Fact::sequence)
                            .reversed())
                    .filter(put -> times.add(put.timestamp()))
                    .toList();
        }

        Set<Entry> shown() {
            var state = new RowState(COLUMNS);
            for (int column = 0; column < COLUMNS; column++) {
                List<Fact> visible = visible(column);
                if (!visible.isEmpty()) {
                    state.set(column, visible.get(0).value(), visible.get(0).timestamp());
                }
            }
            return new HashSet<>(index.entries(ROW, state));
        }

        @Override
        public List<Fact> readVisible(byte[] row, IndexPlan of, int versions) {
            var facts = new ArrayList<Fact>();
            for (int column = 0; column < COLUMNS; column++) {
                facts.addAll(visible(column).stream().limit(versions).toList());
            }
            return facts;
        }

        @Override
        public List<Fact> readAll(byte[] row, IndexPlan of) {
            return readRaw(all()).stream().map(Stored::fact).toList();
        }

        /** What HBase's raw scans and compactions get to see: of cells that differ in value and arrival only, the last. */
        private static List<Stored> readRaw(List<Stored> cells) {
            var read = new ArrayList<Stored>();
            for (Stored cell : cells.stream().sorted(ORDER).toList()) {
                if (read.isEmpty() || !read.get(read.size() - 1).isAt(cell)) {
                    read.add(cell);
                }
            }
            return read;
        }

        void step() throws IOException {
            int choice = random.nextInt(14);
            if (choice < 9) {
                write();
            } else if (choice >= 12) {
                load();
            } else if (choice < 10) {
                flush();
            } else {
                compact(random.nextInt(3));
            }
        }

        /** Begins a load, goes on with it, or ends it. */
        private void load() {
            if (coming.isEmpty()) {
                beginLoad();
            } else if (cameAlready < coming.size() && random.nextInt(4) > 0) {
                come();
            } else {
                endLoad();
            }
        }

        private void beginLoad() {
            loads++;
            cameAlready = 0;
            hasSequence = random.nextInt(4) > 0;
            long newest = 0;
            for (int file = 0; file <= random.nextInt(2); file++) {
                var cells = new ArrayList<Stored>();
                for (int i = 0; i <= random.nextInt(3); i++) {
                    long timestamp = 100L + random.nextInt((int) (time - 97));
                    newest = Math.max(newest, timestamp);
                    Stored cell = cell(random.nextInt(COLUMNS), timestamp);
                    boolean isTwice = Stream.concat(coming.stream().flatMap(List::stream), cells.stream())
                            .anyMatch(other -> other.fact.kind() == Kind.PUT
                                    && cell.fact.kind() == Kind.PUT
                                    && other.fact.column() == cell.fact.column()
                                    && other.fact.timestamp() == cell.fact.timestamp());
                    if (cell.fact.kind() != Kind.DELETE_VERSION && !isTwice) {
                        cells.add(cell);
                    }
                }
                if (!cells.isEmpty()) {
                    coming.add(cells);
                }
            }
            if (coming.isEmpty()) {
                return;
            }
            List<Fact> stored = readAll(ROW, index);
            List<RowState> states = ComingStates.of(index, stored, coming(), List.of());
            states.forEach(state -> {
                entries.addAll(index.entries(ROW, state));
                maybeInVain.addAll(index.entries(ROW, state));
            });
            likely = index.entries(ROW, states.get(states.size() - 2));
            maybeInVain.removeAll(likely);
            if (stored.stream()
                    .anyMatch(fact -> coming.stream()
                            .flatMap(List::stream)
                            .anyMatch(later ->
                                    Fact.repeatedBy(List.of(later.fact)).test(fact)))) {
                maybeInVain.addAll(StateHistory.of(index, stored).allEntries(ROW));
            }
            if (!hasSequence) {
                leftByLoads.addAll(entries);
            }
            time = Math.max(time, newest);
            log.add("load " + coming + (hasSequence ? "" : " without sequence"));
        }

        private List<List<Fact>> coming() {
            var lists = new ArrayList<List<Fact>>();
            var sofar = new ArrayList<Fact>();
            for (List<Stored> each : coming) {
                each.forEach(cell -> sofar.add(cell.fact));
                lists.add(List.copyOf(sofar));
            }
            return lists;
        }

        /** The next file is there. */
        private void come() {
            if (cameAlready == 0) {
                // HBase does; without that the load is refused.
                flush();
                sequence++;
            }
            for (Stored cell : coming.get(cameAlready)) {
                file.add(new Stored(cell.kind, at(cell.fact, hasSequence ? sequence : -1)));
            }
            if (cameAlready == 0) {
                sequence++;
            }
            cameAlready++;
            log.add("come " + cameAlready);
        }

        /** Whether or not all files have come. */
        private void endLoad() {
            if (!hasSequence) {
                leftByLoads.addAll(entries);
            }
            if (cameAlready < coming.size()) {
                leftByLoads.addAll(likely);
            }
            coming.clear();
            maybeInVain.removeAll(shown());
            entries.removeAll(maybeInVain);
            maybeInVain.clear();
            log.add("end of load");
        }

        private static Fact at(Fact fact, long sequence) {
            return new Fact(fact.column(), fact.kind(), fact.timestamp(), sequence, fact.value(), fact.expires());
        }

        private void write() throws IOException {
            var change = new RowChange(index, ROW);
            var written = new ArrayList<Stored>();
            sequence++;
            int cells = 1 + random.nextInt(3);
            long newTime = ++time;
            var log = new StringBuilder("write");
            for (int i = 0; i < cells; i++) {
                boolean isNew = random.nextInt(3) > 0;
                long timestamp = isNew ? newTime : 100 + random.nextInt((int) (time - 99));
                Stored cell = cell(i, timestamp);
                log.append(' ')
                        .append(cell.kind)
                        .append(' ')
                        .append(cell.fact.column())
                        .append('@')
                        .append(timestamp);
                change.add(now(cell.fact), timestamp == newTime, false);
                written.add(cell);
            }
            try {
                change.resolve(this, coming());
            } catch (RegionTooBusyException e) {
                refused++;
                return;
            }
            for (Entry entry : change.entriesWhenLoaded()) {
                entries.add(entry);
                if (!change.isNew(entry)) {
                    revived.add(entry);
                }
            }
            maybeInVain.addAll(change.maybeInVain());
            for (RowChange.Deletion deletion : change.deletions()) {
                boolean version = deletion.type() == Cell.Type.Delete;
                written.add(new Stored(
                        version ? CellKind.DELETE_VERSION : CellKind.DELETE_COLUMN,
                        fact(
                                deletion.column(),
                                version ? Kind.DELETE_VERSION : Kind.DELETE_UP_TO,
                                deletion.timestamp())));
            }
            List<Entry> puts = change.entries();
            if (change.areRevived(puts)) {
                revived.addAll(puts);
            }
            entries.addAll(puts);
            for (Stored cell : written) {
                // Of two puts of one batch and timestamp the store has the later only.
                memory.removeIf(each -> each.kind == CellKind.PUT
                        && cell.kind == CellKind.PUT
                        && each.fact.column() == cell.fact.column()
                        && each.fact.timestamp() == cell.fact.timestamp()
                        && each.fact.sequence() == sequence);
                memory.add(cell);
            }
            entries.removeAll(change.obsolete());
            entries.removeAll(change.unfindable());
            this.log.add(log.toString());
        }

        private Stored cell(int at, long timestamp) {
            return switch (random.nextInt(10)) {
                case 0 -> new Stored(CellKind.DELETE_FAMILY, fact(Fact.ALL_COLUMNS, Kind.DELETE_UP_TO, timestamp));
                case 1 ->
                    new Stored(CellKind.DELETE_FAMILY_VERSION, fact(Fact.ALL_COLUMNS, Kind.DELETE_VERSION, timestamp));
                case 2 -> new Stored(CellKind.DELETE_COLUMN, fact(at, Kind.DELETE_UP_TO, timestamp));
                case 3 -> new Stored(CellKind.DELETE_VERSION, fact(at, Kind.DELETE_VERSION, timestamp));
                default ->
                    new Stored(
                            CellKind.PUT,
                            new Fact(
                                    at,
                                    Kind.PUT,
                                    timestamp,
                                    sequence,
                                    new byte[] {(byte) ('v' + random.nextInt(3))},
                                    false));
            };
        }

        private Fact fact(int column, Kind kind, long timestamp) {
            return new Fact(column, kind, timestamp, sequence, new byte[0], false);
        }

        private static Fact now(Fact fact) {
            return at(fact, Fact.NOW);
        }

        private void flush() {
            file.addAll(memory);
            memory = new ArrayList<>();
            // Whoever reads the file now knows why they came back.
            revived.clear();
            log.add("flush");
        }

        /** Reads the file, lets others write, removes entries, and puts what is left in the place of the file. */
        private void compact(int writes) throws IOException {
            if (!coming.isEmpty()) {
                // Concludes nothing, see WholePasses.
                return;
            }
            log.add("compact {");
            var kept = new ArrayList<Stored>();
            List<Stored> read = readRaw(file);
            List<Fact> facts = read.stream().map(Stored::fact).toList();
            var collector = new Collector<Stored, RuntimeException>(
                    Retention.strictMajor(keptVersions), (which, cell, fresh, mustAck) -> {});
            collector.row();
            int column = -2;
            for (Stored cell : read) {
                if (cell.fact.column() != column) {
                    column = cell.fact.column();
                    collector.column(new int[0]);
                }
                if (collector.cell(cell.kind, cell.fact.timestamp(), cell.fact.sequence(), cell)) {
                    kept.add(cell);
                }
            }
            Set<Entry> former = StateHistory.of(index, facts).formerEntries(ROW, -1);
            for (int i = 0; i < writes; i++) {
                write();
            }
            former.removeAll(revived);
            entries.removeAll(former);
            file = kept;
            log.add("}");
        }

        private static final Comparator<Stored> ORDER = Comparator.comparingInt((Stored cell) -> cell.fact.column())
                .thenComparing(cell -> cell.fact.timestamp(), Comparator.reverseOrder())
                .thenComparing(Stored::kind)
                .thenComparing(cell -> cell.fact.sequence(), Comparator.reverseOrder());
    }
}

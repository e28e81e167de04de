package io.leeway.hindex.internal.collect;

import io.leeway.hindex.internal.collect.Retention.Repair;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store of one row and family, and the index of its columns, as plain as can be: files and memory are lists of cells, a read
 * looks at all of them. Entries are a set: an entry that is put after its removal is there.
 */
final class ModelStore {

    static final Comparator<Cell> ORDER = Comparator.comparing(Cell::qualifier)
            .thenComparing(Cell::ts, Comparator.reverseOrder())
            .thenComparing(Cell::kind)
            .thenComparing(Cell::seq, Comparator.reverseOrder());

    final int versions;
    final List<List<Cell>> files = new ArrayList<>();
    List<Cell> memory = new ArrayList<>();
    final Set<Entry> index = new HashSet<>();
    final Map<String, List<String>> written = new HashMap<>();
    long seq;
    long repairedUpTo = -1;

    ModelStore(int versions) {
        this.versions = versions;
    }

    /**
     * Puts the entry, then the value. The same may be written again, but no value comes back to a timestamp after another
     * one, or after a tombstone: who sets timestamps himself must not use them twice.
     */
    void put(String qualifier, long ts, String value, boolean expires) {
        var cell = new Cell(CellKind.PUT, qualifier, ts, ++seq, value, expires);
        List<String> before = written.computeIfAbsent(qualifier + ts, key -> new ArrayList<>());
        boolean again = !before.isEmpty() && before.get(before.size() - 1).equals(value);
        // An entry lives as long as what was written last with it.
        boolean otherwise = cells().stream().anyMatch(each -> each.isSame(cell) && each.expires != expires);
        boolean masked = cells().stream().anyMatch(each -> each.masks(cell));
        if (!otherwise && (again && !masked || !before.contains(value))) {
            before.add(value);
            index.add(Entry.of(cell));
            memory.add(cell);
        }
    }

    /** Writes a tombstone; one of a single version also masks what would come back from behind the kept versions. */
    void delete(CellKind kind, String qualifier, long ts) {
        boolean family = kind == CellKind.DELETE_FAMILY || kind == CellKind.DELETE_FAMILY_VERSION;
        Set<Entry> before = borneOut();
        memory.add(new Cell(kind, family ? "" : qualifier, ts, ++seq, "", false));
        // Their entries may be gone.
        for (Entry back = newest(before); back != null; back = newest(before)) {
            memory.add(new Cell(CellKind.DELETE_COLUMN, back.qualifier, back.ts, ++seq, "", false));
        }
    }

    private @Nullable Entry newest(Set<Entry> before) {
        return borneOut().stream()
                .filter(entry -> !before.contains(entry))
                .max(Comparator.comparing(Entry::ts))
                .orElse(null);
    }

    /** Values with a time to live of their own go, and their entries with them. */
    void expire() {
        cells().stream().filter(Cell::expires).map(Entry::of).forEach(index::remove);
        memory.removeIf(Cell::expires);
        files.forEach(file -> file.removeIf(Cell::expires));
    }

    /**
     * Under the row's lock: removes entries that the row does not bear out, now or when cells have expired; and writes again those
     * of what they had superseded.
     */
    void settle(List<Entry> entries) {
        Set<Entry> borneOut = borneOut();
        for (Entry entry : entries) {
            if (!borneOut.contains(entry)) {
                index.remove(entry);
                borneOut.stream()
                        .filter(each -> each.qualifier.equals(entry.qualifier) && each.ts < entry.ts)
                        .forEach(index::add);
            }
        }
    }

    /** What a reader sees, or may see when some of the cells have expired that do so by themselves. */
    private Set<Entry> borneOut() {
        List<Cell> cells = cells();
        List<Cell> lasting = cells.stream().filter(cell -> !cell.expires).toList();
        var borneOut = new HashSet<Entry>();
        for (Cell put : cells) {
            var withPut = new ArrayList<>(lasting);
            if (put.expires) {
                withPut.add(put);
            }
            visible(withPut).values().stream()
                    .filter(puts -> puts.contains(put))
                    .forEach(puts -> borneOut.add(Entry.of(put)));
        }
        return borneOut;
    }

    /** What a reader sees, by column, the newest first. */
    Map<String, List<Cell>> visible(List<Cell> cells) {
        Map<String, List<Cell>> visible = unmasked(cells);
        visible.replaceAll((column, puts) -> puts.subList(0, Math.min(versions, puts.size())));
        return visible;
    }

    Set<Entry> fresh() {
        var fresh = new HashSet<Entry>();
        visible(cells()).values().forEach(puts -> puts.forEach(put -> fresh.add(Entry.of(put))));
        return fresh;
    }

    List<Cell> cells() {
        var cells = new ArrayList<>(memory);
        files.forEach(cells::addAll);
        return cells;
    }

    void flush(Retention retention) {
        Run run = new Run(List.of(memory), retention);
        memory = new ArrayList<>();
        run.removals.forEach(index::remove);
        files.add(run.output);
        settle(run.overtaken);
    }

    Retention retention(Repair repair, boolean complete, long readPoint) {
        return new Retention(
                versions, 0, Long.MIN_VALUE, false, complete, Long.MAX_VALUE, readPoint, repairedUpTo, repair);
    }

    /** Puts that no tombstone masks, the first of each timestamp, by column. */
    private static Map<String, List<Cell>> unmasked(List<Cell> cells) {
        var columns = new TreeMap<String, List<Cell>>();
        var timestamps = new HashSet<String>();
        cells.stream().sorted(ORDER).filter(cell -> cell.kind == CellKind.PUT).forEach(put -> {
            boolean masked = cells.stream().anyMatch(cell -> cell.masks(put));
            if (!masked && timestamps.add(put.qualifier + "/" + put.ts)) {
                columns.computeIfAbsent(put.qualifier, key -> new ArrayList<>()).add(put);
            }
        });
        return columns;
    }

    /** A cell of the only row. */
    record Cell(CellKind kind, String qualifier, long ts, long seq, String value, boolean expires) {

        boolean isSame(Cell other) {
            return kind == other.kind
                    && ts == other.ts
                    && qualifier.equals(other.qualifier)
                    && value.equals(other.value);
        }

        boolean masks(Cell put) {
            boolean column = qualifier.equals(put.qualifier);
            return switch (kind) {
                case DELETE_FAMILY -> put.ts <= ts;
                case DELETE_COLUMN -> column && put.ts <= ts;
                case DELETE_FAMILY_VERSION -> put.ts == ts;
                case DELETE_VERSION -> column && put.ts == ts;
                case PUT -> false;
            };
        }
    }

    /** An entry of the index. */
    record Entry(String qualifier, String value, long ts) {
        static Entry of(Cell cell) {
            return new Entry(cell.qualifier, cell.value, cell.ts);
        }
    }

    /** One pass of the collector over files. */
    static final class Run {
        final List<Cell> output = new ArrayList<>();
        final List<Entry> removals = new ArrayList<>();
        final Set<Entry> mustAck = new HashSet<>();
        final List<Entry> overtaken = new ArrayList<>();

        Run(List<List<Cell>> input, Retention retention) {
            var follows = new int[] {retention.maxVersions()};
            var collector = new Collector<Cell, RuntimeException>(retention, new Collector.Obsolete<>() {
                @Override
                public void obsolete(int which, Cell cell, @Nullable Cell fresh, boolean dropped) {
                    remove(cell, fresh, dropped);
                }

                @Override
                public void overtaken(Cell cell) {
                    overtaken.add(Entry.of(cell));
                }
            });
            var sorted = new ArrayList<Cell>();
            input.forEach(sorted::addAll);
            sorted.sort(ORDER);
            collector.row();
            String qualifier = null;
            for (Cell cell : sorted) {
                if (!cell.qualifier.equals(qualifier)) {
                    qualifier = cell.qualifier;
                    collector.column(follows);
                }
                boolean keeps = cell.expires
                        ? collector.expiringPut(cell.ts, cell.seq, cell)
                        : collector.cell(cell.kind, cell.ts, cell.seq, cell);
                if (keeps) {
                    output.add(cell);
                }
                // As if its memory went away after each call.
                collector.detach(
                        held -> new Cell(held.kind, held.qualifier, held.ts, held.seq, held.value, held.expires));
            }
        }

        private void remove(Cell cell, @Nullable Cell fresh, boolean dropped) {
            if (fresh == null || !fresh.value.equals(cell.value)) {
                removals.add(Entry.of(cell));
                if (dropped) {
                    mustAck.add(Entry.of(cell));
                }
            }
        }
    }
}

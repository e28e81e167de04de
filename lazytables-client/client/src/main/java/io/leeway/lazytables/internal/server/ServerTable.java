package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.RowMap;
import io.leeway.lazytables.internal.row.Shards;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A table in a server.
 *
 * <p>Updates change the rows as they come. A strict table puts them off: its rows hold what was written up to a clock
 * that no read can go behind, and updates of later clocks wait, ordered by clock and process, so that a read of any
 * clock in between finds exactly that, added in the same order in every run. A table with a limit to steps puts off
 * what is newer than the global clock, so that reads within a radius can leave out what is too new; its other reads see
 * all.
 */
final class ServerTable {

    /** The steps of a process's workers are added in the type of the cells, which may round. */
    private static final double ROUNDING = 1.001;

    /** In messages: that no version is known. */
    private static final int NO_VERSION = 0;

    final String name;
    final TableSpec spec;

    private final RowMap<Held> rows = new RowMap<>();
    /** Of rows that clients have, also of such that nobody has written yet. */
    private final RowMap<Subscribers> subscribers = new RowMap<>();

    private List<Subscribers> changed = new ArrayList<>();

    private final TreeMap<Integer, TreeMap<Integer, Long2ObjectOpenHashMap<RowLog>>> waiting = new TreeMap<>();
    /**
     * Of each end of a clock that is open, see {@link ClockEnds}: the rows that were changed past it, as they were at
     * it.
     */
    private final TreeMap<Integer, RowMap<Row>> ends = new TreeMap<>();

    private final Answers answers = new Answers();
    private final Row nothing;
    private final Memory memory;
    /**
     * Rows that nobody has written yet, and whose memory is taken: how many updates that wait for their word, or are
     * put off, will write each.
     */
    private final Long2IntOpenHashMap coming = new Long2IntOpenHashMap();
    /** What {@link Row#approach} found, so that it is not left out as of no use. */
    long approached;

    /** One that may take any amount of memory. */
    ServerTable(String name, TableSpec spec) {
        this(name, spec, new Memory());
    }

    ServerTable(String name, TableSpec spec, Memory memory) {
        this.name = name;
        this.spec = spec;
        this.memory = memory;
        nothing = Row.blank(spec);
    }

    /** About how much more memory is taken when this is applied, and until then. */
    long needs(RowLog log) {
        return bytes(log) + (isNew(log.key()) ? bytesOfRow() : 0);
    }

    private boolean isNew(long key) {
        return rows.get(key) == null && !coming.containsKey(key);
    }

    /**
     * An update will write the row, which cannot be refused any more when it does: takes its memory now, once for all
     * that will. Without that, each of many clocks that wait would find the room that one of them takes.
     */
    void expect(long key) {
        if (rows.get(key) == null && coming.addTo(key, 1) == 0) {
            memory.take(bytesOfRow());
        }
    }

    /** An update that was {@linkplain #expect expected} was given up. */
    void expectNoMore(long key) {
        if (coming.containsKey(key) && coming.addTo(key, -1) == 1) {
            coming.remove(key);
            memory.give(bytesOfRow());
        }
    }

    private long bytesOfRow() {
        return Memory.OF_ROW + Row.memory(spec);
    }

    private static long bytes(RowLog log) {
        return Memory.OF_ROW + (long) Memory.OF_CELL * log.entries();
    }

    /** Whether steps are limited. */
    boolean isLimited() {
        return spec.maxStep() > 0;
    }

    /** Refuses what a process that keeps the table's limit does not send. */
    void check(RowLog log, int workers) {
        if (!isLimited()) {
            return;
        }
        if (log.hasPuts()) {
            throw new WireException("A cell of table " + name + " is put, whose steps are limited");
        }
        double most = workers * spec.maxStep() * ROUNDING;
        if (!(log.length() <= most)) {
            throw new WireException("A process of " + workers + " workers moves row " + log.key() + " of table " + name
                    + " by " + log.length() + " in one clock, where each worker may by " + spec.maxStep());
        }
    }

    /** Whether updates are put off. */
    private boolean putsOff() {
        return spec.strict() || isLimited();
    }

    /** Does what a process did in a clock, each row once. */
    void update(int process, int clock, List<RowLog> logs) {
        for (int from = 0; from < logs.size(); from += Row.AT_ONCE) {
            int to = Math.min(logs.size(), from + Row.AT_ONCE);
            long sum = 0;
            for (int i = from; i < to; i++) {
                Held held = rows.get(logs.get(i).key());
                sum += held == null ? 0 : held.row.approach();
            }
            approached = sum;
            for (int i = from; i < to; i++) {
                update(process, clock, logs.get(i));
            }
        }
    }

    void update(int process, int clock, RowLog log) {
        if (putsOff()) {
            memory.take(bytes(log));
            expect(log.key());
            waiting.computeIfAbsent(clock, c -> new TreeMap<>())
                    .computeIfAbsent(process, p -> new Long2ObjectOpenHashMap<>())
                    .put(log.key(), log);
        } else {
            if (!ends.isEmpty()) {
                keepEnds(clock, log);
            }
            Held held = held(log.key());
            applyTo(held.row, log);
            RowJournal journal = held.journal;
            if (journal != null) {
                journal.wrote(log, held.row.entries());
            }
            Subscribers clients = subscribers.get(log.key());
            if (clients != null && clients.change()) {
                changed.add(clients);
            }
        }
    }

    /**
     * Writes the row for a read that requires a clock: its version, then of a reader that has a version of which it is
     * known what was written since, only that, else all values.
     */
    void answer(long key, int required, long has, WireBuffer out) {
        Held held = putsOff() ? null : rows.get(key);
        if (held == null) {
            out.putVar(NO_VERSION);
            out.putVar(NO_VERSION);
            read(key, required).write(out);
            return;
        }
        RowJournal journal = held.journal();
        long version = journal.version();
        if (answers.copy(journal.answer, version, has, out)) {
            return;
        }
        int from = out.size();
        write(held.row, journal, has, out);
        answers.keep(journal.answer, version, has, out, from);
    }

    private static void write(Row row, RowJournal journal, long has, WireBuffer out) {
        out.putVar(journal.version() + 1);
        int[] changed = has == NO_VERSION ? null : journal.since(has - 1);
        out.putVar(changed == null ? NO_VERSION : has);
        if (changed == null) {
            row.write(out);
        } else {
            row.writeColumns(changed, out);
        }
    }

    /** Adds a client that has the row and is to be sent it when it has changed. */
    void subscribe(long key, Subscription subscription) {
        Subscribers clients = subscribers.get(key);
        if (clients == null) {
            clients = new Subscribers(key);
            subscribers.put(key, clients);
        }
        clients.add(subscription);
    }

    void unsubscribe(long key, Subscription subscription) {
        Subscribers clients = subscribers.get(key);
        if (clients != null && clients.remove(subscription) && !clients.isChanged()) {
            subscribers.remove(key);
        }
    }

    /** The rows that clients have and that may have changed since this was asked last. */
    List<Subscribers> takeChanged() {
        if (changed.isEmpty()) {
            return List.of();
        }
        List<Subscribers> taken = changed;
        changed = new ArrayList<>(taken.size());
        for (Subscribers clients : taken) {
            clients.sent();
            if (clients.all().isEmpty()) {
                subscribers.remove(clients.key);
            }
        }
        return taken;
    }

    /** The version of a row as messages say it. */
    long version(long key) {
        Held held = putsOff() ? null : rows.get(key);
        return held == null ? NO_VERSION : held.journal().version() + 1;
    }

    /** The row for a read that requires a clock: as new as there is or, in a strict table, with exactly that. */
    Row read(long key, int required) {
        Row row = present(key);
        return waiting.isEmpty() ? row : with(row, waitingFor(key, spec.strict() ? required : Integer.MAX_VALUE));
    }

    /** The row of a table with limited steps as of a clock, with all that the reader's own process did. */
    Row read(long key, int clock, int process) {
        List<RowLog> later = waitingFor(key, clock);
        waiting.tailMap(clock, false).values().forEach(ofClock -> addLog(ofClock.get(process), key, later));
        return with(present(key), later);
    }

    /** Applies what no read can leave out any more. */
    void clockReached(int globalClock) {
        if (waiting.isEmpty()) {
            return;
        }
        SortedMap<Integer, TreeMap<Integer, Long2ObjectOpenHashMap<RowLog>>> due =
                waiting.headMap(spec.strict() ? globalClock - spec.slack() : globalClock, true);
        due.values()
                .forEach(ofClock -> ofClock.values()
                        .forEach(logs -> logs.values().forEach(log -> {
                            applyTo(held(log.key()).row, log);
                            memory.give(bytes(log));
                        })));
        due.clear();
    }

    private void applyTo(Row row, RowLog log) {
        if (!spec.sparse()) {
            log.applyTo(row);
            return;
        }
        int before = row.entries();
        log.applyTo(row);
        memory.take((long) Memory.OF_CELL * (row.entries() - before));
    }

    /**
     * An update that is past the end of a clock is about to come: from now on the rows are known as they are at that
     * end. What is put off is told apart by its clock anyway.
     */
    void open(int end) {
        if (!putsOff()) {
            ends.put(end, new RowMap<>());
        }
    }

    /** Nobody asks any more for the end of this clock, or an earlier one. */
    void closeUpTo(int clock) {
        ends.headMap(clock, true).clear();
    }

    private void keepEnds(int clock, RowLog log) {
        for (Map.Entry<Integer, RowMap<Row>> end : ends.entrySet()) {
            RowMap<Row> kept = end.getValue();
            Row then = kept.get(log.key());
            if (clock <= end.getKey()) {
                if (then != null) {
                    log.applyTo(then == nothing ? copied(kept, log.key(), nothing) : then);
                }
            } else if (then == null) {
                keep(kept, log.key());
            }
        }
    }

    /** The row as it is now, or that there is none. */
    private void keep(RowMap<Row> kept, long key) {
        Row present = present(key);
        if (present == nothing) {
            kept.put(key, nothing);
        } else {
            copied(kept, key, present);
        }
    }

    private Row copied(RowMap<Row> to, long key, Row row) {
        var copy = new Row(spec);
        copy.copyFrom(row);
        to.put(key, copy);
        return copy;
    }

    /** Writes what the table held at the end of a clock, which is the global clock's next, or one behind it. */
    void writeEnd(int clock, WireBuffer out) {
        var then = new RowMap<Row>();
        RowMap<Row> others = putsOff() ? withPutOff(clock) : ends.get(clock);
        rows.forEach((key, held) -> then.put(key, held.row));
        if (others != null) {
            others.forEach((key, row) -> {
                if (row == nothing) {
                    then.remove(key);
                } else {
                    then.put(key, row);
                }
            });
        }
        out.putText(name);
        SpecCodec.write(spec, out);
        out.putVar(then.size());
        then.forEach((key, row) -> {
            out.putVar(key);
            row.write(out);
        });
    }

    /** Rows of which something is put off, with that of the clocks up to this one. */
    private RowMap<Row> withPutOff(int clock) {
        var then = new RowMap<Row>();
        waiting.headMap(clock, true)
                .values()
                .forEach(ofClock -> ofClock.values()
                        .forEach(logs -> logs.values().forEach(log -> {
                            Row row = then.get(log.key());
                            log.applyTo(row == null ? copied(then, log.key(), present(log.key())) : row);
                        })));
        return then;
    }

    /** Gives each row, and what waits for it, to that one of the tables whose server is to have it. */
    void moveTo(List<ServerTable> tables) {
        rows.forEach((key, held) ->
                tables.get(Shards.server(name, key, tables.size())).rows.put(key, new Held(held.row)));
        waiting.forEach((clock, ofClock) -> ofClock.forEach((process, logs) -> {
            for (RowLog log : logs.values()) {
                tables.get(Shards.server(name, log.key(), tables.size())).update(process, clock, log);
            }
        }));
    }

    /** What it is, for people. */
    ServerStatus.OfTable status() {
        long put = 0;
        for (TreeMap<Integer, Long2ObjectOpenHashMap<RowLog>> ofClock : waiting.values()) {
            for (Long2ObjectOpenHashMap<RowLog> logs : ofClock.values()) {
                put += logs.size();
            }
        }
        String kind = (spec.sparse() ? "sparse" : "dense, " + spec.columns() + " columns") + " of " + spec.type()
                + ", combined by " + spec.op().name()
                + (spec.slack() == TableSpec.ASYNC ? ", waits for nobody" : ", slack " + spec.slack())
                + (spec.strict() ? ", strict" : "");
        return new ServerStatus.OfTable(name, kind.toLowerCase(Locale.ROOT), rows.size(), put);
    }

    /** Writes what the table holds. */
    void write(WireBuffer out) {
        out.putText(name);
        SpecCodec.write(spec, out);
        out.putVar(rows.size());
        rows.forEach((key, held) -> {
            out.putVar(key);
            held.row.write(out);
        });
        out.putVar(waiting.size());
        waiting.forEach((clock, ofClock) -> {
            out.putVar(clock);
            out.putVar(ofClock.size());
            ofClock.forEach((process, logs) -> {
                out.putVar(process);
                out.putVar(logs.size());
                logs.values().forEach(log -> log.write(out));
            });
        });
    }

    /** Reads what {@link #write} wrote. */
    static ServerTable read(WireReader in, CombineOps ops, Memory memory) {
        var table = new ServerTable(in.getText("The table's name", Protocol.MAX_NAME), SpecCodec.read(in, ops), memory);
        int count = in.getCount("The number of rows", 2);
        for (int i = 0; i < count; i++) {
            Row row = table.held(in.getVar("The row", 0, table.spec.rows() - 1)).row;
            row.read(in);
            if (table.spec.sparse()) {
                memory.take((long) Memory.OF_CELL * row.entries());
            }
        }
        int clocks = in.getCount("The number of clocks", 2);
        for (int i = 0; i < clocks; i++) {
            int clock = in.getInt("The clock", 0, Integer.MAX_VALUE);
            int processes = in.getCount("The number of processes", 2);
            for (int j = 0; j < processes; j++) {
                int process = in.getInt("The process", 0, Protocol.MAX_PROCESSES);
                int logs = in.getCount("The number of rows", 2);
                for (int k = 0; k < logs; k++) {
                    table.update(process, clock, RowLog.read(table.spec, in));
                }
            }
        }
        return table;
    }

    private List<RowLog> waitingFor(long key, int required) {
        var found = new ArrayList<RowLog>();
        waiting.headMap(required, true)
                .values()
                .forEach(ofClock -> ofClock.values().forEach(logs -> addLog(logs, key, found)));
        return found;
    }

    private static void addLog(@Nullable Long2ObjectOpenHashMap<RowLog> logs, long key, List<RowLog> found) {
        RowLog log = logs == null ? null : logs.get(key);
        if (log != null) {
            found.add(log);
        }
    }

    private Row with(Row row, List<RowLog> later) {
        if (later.isEmpty()) {
            return row;
        }
        var copy = new Row(spec);
        copy.copyFrom(row);
        later.forEach(log -> log.applyTo(copy));
        return copy;
    }

    /** The row as updates that are not put off left it. */
    private Row present(long key) {
        Held held = rows.get(key);
        return held == null ? nothing : held.row;
    }

    private Held held(long key) {
        Held held = rows.get(key);
        if (held == null) {
            if (coming.remove(key) == 0) {
                memory.take(bytesOfRow());
            }
            held = new Held(new Row(spec));
            rows.put(key, held);
        }
        return held;
    }

    /** A row with, once it was read, what was written to it last. */
    private static final class Held {

        final Row row;

        @Nullable
        RowJournal journal;

        Held(Row row) {
            this.row = row;
        }

        /** The journal, from now on. */
        RowJournal journal() {
            RowJournal kept = journal;
            if (kept == null) {
                kept = new RowJournal();
                journal = kept;
            }
            return kept;
        }
    }
}

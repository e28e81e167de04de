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

    /*
     * Three kinds, by when an update reaches the rows. Others: at once, and a read finds whatever is there. Strict:
     * when the global clock is so far that no read can require less (clock <= global - slack); a read adds to the row
     * what is put off up to its clock. With limited steps: when all have completed its clock; reads by clocks add all
     * that is put off, reads within a radius what they allow for.
     *
     * What James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014), section 4.4.3, calls pending
     * writes is "waiting", of the last two kinds only. There, it is one queue by clocks; here it is ordered by clock
     * and then by process, as floating point sums depend on their order and a strict table promises the same bits in
     * every run. Within a process a row comes once in a clock, with its workers' logs joined in the order of their
     * numbers.
     *
     * The number of rows is not known beforehand, and most programs number them from 0: see RowMap. Not for several
     * threads at once.
     */

    /**
     * The steps of a process's workers are added in the type of the cells, which may round. A thousandth is far more
     * than that, and far less than what a step that breaks the limit would be told by.
     */
    private static final double ROUNDING = 1.001;

    /** In messages: that no version is known. */
    private static final int NO_VERSION = 0;

    final String name;
    final TableSpec spec;

    private final RowMap<Held> rows = new RowMap<>();
    /** Of rows that clients have, also of such that nobody has written yet. */
    private final RowMap<Subscribers> subscribers = new RowMap<>();

    // Each once, however often it changes before it is sent.
    private List<Subscribers> changed = new ArrayList<>();

    // By clock and then by process: the order in which it is applied.
    private final TreeMap<Integer, TreeMap<Integer, Long2ObjectOpenHashMap<RowLog>>> waiting = new TreeMap<>();
    /**
     * Of each end of a clock that is open, see {@link ClockEnds}: the rows that were changed past it, as they were at
     * it.
     */
    private final TreeMap<Integer, RowMap<Row>> ends = new TreeMap<>();

    private final Answers answers = new Answers();
    // Stands for all rows that nobody has written; a row is made when the first update comes, never by a question.
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
        // The workers' logs were joined, so what came is the sum of their steps, at most as many as there are workers.
        double most = workers * spec.maxStep() * ROUNDING;
        // Asked that way round, so that a length that is no number is refused, too.
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
        // First some rows are looked at, then these are changed: each is far away in memory by now, and so the waits
        // for it fall together (see Row.approach).
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
            // Before the row changes, as this keeps what it was.
            if (!ends.isEmpty()) {
                keepEnds(clock, log);
            }
            Held held = held(log.key());
            applyTo(held.row, log);
            RowJournal journal = held.journal;
            // Only of rows that somebody has read: for the others a log of what was written last would be room and time
            // for nobody.
            if (journal != null) {
                journal.wrote(log, held.row.entries());
            }
            Subscribers clients = subscribers.get(log.key());
            // Noted, not sent: of many updates of a clock the clients get the sum.
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
        // What a read of a table finds that puts updates off depends on its clock, so there is no version that would
        // say what its reader has.
        Held held = putsOff() ? null : rows.get(key);
        if (held == null) {
            out.putVar(NO_VERSION);
            out.putVar(NO_VERSION);
            read(key, required).write(out);
            return;
        }
        RowJournal journal = held.journal();
        long version = journal.version();
        // Mostly the question of another process that has the same version.
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
        // With the version behind which these columns follow: a client that dropped the row meanwhile has another one,
        // or none, and must be able to tell that they are of no use to it.
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
        // One that is in the list of changed rows stays until that is gone through, or the row would be there twice
        // when somebody comes back to it.
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
        // About as many change in each clock.
        changed = new ArrayList<>(taken.size());
        for (Subscribers clients : taken) {
            clients.sent();
            if (clients.all().isEmpty()) {
                subscribers.remove(clients.key);
            }
        }
        return taken;
    }

    /**
     * The version of a row as messages say it: one more than the journal's, as {@link #NO_VERSION} stands for none.
     * From the first call on the row is journalled.
     */
    long version(long key) {
        Held held = putsOff() ? null : rows.get(key);
        return held == null ? NO_VERSION : held.journal().version() + 1;
    }

    /** The row for a read that requires a clock: as new as there is or, in a strict table, with exactly that. */
    Row read(long key, int required) {
        Row row = present(key);
        // The hot case: nothing is copied. Of strict tables what is put off up to the clock is added to a copy, as
        // others may ask for the row of an earlier one.
        return waiting.isEmpty() ? row : with(row, waitingFor(key, spec.strict() ? required : Integer.MAX_VALUE));
    }

    /** The row of a table with limited steps as of a clock, with all that the reader's own process did. */
    Row read(long key, int clock, int process) {
        // A reader's clock is not behind the global one, which waits for its process: so what was applied is nothing
        // that it must not see. Of its own process it gets all, and its clients count that.
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
                // A reader's clock is at least the global one, and its slack at most the table's: none requires less
                // than this.
                waiting.headMap(spec.strict() ? globalClock - spec.slack() : globalClock, true);
        due.values()
                .forEach(ofClock -> ofClock.values()
                        .forEach(logs -> logs.values().forEach(log -> {
                            applyTo(held(log.key()).row, log);
                            // That of the log; what the row needs was taken when the update came.
                            memory.give(bytes(log));
                        })));
        due.clear();
    }

    private void applyTo(Row row, RowLog log) {
        if (!spec.sparse()) {
            log.applyTo(row);
            return;
        }
        // A sparse row grows by columns that are new to it, which only applying the log shows; a dense one was counted
        // whole when it was made.
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
            // The update is part of that end. Where the row was kept, it lacks the update; where not, it has not been
            // changed past the end, and is the same as at it.
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
        // What differs from the rows as they are: of tables that put off, rows of which something is; of the others,
        // rows that were changed past the end. All else is at the end what it is now.
        RowMap<Row> others = putsOff() ? withPutOff(clock) : ends.get(clock);
        rows.forEach((key, held) -> then.put(key, held.row));
        if (others != null) {
            others.forEach((key, row) -> {
                if (row == nothing) {
                    // It was made past the end.
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
                // Put off there, too: the global clock of the new servers says when it is due.
                tables.get(Shards.server(name, log.key(), tables.size())).update(process, clock, log);
            }
        }));
    }

    /** What it is, for people. */
    ServerStatus.OfTable status() {
        // Counted when somebody asks: a sum that each update kept would cost more than it is looked at.
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

    /**
     * Writes what the table holds. Not versions and who has which row, which belong to connections, and not what is
     * kept of ends of clocks: a server that goes on from here passes over those that processes were beyond.
     */
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
                    // As when it came: it waits again, and its memory is counted.
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
            // Else its memory was taken when the update came that makes it now, and could still be refused.
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

package io.leeway.hindex.internal.config;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.console.DidYouMean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Every option, once, and the values of a table: its own attributes win over the site file. Keys are API. Immutable and
 * thread-safe.
 */
public final class Options {

    /** What all keys begin with. */
    public static final String PREFIX = "hindex.";

    /** How long a write waits for its entries. */
    public static final Option<Duration> WRITE_TIMEOUT = Option.duration(
            "hindex.write.timeout",
            "5s",
            "100ms",
            "10m",
            "How long a write waits for its index entries; then it is refused, to be tried again.");

    /** How long a server waits for another while it answers a read. */
    public static final Option<Duration> READ_TIMEOUT = Option.duration(
            "hindex.read.timeout",
            "2s",
            "10ms",
            "1m",
            "How long a region server waits for others while it answers a read by an index; then the client does the work, or"
                    + " the scan is not rewritten.");

    /** How many entries a rewritten scan may look at. */
    public static final Option<Integer> SCAN_MAX_ENTRIES = Option.number(
            "hindex.scan.max-entries",
            10_000,
            0,
            1_000_000,
            "Entries that an ordinary scan with a value filter may look at in one region, to be answered by an index; 0 for"
                    + " no such scans.");

    /** How far timestamps may run ahead. */
    public static final Option<Duration> CLOCK_MAX_AHEAD = Option.duration(
            "hindex.clock.max-ahead",
            "5s",
            "0ms",
            "1h",
            "How far the timestamps of a row may run ahead of the clock, one a millisecond, before its writers pause.");

    /** How far clocks of region servers may differ. */
    public static final Option<Duration> CLOCK_SKEW = Option.duration(
            "hindex.clock.skew",
            "1m",
            "0ms",
            "1h",
            "How far the clocks of two region servers may differ. A removal of an entry whose call failed may be carried out"
                    + " for so long and hindex.write.timeout; the entry is not written again for twice that.");

    /** What compaction does. */
    public static final Option<Repair> REPAIR = Option.choice(
            "hindex.repair",
            Repair.class,
            Repair.STRICT,
            "What flushes and compactions do about obsolete entries: remove them and wait, remove them, or nothing.");

    /** Where compactions remove them. */
    public static final Option<RepairVariant> REPAIR_VARIANT = Option.choice(
            "hindex.repair.variant",
            RepairVariant.class,
            RepairVariant.PIPELINED,
            "Where compactions remove obsolete entries: while they read, after them by reading the table's files again, or"
                    + " before them by reading them first.");

    /** How many removals are collected. */
    public static final Option<Integer> REPAIR_BUFFER = Option.number(
            "hindex.repair.buffer",
            2_000,
            1,
            1_000_000,
            "Removals that are collected before they are sorted by place and sent.");

    /** When reads ask for a compaction. */
    public static final Option<Integer> COMPACT_STALE = Option.number(
            "hindex.compact.stale",
            10_000,
            0,
            100_000_000,
            "Obsolete entries of a region's rows that queries meet, more or less within ten minutes, before a compaction of all"
                    + " its files is asked for; 0 for never.");

    /** Which share they must have. */
    public static final Option<Integer> COMPACT_PERCENT = Option.number(
            "hindex.compact.percent",
            50,
            1,
            100,
            "How many in a hundred of the entries that queries meet must be obsolete for that.");

    /** When reads ask for a compaction of an index. */
    public static final Option<Integer> COMPACT_REMOVED = Option.number(
            "hindex.compact.removed",
            1_000_000,
            0,
            1_000_000_000,
            "Removed entries, and deletes of such, that queries pass over in a region of an index, more or less within ten"
                    + " minutes, before a compaction of all its files is asked for; they must also be `hindex.compact.percent`"
                    + " of all. In the site file, or an attribute of the index's own table; 0 for never.");

    /** How often that may be. */
    public static final Option<Duration> COMPACT_PAUSE = Option.duration(
            "hindex.compact.pause",
            "1h",
            "1m",
            "720h",
            "The least time between two such compactions of a region; it grows to sixteen times as much while they do not"
                    + " help.");

    /** Whether the master builds. */
    public static final Option<Automatic> BUILD = Option.choice(
            "hindex.build",
            Automatic.class,
            Automatic.AUTOMATIC,
            "Whether the master builds a new index by itself, or waits until somebody does.");

    /** How fast the master builds. */
    public static final Option<Integer> BUILD_RATE = Option.number(
            "hindex.build.rate", 20_000, 1, 10_000_000, "Rows a second that the master builds an index of.");

    /** For how long a build looks for rows. */
    public static final Option<Duration> BUILD_TIME = Option.duration(
            "hindex.build.time",
            "2s",
            "1ms",
            "10s",
            "How long a call of a build looks for rows that have what is indexed; then the next call goes on.");

    /** How many entries may follow later. */
    public static final Option<Integer> ASYNC_QUEUE = Option.number(
            "hindex.async.queue",
            20_000,
            1,
            1_000_000,
            "Entries of indexes in mode async that may wait in one region; beyond them, writes wait as in mode deferred.");

    /** Whether files are loaded. */
    public static final Option<Load> LOAD = Option.choice(
            "hindex.load",
            Load.class,
            Load.INDEX,
            "What a bulk load into a family with an index does: write the entries first, or nothing, it is refused.");

    /** For how long a bulk load is held up. */
    public static final Option<Duration> LOAD_TIME = Option.duration(
            "hindex.load.time",
            "20s",
            "10ms",
            "10m",
            "How long a call of a bulk load writes entries, or waits for its files; then it is refused, and goes on when"
                    + " it is tried again.");

    /** How fast files are indexed. */
    public static final Option<Integer> LOAD_RATE =
            Option.number("hindex.load.rate", 100_000, 1, 10_000_000, "Entries a second that a bulk load writes.");

    /** How many entries of failed writes are remembered. */
    public static final Option<Integer> FAILED_QUEUE = Option.number(
            "hindex.failed.queue",
            10_000,
            0,
            1_000_000,
            "Entries of failed writes that a region remembers to remove them; for those beyond, the index is read.");

    /** How long entries may arrive late. */
    public static final Option<Duration> FAILED_DELAY = Option.duration(
            "hindex.failed.delay",
            "6m",
            "10ms",
            "24h",
            "How long the entries of a call that failed are waited for before they are removed: it may still be carried out."
                    + " HBase lets a write wait five minutes for its log.");

    /** How often a region says from when on its entries are uncertain. */
    public static final Option<Duration> CERTAIN_PAUSE = Option.duration(
            "hindex.certain.pause",
            "30s",
            "100ms",
            "1h",
            "How often a region that is written notes in its index from which timestamp on entries may be left without rows,"
                    + " should its server be killed. From there on they are looked at afterwards.");

    /** How many entries that came back are remembered. */
    public static final Option<Integer> REVIVED_ENTRIES = Option.number(
            "hindex.revived.entries",
            100_000,
            0,
            10_000_000,
            "Entries that deletes of exact versions brought back and that a region remembers until no compaction needs to know"
                    + " of them, some 300 bytes each. Where there are more, compactions that are at work keep what they have not"
                    + " read yet, and the next ones repair it.");

    private static final List<Option<?>> ALL = List.of(
            WRITE_TIMEOUT,
            READ_TIMEOUT,
            SCAN_MAX_ENTRIES,
            CLOCK_MAX_AHEAD,
            CLOCK_SKEW,
            REPAIR,
            REPAIR_VARIANT,
            REPAIR_BUFFER,
            COMPACT_STALE,
            COMPACT_REMOVED,
            COMPACT_PERCENT,
            COMPACT_PAUSE,
            BUILD,
            BUILD_RATE,
            BUILD_TIME,
            ASYNC_QUEUE,
            LOAD,
            LOAD_TIME,
            LOAD_RATE,
            FAILED_QUEUE,
            FAILED_DELAY,
            CERTAIN_PAUSE,
            REVIVED_ENTRIES);

    /** Each has one; presets are filled in. */
    private final Map<Option<?>, Object> values;

    private Options(Map<Option<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** All options, in the order of the documentation. */
    public static List<Option<?>> all() {
        return ALL;
    }

    /**
     * Reads values.
     *
     * @param site keys and values of the site file; keys of others are not looked at
     * @param table the table's attributes, which win
     * @throws IllegalArgumentException naming every unknown key of ours and every value that is not allowed
     */
    public static Options of(Map<String, String> site, Map<String, String> table) {
        Reading reading = read(site, table);
        if (!reading.problems().isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", reading.problems()));
        }
        return reading.options();
    }

    /**
     * What can be read of what is given.
     *
     * @param options where a table's value is not allowed that of the site file holds, and where that is not either the
     *     preset one
     * @param problems every unknown key of ours and every value that is not allowed
     */
    public record Reading(Options options, List<String> problems) {

        /** Copies. */
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads values, for who has to go on with those that are allowed.
     *
     * <p>A region server must not fail for a mistake in an attribute: it warns, and goes on with what is left.
     */
    public static Reading read(Map<String, String> site, Map<String, String> table) {
        var given = new TreeMap<>(site);
        given.putAll(table);
        var problems = new ArrayList<String>();
        for (String key : given.keySet()) {
            boolean own = key.startsWith(PREFIX) && !key.startsWith(IndexDefinition.ATTRIBUTE_PREFIX);
            if (own && !Option.keys(ALL).contains(key)) {
                problems.add("unknown option " + key + DidYouMean.hint(key, Option.keys(ALL)));
            }
        }
        var values = new HashMap<Option<?>, Object>();
        for (Option<?> option : ALL) {
            values.put(option, allowed(option, table, site, problems));
        }
        return new Reading(new Options(values), problems);
    }

    /** The first of the table's value and the site's that is allowed. */
    private static Object allowed(
            Option<?> option, Map<String, String> table, Map<String, String> site, List<String> problems) {
        for (Map<String, String> from : List.of(table, site)) {
            String value = from.get(option.key());
            if (value != null) {
                try {
                    return option.read(value);
                } catch (IllegalArgumentException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            }
        }
        return option.read(option.preset());
    }

    /**
     * The value of an option.
     *
     * <p>Safe, as each value was read by its own option.
     */
    @SuppressWarnings("unchecked")
    public <T> T get(Option<T> option) {
        return (T) Objects.requireNonNull(values.get(option), option::key);
    }

    /** What a bulk load does. */
    public enum Load {
        /** Write the entries, then load. */
        INDEX,
        /** Nothing. */
        REFUSE
    }

    /** Who begins something. */
    public enum Automatic {
        /** The server does. */
        AUTOMATIC,
        /** An operator does. */
        MANUAL
    }

    /** Where compactions remove obsolete entries. */
    public enum RepairVariant {
        /** In the stream of cells that the compaction reads anyway. */
        PIPELINED,
        /** Afterwards, by another thread, which reads the cells again. */
        ISOLATED,
        /** Before, which reads the cells twice, too; to compare. */
        BEFORE_COMPACTION
    }

    /** What flushes and compactions do about obsolete entries. */
    public enum Repair {
        /** Remove them, and fail if that is not acknowledged. */
        STRICT,
        /** Remove them; what fails is done by the next complete run. */
        LAZY,
        /** Nothing. */
        NONE
    }
}

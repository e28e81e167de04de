package io.leeway.hindex.internal.admin;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/*
 * A run of 32 MB has some 200,000 entries, so a large table makes more runs than a process may have open files. Of more than
 * FAN_IN the first ones are merged into one, until there are no more: up to FAN_IN² runs each entry is written twice at most.
 */
/**
 * Sorts more entries than there is memory for: sorted runs in files, merged when they are read. {@link Verification}
 * fills it, has it sorted, and reads it once. For one thread.
 */
final class EntrySorter implements AutoCloseable {

    /** As a scan of the index returns them: of one key and qualifier, the newest first. */
    static final Comparator<Entry> ORDER = (left, right) -> {
        int byKey = Arrays.compareUnsigned(left.key(), right.key());
        if (byKey != 0) {
            return byKey;
        }
        int byQualifier = Arrays.compareUnsigned(left.qualifier(), right.qualifier());
        return byQualifier != 0 ? byQualifier : Long.compare(right.timestamp(), left.timestamp());
    };

    /** So many files are open at a time. */
    static final int FAN_IN = 64;

    /** Bytes of memory for an entry besides key and qualifier: the objects, and its place in the list. */
    private static final int OVERHEAD = 96;

    private final IndexPlan index;
    /** Bytes of one run. */
    private final long capacity;

    private final Path directory;
    private final List<Entry> run = new ArrayList<>();
    /** Those that are not merged into others; a file of its own each. */
    private final List<Run> runs = new ArrayList<>();
    /**
     * Runs that are open, by their next entries. A run is in it only while it has one, so that the order never changes
     * inside.
     */
    private final PriorityQueue<Run> queue = new PriorityQueue<>();

    private long size;
    private int files;

    /** Keeps so many bytes in memory. */
    EntrySorter(IndexPlan index, long capacity) throws IOException {
        this.index = index;
        this.capacity = capacity;
        this.directory = Files.createTempDirectory("hindex-verify");
    }

    /** One more. */
    void add(Entry entry) throws IOException {
        run.add(entry);
        size += entry.key().length + entry.qualifier().length + OVERHEAD;
        if (size >= capacity) {
            spill();
        }
    }

    private void spill() throws IOException {
        run.sort(ORDER);
        Run spilled = newRun(run.size());
        try (DataOutputStream out = spilled.output()) {
            for (Entry entry : run) {
                write(entry, out);
            }
        }
        run.clear();
        size = 0;
    }

    private Run newRun(long count) {
        var added = new Run(index, directory.resolve("run" + files++), count);
        runs.add(added);
        return added;
    }

    private static void write(Entry entry, DataOutputStream out) throws IOException {
        out.writeInt(entry.key().length);
        out.write(entry.key());
        out.writeInt(entry.qualifier().length);
        out.write(entry.qualifier());
        out.writeLong(entry.timestamp());
    }

    /**
     * Ends the adding.
     *
     * <p>The last entries go to a file as well, even if there were never more: one way of reading for all cases.
     */
    void sort() throws IOException {
        spill();
        while (runs.size() > FAN_IN) {
            // No more than it takes: what is merged is written once more.
            mergeFirst(Math.min(FAN_IN, runs.size() - FAN_IN + 1));
        }
        open(runs);
    }

    /**
     * The oldest runs: what was merged goes to the end of the list, so that nothing is merged twice before all others
     * were once.
     */
    private void mergeFirst(int number) throws IOException {
        List<Run> first = List.copyOf(runs.subList(0, number));
        Run merged = newRun(first.stream().mapToLong(each -> each.left).sum());
        open(first);
        try (DataOutputStream out = merged.output()) {
            for (Entry entry = next(); entry != null; entry = next()) {
                write(entry, out);
            }
        }
        for (Run each : first) {
            each.delete();
        }
        runs.subList(0, number).clear();
    }

    private void open(List<Run> some) throws IOException {
        for (Run each : some) {
            each.open();
            if (each.head() != null) {
                queue.add(each);
            }
        }
    }

    /** How many files are open; for tests. */
    long openFiles() {
        return runs.stream().filter(each -> each.in != null).count();
    }

    /** The next one in order; null at the end. */
    @Nullable
    Entry next() throws IOException {
        Run first = queue.poll();
        if (first == null) {
            return null;
        }
        Entry entry = first.head();
        first.advance();
        if (first.head() != null) {
            queue.add(first);
        }
        return entry;
    }

    /** Removes the files, also after a failure in the middle. */
    @Override
    public void close() throws IOException {
        for (Run each : runs) {
            each.delete();
        }
        Files.deleteIfExists(directory);
    }

    /**
     * A sorted file, read once. How many entries it has is known from when it was written, so it needs no mark at its
     * end.
     */
    private static final class Run implements Comparable<Run> {

        private final IndexPlan index;
        private final Path file;
        private long left;
        private @Nullable DataInputStream in;
        private @Nullable Entry head;

        Run(IndexPlan index, Path file, long count) {
            this.index = index;
            this.file = file;
            this.left = count;
        }

        DataOutputStream output() throws IOException {
            return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
        }

        void open() throws IOException {
            in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
            advance();
        }

        @Nullable
        Entry head() {
            return head;
        }

        void advance() throws IOException {
            if (in == null || left == 0) {
                head = null;
                return;
            }
            left--;
            byte[] key = in.readNBytes(in.readInt());
            byte[] qualifier = in.readNBytes(in.readInt());
            head = new Entry(index, key, qualifier, in.readLong());
        }

        @Override
        public int compareTo(Run other) {
            if (head == null || other.head == null) {
                return Boolean.compare(head == null, other.head == null);
            }
            return ORDER.compare(head, other.head);
        }

        void delete() throws IOException {
            if (in != null) {
                in.close();
            }
            Files.deleteIfExists(file);
        }
    }
}

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

/** Sorts more entries than there is memory for: sorted runs in files, merged when they are read. For one thread. */
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

    private static final int OVERHEAD = 96;

    private final IndexPlan index;
    private final long capacity;
    private final Path directory;
    private final List<Entry> run = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private PriorityQueue<Run> queue = new PriorityQueue<>();
    private long size;

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
        Path file = directory.resolve("run" + runs.size());
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (Entry entry : run) {
                out.writeInt(entry.key().length);
                out.write(entry.key());
                out.writeInt(entry.qualifier().length);
                out.write(entry.qualifier());
                out.writeLong(entry.timestamp());
            }
        }
        runs.add(new Run(index, file, run.size()));
        run.clear();
        size = 0;
    }

    /** Ends the adding. */
    void sort() throws IOException {
        spill();
        queue = new PriorityQueue<>();
        for (Run each : runs) {
            each.open();
            if (each.head() != null) {
                queue.add(each);
            }
        }
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

    @Override
    public void close() throws IOException {
        for (Run each : runs) {
            each.close();
            Files.deleteIfExists(each.file);
        }
        Files.deleteIfExists(directory);
    }

    /** A sorted file. */
    private static final class Run implements Comparable<Run>, AutoCloseable {

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

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
            }
        }
    }
}

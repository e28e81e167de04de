package io.leeway.hindex.internal.admin;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/*
 * In the index's own table, in a family of its own: a table that is emptied, dropped or created anew has no log, and
 * so the index is not complete.
 */
/**
 * How far an index is built: kept where the entries are, so that one cannot be there without the other. Written by
 * {@link IndexBuild} and read by whoever asks whether an index may be used; all by HBase's own means, so any process
 * may do it. Thread-safe.
 */
final class BuildLog {

    private static final byte[] FAMILY = IndexTables.logFamily();
    /** One row for all, so that a part and the number of its build are compared and written in one step. */
    private static final byte[] ROW = ascii("hindex.build");
    /** There, with no value, when nothing is left. All qualifiers here are stored, never to be changed. */
    private static final byte[] COMPLETE = ascii("complete");
    /** Until when, in milliseconds by the clock of who claims, a space, and who. */
    private static final byte[] CLAIM = ascii("claim");
    /** The number of the build that the parts are of. */
    private static final byte[] BEGUN = ascii("begun");
    /** Followed by the part's first row. */
    private static final byte[] PART = ascii("part");

    private static final byte[] EMPTY = new byte[0];

    private final Connection connection;
    private final IndexPlan index;

    BuildLog(Connection connection, IndexPlan index) {
        this.connection = connection;
        this.index = index;
    }

    /**
     * A part of the base table and how far it is.
     *
     * <p>Parts are the base table's regions when the build began. That regions are split or moved meanwhile changes
     * nothing: a part is a range of rows.
     *
     * @param start its first row
     * @param stop the first row behind it; empty for the end of the table
     * @param next the first row that is not done
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Part(byte[] start, byte[] stop, byte[] next, boolean isDone, long rows, long entries) {

        static Part untouched(byte[] start, byte[] stop) {
            return new Part(start, stop, start, false, 0, 0);
        }

        private byte[] toBytes() throws IOException {
            var bytes = new ByteArrayOutputStream();
            try (var out = new DataOutputStream(bytes)) {
                out.writeBoolean(isDone);
                out.writeLong(rows);
                out.writeLong(entries);
                for (byte[] key : List.of(start, stop, next)) {
                    out.writeInt(key.length);
                    out.write(key);
                }
            }
            return bytes.toByteArray();
        }

        private static Part of(byte[] bytes) throws IOException {
            try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
                boolean done = in.readBoolean();
                long rows = in.readLong();
                long entries = in.readLong();
                byte[] start = in.readNBytes(in.readInt());
                byte[] stop = in.readNBytes(in.readInt());
                byte[] next = in.readNBytes(in.readInt());
                return new Part(start, stop, next, done, rows, entries);
            }
        }
    }

    /** Whether entries of all that was there before the index have been added. */
    boolean isComplete() throws IOException {
        try (Table table = table()) {
            return table.exists(new Get(ROW).addColumn(FAMILY, COMPLETE));
        }
    }

    /**
     * Notes that a table without rows needs no build.
     *
     * <p>Without a build and its number: nobody else can be at work on a table that is just being created.
     */
    void completeEmpty() throws IOException {
        try (Table table = table()) {
            table.put(new Put(ROW).addColumn(FAMILY, COMPLETE, EMPTY));
        }
    }

    /**
     * Notes that nothing is left to add.
     *
     * <p>Refused if it was cleared meanwhile, as all that a build notes.
     */
    void complete(byte[] build) throws IOException {
        put(build, new Put(ROW).addColumn(FAMILY, COMPLETE, EMPTY));
    }

    /** Forgets everything: the index is to be built from the beginning. */
    void clear() throws IOException {
        try (Table table = table()) {
            table.delete(new Delete(ROW).addFamily(FAMILY));
        }
    }

    /**
     * The parts, in the order of their keys; none before a build began.
     *
     * <p>Sorted by HBase, since the qualifiers end with the first rows.
     */
    List<Part> parts() throws IOException {
        var parts = new ArrayList<Part>();
        try (Table table = table()) {
            Result row = table.get(new Get(ROW).addFamily(FAMILY));
            if (!row.isEmpty()) {
                for (Cell cell : row.rawCells()) {
                    if (startsWith(CellUtil.cloneQualifier(cell), PART)) {
                        parts.add(Part.of(CellUtil.cloneValue(cell)));
                    }
                }
            }
        }
        return parts;
    }

    /** The number of the build that the parts are of; null if none began. */
    byte @Nullable [] begun() throws IOException {
        try (Table table = table()) {
            return table.get(new Get(ROW).addColumn(FAMILY, BEGUN)).value();
        }
    }

    /** Notes the parts that a build begins with. */
    void begin(byte[] build, List<Part> parts) throws IOException {
        var put = new Put(ROW).addColumn(FAMILY, BEGUN, build);
        for (Part part : parts) {
            put.addColumn(FAMILY, qualifier(part), part.toBytes());
        }
        try (Table table = table()) {
            table.put(put);
        }
    }

    /** Notes how far a part is. */
    void save(byte[] build, Part part) throws IOException {
        put(build, new Put(ROW).addColumn(FAMILY, qualifier(part), part.toBytes()));
    }

    private static byte[] qualifier(Part part) {
        byte[] qualifier = new byte[PART.length + part.start().length];
        System.arraycopy(PART, 0, qualifier, 0, PART.length);
        System.arraycopy(part.start(), 0, qualifier, PART.length, part.start().length);
        return qualifier;
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        return Arrays.equals(bytes, 0, Math.min(start.length, bytes.length), start, 0, start.length);
    }

    /**
     * Whoever claims a build does it; others look on. A claim that is not renewed ends by itself.
     *
     * <p>The clocks of two processes may differ; then two build at a time, or one waits a little longer. Neither gives
     * a wrong index, see {@link IndexBuild}.
     */
    boolean claim(String owner, long now, long until) throws IOException {
        try (Table table = table()) {
            byte[] found = table.get(new Get(ROW).addColumn(FAMILY, CLAIM)).value();
            String claim = found == null ? "" : new String(found, StandardCharsets.US_ASCII);
            if (!claim.isEmpty()
                    && !ownerOf(claim).equals(owner)
                    && Long.parseLong(claim, 0, claim.indexOf(' '), 10) > now) {
                return false;
            }
            var unchanged = CheckAndMutate.newBuilder(ROW);
            var builder =
                    found == null ? unchanged.ifNotExists(FAMILY, CLAIM) : unchanged.ifEquals(FAMILY, CLAIM, found);
            return table.checkAndMutate(
                            builder.build(new Put(ROW).addColumn(FAMILY, CLAIM, ascii(until + " " + owner))))
                    .isSuccess();
        }
    }

    /**
     * Gives a build back, for another to go on with it.
     *
     * <p>A claim that has ended already, so that anybody gets it. If another has taken over, nothing happens.
     */
    void release(String owner) throws IOException {
        claim(owner, Long.MIN_VALUE, 0);
    }

    private static String ownerOf(String claim) {
        return claim.substring(claim.indexOf(' ') + 1);
    }

    /**
     * Writes what a build notes, if it is still the build that the log is of. Whoever goes on with a build that
     * somebody has cleared would note parts of it as if they were all.
     */
    private void put(byte[] build, Put put) throws IOException {
        try (Table table = table()) {
            boolean same = table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                            .ifEquals(FAMILY, BEGUN, build)
                            .build(put))
                    .isSuccess();
            if (!same) {
                throw new IOException(
                        "the entries of " + index.name() + " were emptied while it was built; build it again");
            }
        }
    }

    private Table table() throws IOException {
        return connection.getTable(index.table());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

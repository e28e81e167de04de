package io.leeway.lazybase.internal.storage;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Chunks;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.Zone;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a sorted run as a file of extents; nothing of it counts before {@link #finish}. For one thread.
 *
 * <pre>file = magic:8 extent* footer trailer;  trailer = position of the footer:8 its length:4 magic:8</pre>
 */
public final class RunWriter implements AutoCloseable {

    /** Bytes that a file begins and ends with. */
    static final byte[] MAGIC = "LBXRUN01".getBytes(StandardCharsets.US_ASCII);

    /** Bytes after the footer. */
    static final int TRAILER = 20;

    private final Store.Writer out;
    private final int[] ids;
    private final boolean[] isLong;
    private final Chunks.Codec codec;
    private final List<RunFooter.Extent> extents = new ArrayList<>();
    private long rows;

    /** Begins a file. */
    public RunWriter(Store store, String name, int[] ids, boolean[] isLong, Chunks.Codec codec) throws IOException {
        this.out = store.create(name);
        this.ids = ids.clone();
        this.isLong = isLong.clone();
        this.codec = codec;
        out.write(MAGIC, 0, MAGIC.length);
    }

    /**
     * Appends rows as one extent; their keys follow those of the rows before.
     *
     * @param flags of all rows of the columns, or null if all are puts
     * @param columns one for each number that the file was begun with
     */
    public void append(byte @Nullable [] flags, Vector[] columns, int from, int to, byte[] min, byte[] max)
            throws IOException {
        long position = out.size();
        int flagsLength = 0;
        if (flags != null && !allPuts(flags, from, to)) {
            byte[] packed = Chunks.pack(java.util.Arrays.copyOfRange(flags, from, to), to - from, codec);
            out.write(packed, 0, packed.length);
            flagsLength = packed.length;
        }
        int[] lengths = new int[columns.length];
        Zone[] zones = new Zone[columns.length];
        for (int c = 0; c < columns.length; c++) {
            byte[] chunk = Chunks.encode(columns[c], from, to, codec);
            out.write(chunk, 0, chunk.length);
            lengths[c] = chunk.length;
            zones[c] = Zone.of(columns[c], from, to);
        }
        extents.add(new RunFooter.Extent(position, to - from, min, max, flagsLength, lengths, zones));
        rows += to - from;
    }

    private static boolean allPuts(byte[] flags, int from, int to) {
        for (int i = from; i < to; i++) {
            if (flags[i] != Batch.PUT) {
                return false;
            }
        }
        return true;
    }

    /** Rows so far. */
    public long rows() {
        return rows;
    }

    /** Bytes so far. */
    public long bytes() {
        return out.size();
    }

    /** The least key; there must be rows. */
    public byte[] minKey() {
        return extents.get(0).min();
    }

    /** The greatest key; there must be rows. */
    public byte[] maxKey() {
        return extents.get(extents.size() - 1).max();
    }

    /** Writes the footer and makes the file durable. */
    public void finish() throws IOException {
        byte[] plain = new RunFooter(ids, isLong, extents).toBytes();
        byte[] footer = Chunks.pack(plain, plain.length, Chunks.Codec.ZSTD);
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER);
        trailer.putLong(out.size()).putInt(footer.length).put(MAGIC);
        out.write(footer, 0, footer.length);
        out.write(trailer.array(), 0, TRAILER);
        out.sync();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

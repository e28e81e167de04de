package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Chunks;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.spi.Store;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Groups of commits as records of an SCU's file.
 *
 * <pre>record = length:4 crc32c:4 time:8 tables:4 (table:4 rows:4 flags:4 [bytes] columns:4 (id:4 isLong:1 length:4 chunk)*)*</pre>
 */
final class GroupCodec {

    private static final int HEADER = 8;

    private GroupCodec() {}

    static byte[] bytes(Group group) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeLong(0);
            out.writeLong(group.time());
            out.writeInt(group.batches().size());
            for (Map.Entry<Integer, Batch> entry : group.batches().entrySet()) {
                out.writeInt(entry.getKey());
                write(out, entry.getValue());
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        byte[] record = bytes.toByteArray();
        ByteBuffer.wrap(record).putInt(record.length - HEADER).putInt(checksum(record, HEADER, record.length - HEADER));
        return record;
    }

    private static void write(DataOutputStream out, Batch batch) throws IOException {
        out.writeInt(batch.rows());
        byte[] flags = batch.flags();
        byte[] packed = flags == null ? new byte[0] : Chunks.pack(flags, batch.rows(), Chunks.Codec.LZ4);
        out.writeInt(packed.length);
        out.write(packed);
        out.writeInt(batch.ids().length);
        for (int c = 0; c < batch.ids().length; c++) {
            byte[] chunk = Chunks.encode(batch.columns()[c], 0, batch.rows(), Chunks.Codec.LZ4);
            out.writeInt(batch.ids()[c]);
            out.writeBoolean(batch.columns()[c].isLong());
            out.writeInt(chunk.length);
            out.write(chunk);
        }
    }

    private static int checksum(byte[] bytes, int from, int length) {
        var crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** The groups of a file up to the first record that is torn, but not more than so many. */
    static List<Group> read(Store.Reader in, int most) throws IOException {
        var groups = new ArrayList<Group>();
        long size = in.size();
        long at = 0;
        while (groups.size() < most && at + HEADER <= size) {
            ByteBuffer header = ByteBuffer.wrap(in.read(at, HEADER));
            int length = header.getInt();
            int crc = header.getInt();
            if (length <= 0 || at + HEADER + length > size) {
                break;
            }
            byte[] bytes = in.read(at + HEADER, length);
            if (checksum(bytes, 0, length) != crc) {
                break;
            }
            groups.add(group(bytes));
            at += HEADER + length;
        }
        return groups;
    }

    private static Group group(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long time = in.getLong();
        int tables = in.getInt();
        var batches = new HashMap<Integer, Batch>();
        for (int t = 0; t < tables; t++) {
            int table = in.getInt();
            batches.put(table, batch(bytes, in));
        }
        return new Group(time, batches);
    }

    private static Batch batch(byte[] bytes, ByteBuffer in) {
        int rows = in.getInt();
        int packed = in.getInt();
        byte[] flags = packed == 0 ? null : Chunks.unpack(bytes, in.position(), packed);
        in.position(in.position() + packed);
        int count = in.getInt();
        int[] ids = new int[count];
        Vector[] columns = new Vector[count];
        for (int c = 0; c < count; c++) {
            ids[c] = in.getInt();
            boolean isLong = in.get() != 0;
            int length = in.getInt();
            columns[c] = Chunks.decode(bytes, in.position(), length, isLong);
            in.position(in.position() + length);
        }
        return new Batch(rows, flags, ids, columns);
    }
}

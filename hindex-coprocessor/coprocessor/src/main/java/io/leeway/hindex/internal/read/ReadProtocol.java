package io.leeway.hindex.internal.read;

import com.google.protobuf.Message;
import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import io.leeway.hindex.internal.query.ReadOrder;
import io.leeway.hindex.internal.query.ScanRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * How a client asks a region of an index for checked hits. Bytes of our own in one field of a protobuf message: HBase
 * wants a message, and generated code would tie the jar to one version of the host's protobuf. Without state.
 */
final class ReadProtocol {

    static final ByteMessages MESSAGES = new ByteMessages("HindexRead", "Read");

    /** Of the question; who answers has checked it, so an answer has none. */
    private static final int VERSION = 1;
    /** As a length: no value, which is another thing than an empty one. */
    private static final int ABSENT = -1;

    private ReadProtocol() {}

    /**
     * A question.
     *
     * <p>The definition goes along since it decides what keys mean: a client that opened the index before it was made
     * anew would read at the old keys, and find nothing there.
     *
     * @param base the base table
     * @param index the name of the index
     * @param definition how the client knows it
     * @param lookup what is left to be read
     * @param rows how many hits are wanted
     */
    record Request(TableName base, String index, String definition, Lookup lookup, int rows) {}

    /**
     * An answer.
     *
     * <p>The region says of itself from where to where it goes. The client's own view may be older, and between a split
     * and the next look it would pass over rows.
     *
     * @param unfounded entries that nothing will bear out
     * @param last behind which row of the index to go on; null if all that is in the region was read
     * @param region what the region holds
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Answer(List<Hit> hits, List<Entry> unfounded, byte @Nullable [] last, ScanRange region) {}

    static Message message(Request request) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeUTF(request.base().getNameAsString());
            out.writeUTF(request.index());
            write(out, request.definition().getBytes(StandardCharsets.UTF_8));
            Lookup lookup = request.lookup();
            out.writeBoolean(lookup.order().salted());
            out.writeBoolean(lookup.order().descending());
            out.writeLong(lookup.asOf());
            out.writeInt(lookup.versions());
            out.writeInt(request.rows());
            out.writeInt(lookup.fetch().columns().size());
            for (ColumnName column : lookup.fetch().columns()) {
                write(out, column.family());
                write(out, column.qualifier());
            }
            out.writeInt(lookup.ranges().size());
            for (ScanRange range : lookup.ranges()) {
                write(out, range.start());
                write(out, range.stop());
            }
        }
        return MESSAGES.message(bytes.toByteArray());
    }

    /** What follows the version is read only if that is ours: nothing is known about another's form. */
    static Request request(Message message) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(ByteMessages.bytes(message)))) {
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "the client speaks version " + version + " of the protocol, this server " + VERSION
                                + "; use the same version of hindex on both sides");
            }
            TableName base = TableName.valueOf(in.readUTF());
            String index = in.readUTF();
            String definition = new String(read(in), StandardCharsets.UTF_8);
            var order = new ReadOrder(in.readBoolean(), in.readBoolean());
            long asOf = in.readLong();
            int versions = in.readInt();
            int rows = in.readInt();
            var columns = new ArrayList<ColumnName>();
            for (int left = in.readInt(); left > 0; left--) {
                columns.add(ColumnName.of(read(in), read(in)));
            }
            var ranges = new ArrayList<ScanRange>();
            for (int left = in.readInt(); left > 0; left--) {
                ranges.add(ScanRange.of(read(in), read(in)));
            }
            var lookup = new Lookup(ranges, order, asOf, versions, Fetch.columns(columns));
            return new Request(base, index, definition, lookup, rows);
        }
    }

    /** The row is not written: it is a part of the entry's key. */
    static Message message(Answer answer, int columns) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeInt(answer.hits().size());
            for (Hit hit : answer.hits()) {
                write(out, hit.entry());
                for (int column = 0; column < columns; column++) {
                    write(out, hit.state().value(column));
                }
                out.writeInt(hit.fetched().size());
                for (Cell cell : hit.fetched()) {
                    write(out, CellUtil.cloneFamily(cell));
                    write(out, CellUtil.cloneQualifier(cell));
                    out.writeLong(cell.getTimestamp());
                    write(out, CellUtil.cloneValue(cell));
                }
            }
            out.writeInt(answer.unfounded().size());
            for (Entry entry : answer.unfounded()) {
                write(out, entry);
            }
            write(out, answer.last());
            write(out, answer.region().start());
            write(out, answer.region().stop());
        }
        return MESSAGES.message(bytes.toByteArray());
    }

    static Answer answer(Message message, IndexPlan index) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(ByteMessages.bytes(message)))) {
            var hits = new ArrayList<Hit>();
            for (int left = in.readInt(); left > 0; left--) {
                hits.add(hit(in, index));
            }
            var unfounded = new ArrayList<Entry>();
            for (int left = in.readInt(); left > 0; left--) {
                unfounded.add(entry(in, index));
            }
            byte[] last = readOrNull(in);
            return new Answer(hits, unfounded, last, ScanRange.of(read(in), read(in)));
        }
    }

    /** All columns get the timestamp of the entry; which of them is older matters to servers only. */
    private static Hit hit(DataInputStream in, IndexPlan index) throws IOException {
        Entry entry = entry(in, index);
        byte[] row = index.row(entry.key());
        var state = new RowState(index.columns().size());
        for (int column = 0; column < index.columns().size(); column++) {
            byte[] value = readOrNull(in);
            if (value != null) {
                state.set(column, value, entry.timestamp());
            }
        }
        var fetched = new ArrayList<Cell>();
        for (int left = in.readInt(); left > 0; left--) {
            fetched.add(CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
                    .setRow(row)
                    .setFamily(read(in))
                    .setQualifier(read(in))
                    .setTimestamp(in.readLong())
                    .setType(Cell.Type.Put)
                    .setValue(read(in))
                    .build());
        }
        return new Hit(entry, row, state, fetched);
    }

    private static void write(DataOutputStream out, Entry entry) throws IOException {
        write(out, entry.key());
        write(out, entry.qualifier());
        out.writeLong(entry.timestamp());
    }

    private static Entry entry(DataInputStream in, IndexPlan index) throws IOException {
        return new Entry(index, read(in), read(in), in.readLong());
    }

    private static void write(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
        out.writeInt(bytes == null ? ABSENT : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte @Nullable [] readOrNull(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length == ABSENT ? null : in.readNBytes(length);
    }

    /** A broken length ends in an exception at the end of the bytes, since never more is taken than there is. */
    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}

package io.leeway.lazybase.internal.storage;

import io.leeway.lazybase.internal.column.Zone;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file of a run says about itself: its columns, and where its extents are and what they have.
 *
 * @param ids numbers of the columns
 * @param isLong whether their values are longs
 * @param extents in the order of their keys
 */
@SuppressWarnings("ArrayRecordComponent")
record RunFooter(int[] ids, boolean[] isLong, List<Extent> extents) {

    /**
     * Some rows of a file.
     *
     * @param position where its bytes begin
     * @param rows their number
     * @param min the least key
     * @param max the greatest key
     * @param flagsLength bytes of the flags; 0 if all rows are puts
     * @param lengths bytes of each column; they stand one after the other, after the flags
     * @param zones what values each column has
     */
    record Extent(long position, int rows, byte[] min, byte[] max, int flagsLength, int[] lengths, Zone[] zones) {

        /** Bytes of it in the file. */
        int bytes() {
            int sum = flagsLength;
            for (int length : lengths) {
                sum += length;
            }
            return sum;
        }
    }

    byte[] toBytes() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeInt(ids.length);
            for (int c = 0; c < ids.length; c++) {
                out.writeInt(ids[c]);
                out.writeBoolean(isLong[c]);
            }
            out.writeInt(extents.size());
            for (Extent extent : extents) {
                write(out, extent);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Extent extent) throws IOException {
        out.writeLong(extent.position);
        out.writeInt(extent.rows);
        out.writeInt(extent.min.length);
        out.write(extent.min);
        out.writeInt(extent.max.length);
        out.write(extent.max);
        out.writeInt(extent.flagsLength);
        for (int c = 0; c < extent.lengths.length; c++) {
            out.writeInt(extent.lengths[c]);
            Zone zone = extent.zones[c];
            out.writeLong(zone.min());
            out.writeLong(zone.max());
            out.writeByte((zone.hasNull() ? 1 : 0) | (zone.hasValue() ? 2 : 0));
        }
    }

    static RunFooter of(byte[] bytes) {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int count = in.readInt();
            int[] ids = new int[count];
            boolean[] isLong = new boolean[count];
            for (int c = 0; c < count; c++) {
                ids[c] = in.readInt();
                isLong[c] = in.readBoolean();
            }
            int many = in.readInt();
            var extents = new ArrayList<Extent>(many);
            for (int i = 0; i < many; i++) {
                extents.add(extent(in, count));
            }
            return new RunFooter(ids, isLong, extents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Extent extent(DataInputStream in, int count) throws IOException {
        long position = in.readLong();
        int rows = in.readInt();
        byte[] min = in.readNBytes(in.readInt());
        byte[] max = in.readNBytes(in.readInt());
        int flagsLength = in.readInt();
        int[] lengths = new int[count];
        Zone[] zones = new Zone[count];
        for (int c = 0; c < count; c++) {
            lengths[c] = in.readInt();
            long least = in.readLong();
            long most = in.readLong();
            int marks = in.readByte();
            zones[c] = new Zone(least, most, (marks & 1) != 0, (marks & 2) != 0);
        }
        return new Extent(position, rows, min, max, flagsLength, lengths, zones);
    }
}

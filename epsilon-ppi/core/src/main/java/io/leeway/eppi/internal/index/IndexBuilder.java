package io.leeway.eppi.internal.index;

import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/** Turns the providers' rows into a list for each person. Not thread-safe. */
public final class IndexBuilder {

    private final IndexHeader header;
    private final Persons persons;
    private final Outcome outcome;
    private final RoaringBitmap[] lists;
    private final byte[][] signatures;

    /** An index without rows. */
    public IndexBuilder(IndexHeader header, Persons persons, Outcome outcome) {
        this.header = header;
        this.persons = persons;
        this.outcome = outcome;
        lists = new RoaringBitmap[persons.size()];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new RoaringBitmap();
        }
        signatures = new byte[header.providers().size()][0];
    }

    /** The digest of a row, the same however the row was made. */
    public static byte[] rowDigest(BitSet row, int persons) {
        byte[] bytes = new byte[(persons + 7) / 8];
        byte[] set = row.toByteArray();
        System.arraycopy(set, 0, bytes, 0, Math.min(set.length, bytes.length));
        return Digests.of("eppi-bits", Digests.number(persons), bytes);
    }

    /** Takes a provider's row; fastest in the order of providers. */
    public void add(int provider, BitSet row, byte[] signature) {
        for (int person = row.nextSetBit(0); person >= 0; person = row.nextSetBit(person + 1)) {
            lists[person].add(provider);
        }
        signatures[provider] = signature.clone();
    }

    /** The index, with the digest of every list; for once. */
    public PpiIndex build() {
        var entries = new IndexEntry[lists.length];
        for (int i = 0; i < entries.length; i++) {
            RoaringBitmap list = lists[i];
            lists[i] = new RoaringBitmap();
            list.runOptimize();
            ByteBuffer buffer = ByteBuffer.allocate(list.serializedSizeInBytes());
            list.serialize(buffer);
            entries[i] = new IndexEntry(persons.token(i), persons.epsilon(i), outcome.frequency()[i], buffer.array());
        }
        return new PpiIndex(header, entries, signatures, new byte[0][]);
    }

    /** A row as bytes; nothing follows the last one that is set. */
    public static byte[] encode(BitSet row) {
        RoaringBitmap bitmap = new RoaringBitmap();
        row.stream().forEach(bitmap::add);
        bitmap.runOptimize();
        ByteBuffer buffer = ByteBuffer.allocate(bitmap.serializedSizeInBytes());
        bitmap.serialize(buffer);
        return buffer.array();
    }

    /**
     * Reads a row that came from outside.
     *
     * @return nothing if it is none, or has a person above the last
     */
    public static @Nullable BitSet decode(byte[] bytes, int persons) {
        try {
            RoaringBitmap bitmap = new RoaringBitmap();
            bitmap.deserialize(ByteBuffer.wrap(bytes));
            var row = new BitSet(persons);
            bitmap.forEach((org.roaringbitmap.IntConsumer) row::set);
            return row.length() > persons ? null : row;
        } catch (RuntimeException | java.io.IOException | AssertionError e) {
            return null;
        }
    }
}

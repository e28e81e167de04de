package io.leeway.eppi.internal.index;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.PublicKey;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * The published index: a compressed list of providers for each person, under one root.
 *
 * <p>Model: the entries are in the order of their tokens and each is a leaf of a tree of digests. Every provider signs its
 * own row, every coordinator signs the root after it has found all rows in the lists as they were signed. So a server can
 * leave nothing out without the help of all coordinators, and who asks for one person can check the answer alone.
 *
 * <p>Immutable and thread-safe.
 */
public final class PpiIndex {

    private static final int MAGIC = 0x65505049;
    private static final int VERSION = 1;
    private static final int MOST_ENTRIES = 1 << 28;
    private static final int MOST_BYTES = 1 << 26;

    private final IndexHeader header;
    private final IndexEntry[] entries;
    private final byte[][] rowSignatures;
    private final byte[][] rootSignatures;
    private final Merkle tree;

    PpiIndex(IndexHeader header, IndexEntry[] entries, byte[][] rowSignatures, byte[][] rootSignatures) {
        this(header, entries, rowSignatures, rootSignatures, new Merkle(leaves(entries)));
    }

    private PpiIndex(
            IndexHeader header, IndexEntry[] entries, byte[][] rowSignatures, byte[][] rootSignatures, Merkle tree) {
        this.header = header;
        this.entries = entries;
        this.rowSignatures = rowSignatures;
        this.rootSignatures = rootSignatures;
        this.tree = tree;
    }

    private static byte[][] leaves(IndexEntry[] entries) {
        byte[][] leaves = new byte[Math.max(1, entries.length)][];
        leaves[0] = Digests.of("eppi-empty");
        for (int i = 0; i < entries.length; i++) {
            leaves[i] = entries[i].digest();
        }
        return leaves;
    }

    /** Which index it is. */
    public IndexHeader header() {
        return header;
    }

    /** How many persons it has. */
    public int size() {
        return entries.length;
    }

    /** A person by number. */
    public IndexEntry entry(int index) {
        return entries[index];
    }

    /** The number of a person. */
    public Optional<Integer> find(Token token) {
        int low = 0;
        int high = entries.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = entries[middle].token().compareTo(token);
            if (order == 0) {
                return Optional.of(middle);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    /** The root of all entries. */
    public byte[] root() {
        return tree.root();
    }

    /** What shows that an entry is under the root. */
    public List<byte[]> proof(int index) {
        return tree.proof(index);
    }

    /** The coordinators' signatures, by number. */
    public List<byte[]> rootSignatures() {
        return List.of(rootSignatures);
    }

    /** The same index with the coordinators' signatures. */
    public PpiIndex signed(List<byte[]> signatures) {
        return new PpiIndex(header, entries, rowSignatures, signatures.toArray(byte[][]::new), tree);
    }

    /**
     * Checks that every provider's row is in the lists as the provider signed it.
     *
     * @throws EppiException with {@link Code#SIGNATURE} for the first that is not
     */
    public void verifyRows(List<PublicKey> providers) {
        BitSet[] rows = rows();
        for (int i = 0; i < rows.length; i++) {
            byte[] statement = header.rowStatement(i, IndexBuilder.rowDigest(rows[i], entries.length));
            if (!Digests.isSigned(providers.get(i), statement, rowSignatures[i])) {
                throw EppiException.of(
                        Code.SIGNATURE,
                        "the row of provider " + header.providers().get(i) + " is not what it signed");
            }
        }
    }

    private BitSet[] rows() {
        var rows = new BitSet[header.providers().size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new BitSet(entries.length);
        }
        for (int person = 0; person < entries.length; person++) {
            for (int provider : entries[person].listed()) {
                rows[provider].set(person);
            }
        }
        return rows;
    }

    /**
     * Checks that all coordinators signed the root.
     *
     * @throws EppiException with {@link Code#SIGNATURE} if one did not
     */
    public void verifyRoot(List<PublicKey> coordinators) {
        verifyRoot(header, root(), rootSignatures(), coordinators);
    }

    /** The same for what came without the rest of the index. */
    public static void verifyRoot(
            IndexHeader header, byte[] root, List<byte[]> signatures, List<PublicKey> coordinators) {
        if (signatures.size() != coordinators.size()) {
            throw EppiException.of(
                    Code.SIGNATURE,
                    signatures.size() + " of " + coordinators.size() + " coordinators signed the index");
        }
        byte[] statement = header.rootStatement(root);
        for (int i = 0; i < signatures.size(); i++) {
            if (!Digests.isSigned(coordinators.get(i), statement, signatures.get(i))) {
                throw EppiException.of(Code.SIGNATURE, "the signature of coordinator " + i + " is wrong");
            }
        }
    }

    /** Writes the file. */
    public void write(OutputStream stream) throws IOException {
        var out = new DataOutputStream(new BufferedOutputStream(stream, 1 << 16));
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        header.write(out);
        out.writeInt(entries.length);
        for (IndexEntry entry : entries) {
            out.writeLong(entry.token().high());
            out.writeLong(entry.token().low());
            out.writeDouble(entry.epsilon());
            out.writeInt(entry.frequency());
            writeBytes(out, entry.bitmap());
        }
        for (byte[] signature : rowSignatures) {
            writeBytes(out, signature);
        }
        out.writeInt(rootSignatures.length);
        for (byte[] signature : rootSignatures) {
            writeBytes(out, signature);
        }
        out.flush();
    }

    /**
     * Reads the file; signatures are not checked.
     *
     * @throws EppiException with {@link Code#FILE} if it is no index
     */
    public static PpiIndex read(InputStream stream) {
        try {
            return readUnchecked(new DataInputStream(new BufferedInputStream(stream, 1 << 16)));
        } catch (IOException | RuntimeException | AssertionError e) {
            throw EppiException.of(Code.FILE, "the index cannot be read: " + e.getMessage(), e);
        }
    }

    private static PpiIndex readUnchecked(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC || in.readInt() != VERSION) {
            throw new IOException("no index of this version");
        }
        IndexHeader header = IndexHeader.read(in);
        int providers = header.providers().size();
        var entries = new java.util.ArrayList<IndexEntry>();
        int count = IndexHeader.bounded(in.readInt(), MOST_ENTRIES);
        for (int i = 0; i < count; i++) {
            entries.add(readEntry(in, providers));
            if (i > 0 && entries.get(i - 1).token().compareTo(entries.get(i).token()) >= 0) {
                throw new IOException("entries are not in order");
            }
        }
        byte[][] rowSignatures = readAll(in, providers);
        byte[][] rootSignatures = readAll(in, IndexHeader.bounded(in.readInt(), 1 << 16));
        return new PpiIndex(header, entries.toArray(IndexEntry[]::new), rowSignatures, rootSignatures);
    }

    private static IndexEntry readEntry(DataInputStream in, int providers) throws IOException {
        var token = new Token(in.readLong(), in.readLong());
        double epsilon = in.readDouble();
        int frequency = in.readInt();
        byte[] bitmap = readBytes(in);
        var list = new ImmutableRoaringBitmap(ByteBuffer.wrap(bitmap));
        if (!list.isEmpty() && (list.last() < 0 || list.last() >= providers)) {
            throw new IOException("a provider that does not exist");
        }
        return new IndexEntry(token, epsilon, frequency, bitmap);
    }

    private static byte[][] readAll(DataInputStream in, int count) throws IOException {
        byte[][] all = new byte[count][];
        for (int i = 0; i < count; i++) {
            all[i] = readBytes(in);
        }
        return all;
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = IndexHeader.bounded(in.readInt(), MOST_BYTES);
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("it ends too early");
        }
        return bytes;
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}

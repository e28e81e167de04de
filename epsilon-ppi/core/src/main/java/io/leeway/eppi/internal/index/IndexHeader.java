package io.leeway.eppi.internal.index;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which index it is.
 *
 * @param network name of the network
 * @param epoch number of the construction, growing
 * @param session digest of the random numbers with which the construction began
 * @param register digest of the register of persons that it was made from
 * @param policy how probabilities were chosen
 * @param providers their names, by number
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record IndexHeader(
        String network, long epoch, byte[] session, byte[] register, String policy, List<String> providers) {

    private static final int MOST_PROVIDERS = 1 << 24;

    /** Keeps its own list. */
    public IndexHeader {
        providers = List.copyOf(providers);
    }

    /** The digest that is signed. */
    public byte[] digest() {
        return Digests.of("eppi-header", encoded());
    }

    /** As bytes. */
    public byte[] encoded() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Out of bytes.
     *
     * @throws UncheckedIOException if they are none
     */
    public static IndexHeader decoded(byte[] bytes) {
        try (var in = new DataInputStream(new java.io.ByteArrayInputStream(bytes))) {
            return read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a provider signs of its row. */
    public byte[] rowStatement(int provider, byte[] rowDigest) {
        return Digests.of("eppi-row", digest(), Digests.number(provider), rowDigest);
    }

    /** What a coordinator signs of the whole. */
    public byte[] rootStatement(byte[] root) {
        return Digests.of("eppi-root", digest(), root);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(network);
        out.writeLong(epoch);
        out.writeInt(session.length);
        out.write(session);
        out.writeInt(register.length);
        out.write(register);
        out.writeUTF(policy);
        out.writeInt(providers.size());
        for (String provider : providers) {
            out.writeUTF(provider);
        }
    }

    static IndexHeader read(DataInputStream in) throws IOException {
        String network = in.readUTF();
        long epoch = in.readLong();
        byte[] session = in.readNBytes(bounded(in.readInt(), 64));
        byte[] register = in.readNBytes(bounded(in.readInt(), 64));
        String policy = in.readUTF();
        int count = bounded(in.readInt(), MOST_PROVIDERS);
        var providers = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            providers.add(in.readUTF());
        }
        return new IndexHeader(network, epoch, session, register, policy, providers);
    }

    static int bounded(int value, int most) throws IOException {
        if (value < 0 || value > most) {
            throw new IOException("a length of " + value);
        }
        return value;
    }
}

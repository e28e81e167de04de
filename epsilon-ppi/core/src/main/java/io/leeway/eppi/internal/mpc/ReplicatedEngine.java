package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.internal.share.AesStream;

/**
 * The honest-majority profile: three parties, of which one may be corrupt.
 *
 * <p>Model: a bit is x₀ ⊕ x₁ ⊕ x₂; party i has x<sub>i</sub> and x<sub>i+1</sub>. An AND is computed locally into a
 * share of three parts, hidden by a fresh sharing of zero from keys that neighbours have in common, and sent to one
 * neighbour: one bit for each party and gate (the protocol of Araki and others, CCS 2016). Invariant: what a party
 * receives is uniform, given what it has.
 */
final class ReplicatedEngine extends Engine {

    static final int PARTIES = 3;

    private final Links links;
    private final int me;
    private final int next;
    private final int previous;
    /** Known to this party and the previous one. */
    private final AesStream withPrevious;
    /** Known to this party and the next one. */
    private final AesStream withNext;

    /**
     * Joins.
     *
     * @param seed secret, of this computation only; 16 bytes
     */
    ReplicatedEngine(Links links, byte[] seed) {
        if (links.parties() != PARTIES) {
            throw new IllegalArgumentException("three parties, not " + links.parties());
        }
        this.links = links;
        me = links.party();
        next = (me + 1) % PARTIES;
        previous = (me + 2) % PARTIES;
        links.send(previous, seed);
        withPrevious = new AesStream(seed);
        withNext = new AesStream(links.receive(next, AesStream.SEED_BYTES));
    }

    @Override
    int party() {
        return me;
    }

    @Override
    int parties() {
        return PARTIES;
    }

    /**
     * The owner k draws x<sub>k</sub> with its previous party, takes zero for the part that it does not have, and sends
     * the rest to the next one, to whom it is hidden by x<sub>k</sub>.
     */
    @Override
    Wire input(int owner, long[] bits) {
        if (owner == me) {
            long[] drawn = withPrevious.nextWords(bits.length);
            long[] rest = Wire.xor(bits, drawn);
            links.sendWords(next, rest);
            return new Wire(new long[][] {drawn, rest});
        }
        if (owner == next) {
            return new Wire(new long[][] {new long[bits.length], withNext.nextWords(bits.length)});
        }
        return new Wire(new long[][] {links.receiveWords(owner, bits.length), new long[bits.length]});
    }

    /** Added to x₀, which parties 0 and 2 have. */
    @Override
    Wire xorPublic(Wire wire, long[] bits) {
        long[] first = wire.components()[0];
        long[] second = wire.components()[1];
        return switch (me) {
            case 0 -> new Wire(new long[][] {Wire.xor(first, bits), second});
            case 2 -> new Wire(new long[][] {first, Wire.xor(second, bits)});
            default -> wire;
        };
    }

    @Override
    Wire andWire(Wire left, Wire right) {
        long[] x0 = left.components()[0];
        long[] x1 = left.components()[1];
        long[] y0 = right.components()[0];
        long[] y1 = right.components()[1];
        long[] product = Wire.xor(withPrevious.nextWords(x0.length), withNext.nextWords(x0.length));
        for (int w = 0; w < product.length; w++) {
            product[w] ^= x0[w] & y0[w] ^ x0[w] & y1[w] ^ x1[w] & y0[w];
        }
        links.sendWords(previous, product);
        return new Wire(new long[][] {product, links.receiveWords(next, product.length)});
    }

    @Override
    long[] openWire(Wire wire) {
        long[] first = wire.components()[0];
        links.sendWords(next, first);
        long[] missing = links.receiveWords(previous, first.length);
        return Wire.xor(Wire.xor(first, wire.components()[1]), missing);
    }
}

package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.internal.share.AesStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The full-threshold profile: any number of parties from two, of which all but one may be corrupt (semi-honest).
 *
 * <p>Model: a bit is the XOR of one share at each party (Goldreich, Micali, Wigderson). An AND spends a random triple
 * a ∧ b = c: the parties open x ⊕ a and y ⊕ b, which are uniform, and compute the rest locally (Beaver). Triples are made
 * beforehand, from oblivious transfers between every two parties, in both directions. Invariant: a triple is spent once.
 * Cost of a gate: 2·(c−1) bits for each party when it is spent, about 258·(c−1) bits when it is made.
 */
final class ThresholdEngine extends Engine {

    private final Links links;
    private final int me;
    private final AesStream random;
    private final @Nullable AesStream[] common;
    private final PairProducts.@Nullable Sender[] senders;
    private final PairProducts.@Nullable Receiver[] receivers;
    private long[] tripleA = new long[0];
    private long[] tripleB = new long[0];
    private long[] tripleC = new long[0];
    private int spent;

    /**
     * Joins, with public keys to every other party.
     *
     * @param seed secret, of this computation only; 16 bytes
     */
    ThresholdEngine(Links links, byte[] seed, OtGroup group) {
        if (links.parties() < 2) {
            throw new IllegalArgumentException("two parties or more, not " + links.parties());
        }
        this.links = links;
        me = links.party();
        random = new AesStream(seed);
        common = new AesStream[links.parties()];
        senders = new PairProducts.Sender[links.parties()];
        receivers = new PairProducts.Receiver[links.parties()];
        agreeOnSeeds();
        for (int lower = 0; lower < links.parties(); lower++) {
            for (int higher = lower + 1; higher < links.parties(); higher++) {
                setUp(group, lower, higher);
            }
        }
    }

    /** The lower of two parties draws what both expand. */
    private void agreeOnSeeds() {
        for (int other = me + 1; other < links.parties(); other++) {
            byte[] drawn = random.next(AesStream.SEED_BYTES);
            links.send(other, drawn);
            common[other] = new AesStream(drawn);
        }
        for (int other = 0; other < me; other++) {
            common[other] = new AesStream(links.receive(other, AesStream.SEED_BYTES));
        }
    }

    private void setUp(OtGroup group, int lower, int higher) {
        if (me == lower) {
            senders[higher] = new PairProducts.Sender(group, links, higher, random);
            receivers[higher] = new PairProducts.Receiver(group, links, higher, random);
        } else if (me == higher) {
            receivers[lower] = new PairProducts.Receiver(group, links, lower, random);
            senders[lower] = new PairProducts.Sender(group, links, lower, random);
        }
    }

    @Override
    int party() {
        return me;
    }

    @Override
    int parties() {
        return links.parties();
    }

    /** The owner's share is what the others' pseudo-random ones leave over, so nothing is sent. */
    @Override
    Wire input(int owner, long[] bits) {
        if (owner != me) {
            return new Wire(new long[][] {stream(owner).nextWords(bits.length)});
        }
        long[] own = bits.clone();
        for (int other = 0; other < parties(); other++) {
            if (other != me) {
                own = Wire.xor(own, stream(other).nextWords(bits.length));
            }
        }
        return new Wire(new long[][] {own});
    }

    @Override
    Wire xorPublic(Wire wire, long[] bits) {
        return me == 0 ? new Wire(new long[][] {Wire.xor(wire.components()[0], bits)}) : wire;
    }

    @Override
    Wire andWire(Wire left, Wire right) {
        int words = left.words();
        if (tripleA.length - spent < words) {
            make(words);
        }
        long[] x = left.components()[0];
        long[] y = right.components()[0];
        long[] masked = new long[2 * words];
        for (int w = 0; w < words; w++) {
            masked[w] = x[w] ^ tripleA[spent + w];
            masked[words + w] = y[w] ^ tripleB[spent + w];
        }
        long[] opened = exchange(masked);
        long[] product = new long[words];
        for (int w = 0; w < words; w++) {
            long d = opened[w];
            long e = opened[words + w];
            product[w] = tripleC[spent + w] ^ d & tripleB[spent + w] ^ e & tripleA[spent + w];
            if (me == 0) {
                product[w] ^= d & e;
            }
        }
        spent += words;
        return new Wire(new long[][] {product});
    }

    @Override
    long[] openWire(Wire wire) {
        return exchange(wire.components()[0]);
    }

    @Override
    void prepare(long words) {
        int missing = Math.toIntExact(words - (tripleA.length - spent));
        if (missing > 0) {
            make(missing);
        }
    }

    private long[] exchange(long[] share) {
        for (int other = 0; other < parties(); other++) {
            if (other != me) {
                links.sendWords(other, share);
            }
        }
        long[] sum = share;
        for (int other = 0; other < parties(); other++) {
            if (other != me) {
                sum = Wire.xor(sum, links.receiveWords(other, share.length));
            }
        }
        return sum;
    }

    /** Makes triples, with those that are left over in front. */
    private void make(int words) {
        int left = tripleA.length - spent;
        long[] a = java.util.Arrays.copyOfRange(tripleA, spent, spent + left + words);
        long[] b = java.util.Arrays.copyOfRange(tripleB, spent, spent + left + words);
        long[] c = java.util.Arrays.copyOfRange(tripleC, spent, spent + left + words);
        for (int done = 0; done < words; done += PairProducts.BATCH_WORDS) {
            int part = Math.min(PairProducts.BATCH_WORDS, words - done);
            long[] newA = random.nextWords(part);
            long[] newB = random.nextWords(part);
            long[] newC = triple(newA, newB);
            System.arraycopy(newA, 0, a, left + done, part);
            System.arraycopy(newB, 0, b, left + done, part);
            System.arraycopy(newC, 0, c, left + done, part);
        }
        tripleA = a;
        tripleB = b;
        tripleC = c;
        spent = 0;
    }

    private long[] triple(long[] a, long[] b) {
        long[] c = new long[a.length];
        for (int w = 0; w < c.length; w++) {
            c[w] = a[w] & b[w];
        }
        List<PairProducts.Receiver> asked = new ArrayList<>();
        for (PairProducts.Receiver receiver : receivers) {
            if (receiver != null) {
                receiver.choose(b);
                asked.add(receiver);
            }
        }
        for (PairProducts.Sender sender : senders) {
            if (sender != null) {
                c = Wire.xor(c, sender.products(a));
            }
        }
        for (PairProducts.Receiver receiver : asked) {
            c = Wire.xor(c, receiver.products());
        }
        return c;
    }

    private AesStream stream(int other) {
        AesStream stream = common[other];
        if (stream == null) {
            throw new IllegalArgumentException("party " + me + " shares no seed with itself");
        }
        return stream;
    }
}

package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.internal.share.AesStream;

/**
 * Shares of the products of one party's bits with another's: transfers extended from 128 with public keys to any number
 * with AES (Ishai and others, CRYPTO 2003), one direction.
 *
 * <p>The sender has bits a, the receiver b; afterwards the sender's and the receiver's result add up to a ∧ b. A transfer
 * costs the receiver 128 bits to send and the sender one.
 */
sealed interface PairProducts {

    /** Transfers at once: their matrix has 128 columns of so many bits. */
    int BATCH_WORDS = 1 << 10;

    /** The side that has the bits a. */
    final class Sender implements PairProducts {

        private final Links links;
        private final int receiver;
        private final long[] choices;
        private final AesStream[] columns = new AesStream[128];
        private final TransferHash hash = new TransferHash();
        private long transfers;

        /** The 128 transfers with public keys, in which this side is the one that chooses. */
        Sender(OtGroup group, Links links, int receiver, AesStream random) {
            this.links = links;
            this.receiver = receiver;
            choices = random.nextWords(2);
            boolean[] bits = new boolean[128];
            for (int i = 0; i < 128; i++) {
                bits[i] = (choices[i >>> 6] >>> i & 1) == 1;
            }
            byte[][] seeds = BaseTransfers.receive(group, links, receiver, bits, random);
            for (int i = 0; i < 128; i++) {
                columns[i] = new AesStream(seeds[i]);
            }
        }

        /** Takes the other side's matrix, and answers. */
        long[] products(long[] a) {
            int words = a.length;
            long[] matrix = links.receiveWords(receiver, 128 * words);
            for (int i = 0; i < 128; i++) {
                long chosen = -(choices[i >>> 6] >>> i & 1);
                long[] column = columns[i].nextWords(words);
                for (int w = 0; w < words; w++) {
                    matrix[i * words + w] = column[w] ^ matrix[i * words + w] & chosen;
                }
            }
            long[] rows = rows(matrix, words);
            long[] zero = hash.bits(rows, new long[2], transfers);
            long[] one = hash.bits(rows, choices, transfers);
            transfers += 64L * words;
            links.sendWords(receiver, Wire.xor(Wire.xor(zero, one), a));
            return zero;
        }
    }

    /** The side that has the bits b. */
    final class Receiver implements PairProducts {

        private final Links links;
        private final int sender;
        private final AesStream[][] columns = new AesStream[128][2];
        private final TransferHash hash = new TransferHash();
        private long transfers;
        private long[] rows = new long[0];
        private long[] bits = new long[0];

        Receiver(OtGroup group, Links links, int sender, AesStream random) {
            this.links = links;
            this.sender = sender;
            byte[][][] seeds = BaseTransfers.send(group, links, sender, 128, random);
            for (int i = 0; i < 128; i++) {
                columns[i][0] = new AesStream(seeds[i][0]);
                columns[i][1] = new AesStream(seeds[i][1]);
            }
        }

        /** Sends the matrix. */
        void choose(long[] b) {
            int words = b.length;
            long[] own = new long[128 * words];
            long[] sent = new long[128 * words];
            for (int i = 0; i < 128; i++) {
                long[] zero = columns[i][0].nextWords(words);
                long[] one = columns[i][1].nextWords(words);
                for (int w = 0; w < words; w++) {
                    own[i * words + w] = zero[w];
                    sent[i * words + w] = zero[w] ^ one[w] ^ b[w];
                }
            }
            links.sendWords(sender, sent);
            rows = rows(own, words);
            bits = b;
        }

        /** Takes the answer. */
        long[] products() {
            long[] answer = links.receiveWords(sender, bits.length);
            long[] result = hash.bits(rows, new long[2], transfers);
            transfers += 64L * bits.length;
            for (int w = 0; w < result.length; w++) {
                result[w] ^= answer[w] & bits[w];
            }
            return result;
        }
    }

    /** 128 columns as rows of two words. */
    private static long[] rows(long[] matrix, int words) {
        long[] rows = new long[128 * words];
        long[] square = new long[64];
        for (int half = 0; half < 2; half++) {
            for (int w = 0; w < words; w++) {
                for (int i = 0; i < 64; i++) {
                    square[i] = matrix[(64 * half + i) * words + w];
                }
                BitMatrix.transpose(square);
                for (int j = 0; j < 64; j++) {
                    rows[2 * (64 * w + j) + half] = square[j];
                }
            }
        }
        return rows;
    }
}

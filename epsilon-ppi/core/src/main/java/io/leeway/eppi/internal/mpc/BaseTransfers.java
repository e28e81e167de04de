package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.share.AesStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Oblivious transfers with public keys, after Naor and Pinkas: the sender has two random seeds for each transfer, the
 * receiver gets the one that it chose, and the sender does not learn which.
 *
 * <p>The receiver knows the secret key of only one of two public keys, whose product the sender prescribes.
 */
final class BaseTransfers {

    private BaseTransfers() {}

    /** Two seeds for each transfer; the receiver gets one of each pair. */
    static byte[][][] send(OtGroup group, Links links, int receiver, int transfers, AesStream random) {
        BigInteger constant = group.power(OtGroup.GENERATOR, exponent(group, random));
        BigInteger secret = exponent(group, random);
        BigInteger mine = group.power(OtGroup.GENERATOR, secret);
        links.send(receiver, concat(group, constant, mine));
        BigInteger constantPower = group.power(constant, secret);
        byte[] keys = links.receive(receiver, Math.multiplyExact(transfers, group.bytes()));
        byte[][][] seeds = new byte[transfers][2][];
        for (int i = 0; i < transfers; i++) {
            BigInteger zero = group.power(element(group, keys, i, receiver), secret);
            seeds[i][0] = seed(group, zero, 2 * i);
            seeds[i][1] = seed(group, group.times(constantPower, group.inverse(zero)), 2 * i + 1);
        }
        return seeds;
    }

    /** The chosen seed of each transfer. */
    static byte[][] receive(OtGroup group, Links links, int sender, boolean[] choices, AesStream random) {
        byte[] opening = links.receive(sender, 2 * group.bytes());
        BigInteger constant = element(group, opening, 0, sender);
        BigInteger theirs = element(group, opening, 1, sender);
        byte[] keys = new byte[Math.multiplyExact(choices.length, group.bytes())];
        byte[][] seeds = new byte[choices.length][];
        for (int i = 0; i < choices.length; i++) {
            BigInteger secret = exponent(group, random);
            BigInteger known = group.power(OtGroup.GENERATOR, secret);
            BigInteger first = choices[i] ? group.times(constant, group.inverse(known)) : known;
            System.arraycopy(group.encode(first), 0, keys, i * group.bytes(), group.bytes());
            seeds[i] = seed(group, group.power(theirs, secret), 2 * i + (choices[i] ? 1 : 0));
        }
        links.send(sender, keys);
        return seeds;
    }

    private static BigInteger exponent(OtGroup group, AesStream random) {
        BigInteger exponent = new BigInteger(1, random.next((group.exponentBits() + 7) / 8));
        return exponent.add(BigInteger.ONE);
    }

    private static byte[] concat(OtGroup group, BigInteger first, BigInteger second) {
        return ByteBuffer.allocate(2 * group.bytes())
                .put(group.encode(first))
                .put(group.encode(second))
                .array();
    }

    private static BigInteger element(OtGroup group, byte[] bytes, int index, int from) {
        int size = group.bytes();
        var element = new BigInteger(1, Arrays.copyOfRange(bytes, index * size, (index + 1) * size));
        BigInteger last = group.prime().subtract(BigInteger.ONE);
        if (element.compareTo(BigInteger.ONE) <= 0 || element.compareTo(last) >= 0) {
            throw EppiException.of(Code.MALFORMED, "coordinator " + from + " sent a number outside of the group");
        }
        return element;
    }

    private static byte[] seed(OtGroup group, BigInteger element, int index) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(index).array());
            return Arrays.copyOf(hash.digest(group.encode(element)), AesStream.SEED_BYTES);
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.INTERNAL, "SHA-256 is missing in this Java", e);
        }
    }
}

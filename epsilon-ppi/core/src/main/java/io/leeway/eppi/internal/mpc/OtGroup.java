package io.leeway.eppi.internal.mpc;

import java.math.BigInteger;

/**
 * The group in which the first oblivious transfers are made: quadratic residues modulo a safe prime.
 *
 * @param prime the modulus
 * @param exponentBits of secret exponents
 */
record OtGroup(BigInteger prime, int exponentBits) {

    /** Generates the quadratic residues, 2 being one modulo the primes used here. */
    static final BigInteger GENERATOR = BigInteger.TWO;

    /** The group ffdhe3072 of RFC 7919, about 128 bits of security. */
    static final OtGroup STANDARD = new OtGroup(ffdhe3072(), 275);

    /** The prime is defined by digits of e, so that nobody could choose it. */
    private static BigInteger ffdhe3072() {
        BigInteger one = BigInteger.ONE;
        return one.shiftLeft(3072)
                .subtract(one.shiftLeft(3008))
                .add(eulersNumber(2942).add(BigInteger.valueOf(2_625_351)).shiftLeft(64))
                .subtract(one);
    }

    /** The whole part of e·2^bits. */
    private static BigInteger eulersNumber(int bits) {
        int guard = 64;
        BigInteger term = BigInteger.ONE.shiftLeft(bits + guard);
        BigInteger sum = term;
        for (int k = 1; term.signum() != 0; k++) {
            term = term.divide(BigInteger.valueOf(k));
            sum = sum.add(term);
        }
        return sum.shiftRight(guard);
    }

    BigInteger power(BigInteger base, BigInteger exponent) {
        return base.modPow(exponent, prime);
    }

    BigInteger times(BigInteger left, BigInteger right) {
        return left.multiply(right).mod(prime);
    }

    BigInteger inverse(BigInteger value) {
        return value.modInverse(prime);
    }

    int bytes() {
        return (prime.bitLength() + 7) / 8;
    }

    /** As many bytes for every element. */
    byte[] encode(BigInteger element) {
        byte[] given = element.toByteArray();
        byte[] bytes = new byte[bytes()];
        int length = Math.min(given.length, bytes.length);
        System.arraycopy(given, given.length - length, bytes, bytes.length - length, length);
        return bytes;
    }
}

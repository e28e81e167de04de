package io.leeway.eppi.internal.index;

import io.leeway.eppi.Token;
import java.nio.ByteBuffer;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * What the index has about a person.
 *
 * @param token the person
 * @param epsilon the wish that stands for the person's class
 * @param frequency how many providers hold records, or −1 for a person published everywhere, −2 for one with the wish 0
 * @param bitmap the listed providers, compressed
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record IndexEntry(Token token, double epsilon, int frequency, byte[] bitmap) {

    /** The digest that the signed root stands for. */
    public byte[] digest() {
        byte[] fixed = new byte[Token.BYTES + Double.BYTES + Integer.BYTES];
        token.write(fixed, 0);
        ByteBuffer.wrap(fixed, Token.BYTES, Double.BYTES + Integer.BYTES)
                .putDouble(epsilon)
                .putInt(frequency);
        return Digests.of("eppi-leaf", fixed, bitmap);
    }

    /** The numbers of the listed providers. */
    public int[] listed() {
        return new ImmutableRoaringBitmap(ByteBuffer.wrap(bitmap)).toArray();
    }
}

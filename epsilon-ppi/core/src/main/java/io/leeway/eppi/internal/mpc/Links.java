package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The links of one party to all others, counted.
 *
 * <p>Not thread-safe: one party is one thread.
 */
public final class Links {

    private final @Nullable Link[] links;
    private final int party;
    private long bytes;
    private long messages;

    /**
     * Links of a party.
     *
     * @param party own number
     * @param links by number of the party; nothing at the own number
     */
    public Links(int party, @Nullable Link[] links) {
        this.party = party;
        this.links = links.clone();
    }

    /** The same links, for somebody who looks at all messages: what a party sees. */
    Links watched(Consumer<byte[]> received, Consumer<byte[]> sent) {
        var all = new Link[links.length];
        for (int i = 0; i < all.length; i++) {
            Link link = links[i];
            if (link != null) {
                all[i] = new WatchedLink(link, received, sent);
            }
        }
        return new Links(party, all);
    }

    private record WatchedLink(Link link, Consumer<byte[]> received, Consumer<byte[]> sent) implements Link {

        @Override
        public void send(byte[] message) {
            sent.accept(message.clone());
            link.send(message);
        }

        @Override
        public byte[] receive() {
            byte[] message = link.receive();
            received.accept(message.clone());
            return message;
        }
    }

    /** Own number. */
    public int party() {
        return party;
    }

    /** How many parties there are. */
    public int parties() {
        return links.length;
    }

    /** Bytes sent so far, without what the transport adds. */
    public long bytes() {
        return bytes;
    }

    /** Messages sent so far. */
    public long messages() {
        return messages;
    }

    /** Sends bytes to a party. */
    public void send(int to, byte[] message) {
        bytes += message.length;
        messages++;
        link(to).send(message);
    }

    /**
     * Receives bytes from a party.
     *
     * @throws EppiException with {@link Code#MALFORMED} if they are not as many as they have to be
     */
    public byte[] receive(int from, int length) {
        byte[] message = link(from).receive();
        if (message.length != length) {
            throw EppiException.of(
                    Code.MALFORMED, "coordinator " + from + " sent " + message.length + " bytes instead of " + length);
        }
        return message;
    }

    /** Sends words to a party. */
    public void sendWords(int to, long[] words) {
        send(to, bytes(words));
    }

    /** Receives words from a party. */
    public long[] receiveWords(int from, int length) {
        return words(receive(from, Math.multiplyExact(length, Long.BYTES)));
    }

    static byte[] bytes(long[] words) {
        byte[] bytes = new byte[Math.multiplyExact(words.length, Long.BYTES)];
        ByteBuffer.wrap(bytes).asLongBuffer().put(words);
        return bytes;
    }

    static long[] words(byte[] bytes) {
        long[] words = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(words);
        return words;
    }

    private Link link(int number) {
        Link link = links[number];
        if (link == null) {
            throw new IllegalArgumentException("party " + party + " has no link to party " + number);
        }
        return link;
    }
}

package io.leeway.approx.internal.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as it travels: what a producer gave, and the partition that it chose.
 *
 * @param topic the topic
 * @param partition its partition
 * @param timestamp milliseconds since 1970
 * @param key the key, or null
 * @param value the value, or null
 * @param headers the headers, in order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copies would cost on the way of every record
public record RecordData(
        String topic,
        int partition,
        long timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<Header> headers) {

    /**
     * A header of a record.
     *
     * @param name its name
     * @param value its value, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // as above
    public record Header(String name, byte @Nullable [] value) {}

    public RecordData {
        headers = List.copyOf(headers);
    }

    /** Without a key or headers. */
    public static RecordData ofValue(String topic, int partition, long timestamp, byte[] value) {
        return new RecordData(topic, partition, timestamp, null, value, List.of());
    }

    /** The same with one header more. */
    public RecordData with(Header header) {
        List<Header> more = new ArrayList<>(headers);
        more.add(header);
        return new RecordData(topic, partition, timestamp, key, value, more);
    }

    /** Its bytes. */
    public byte[] encode() {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        List<byte[]> names = new ArrayList<>();
        int size = sized(name) + Varints.size(partition) + 8 + optional(key) + optional(value);
        size += Varints.size(headers.size());
        for (Header header : headers) {
            byte[] bytes = header.name().getBytes(StandardCharsets.UTF_8);
            names.add(bytes);
            size += sized(bytes) + optional(header.value());
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        Varints.put(out, name.length);
        out.put(name);
        Varints.put(out, partition);
        out.putLong(timestamp);
        put(out, key);
        put(out, value);
        Varints.put(out, headers.size());
        for (int i = 0; i < names.size(); i++) {
            Varints.put(out, names.get(i).length);
            out.put(names.get(i));
            put(out, headers.get(i).value());
        }
        return out.array();
    }

    private static int sized(byte[] bytes) {
        return Varints.size(bytes.length) + bytes.length;
    }

    /** What may be null is behind its length and one, or 0. */
    private static int optional(byte @Nullable [] bytes) {
        return bytes == null ? 1 : Varints.size(bytes.length + 1) + bytes.length;
    }

    private static void put(ByteBuffer out, byte @Nullable [] bytes) {
        if (bytes == null) {
            Varints.put(out, 0);
        } else {
            Varints.put(out, bytes.length + 1);
            out.put(bytes);
        }
    }

    /**
     * The record of these bytes.
     *
     * @throws IllegalArgumentException if they are none
     */
    public static RecordData decode(ByteBuffer in) {
        try {
            String topic = text(in);
            int partition = Varints.get(in);
            long timestamp = in.getLong();
            byte[] key = bytes(in);
            byte[] value = bytes(in);
            int count = Varints.get(in);
            List<Header> headers = new ArrayList<>(Math.min(count, 64));
            for (int i = 0; i < count; i++) {
                headers.add(new Header(text(in), bytes(in)));
            }
            if (in.hasRemaining() || topic.isEmpty()) {
                throw new IllegalArgumentException("not a record");
            }
            return new RecordData(topic, partition, timestamp, key, value, headers);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a record that is cut short", e);
        }
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[checked(in, Varints.get(in))];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] bytes(ByteBuffer in) {
        int coded = Varints.get(in);
        if (coded == 0) {
            return null;
        }
        byte[] bytes = new byte[checked(in, coded - 1)];
        in.get(bytes);
        return bytes;
    }

    /** A forged length must not allocate more than there is. */
    private static int checked(ByteBuffer in, int length) {
        if (length > in.remaining()) {
            throw new IllegalArgumentException(
                    "a length of " + length + " where " + in.remaining() + " bytes are left");
        }
        return length;
    }
}

package io.leeway.hindex.internal.read;

import com.google.protobuf.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How a client asks a region to remove entries that its rows do not bear out. Without state. */
final class RemovalProtocol {

    static final ByteMessages MESSAGES = new ByteMessages("HindexRemoval", "Remove");

    private RemovalProtocol() {}

    /** An index and keys of its entries, each with a timestamp. */
    record Request(String index, List<Item> items) {}

    /** One entry. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Item(byte[] key, byte[] qualifier, long timestamp) {}

    static Message message(Request request) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeUTF(request.index());
            out.writeInt(request.items().size());
            for (Item item : request.items()) {
                out.writeLong(item.timestamp());
                write(out, item.key());
                write(out, item.qualifier());
            }
        }
        return MESSAGES.message(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** How many, with the high byte first. */
    static Message message(int removed) {
        return MESSAGES.message(
                new byte[] {(byte) (removed >>> 24), (byte) (removed >>> 16), (byte) (removed >>> 8), (byte) removed});
    }

    static Request request(Message message) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(ByteMessages.bytes(message)))) {
            String index = in.readUTF();
            int count = in.readInt();
            var items = new ArrayList<Item>();
            for (int i = 0; i < count; i++) {
                long timestamp = in.readLong();
                byte[] key = in.readNBytes(in.readInt());
                items.add(new Item(key, in.readNBytes(in.readInt()), timestamp));
            }
            return new Request(index, items);
        }
    }

    static int removed(Message message) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(ByteMessages.bytes(message)))) {
            return in.readInt();
        }
    }
}

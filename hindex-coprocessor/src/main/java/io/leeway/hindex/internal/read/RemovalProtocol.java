package io.leeway.hindex.internal.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How a client asks a region to remove entries that its rows do not bear out. Described while running, with the protobuf of
 * the host: no generated code.
 */
final class RemovalProtocol {

    private static final ServiceDescriptor SERVICE = describe();
    private static final FieldDescriptor BYTES =
            SERVICE.getFile().getMessageTypes().get(0).getFields().get(0);

    private RemovalProtocol() {}

    /** An index and keys of its entries, each with a timestamp. */
    record Request(String index, List<Item> items) {}

    /** One entry. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Item(byte[] key, byte[] qualifier, long timestamp) {}

    static ServiceDescriptor service() {
        return SERVICE;
    }

    static MethodDescriptor remove() {
        return SERVICE.getMethods().get(0);
    }

    static Message prototype() {
        return DynamicMessage.getDefaultInstance(
                SERVICE.getFile().getMessageTypes().get(0));
    }

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
        return message(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static Message message(int removed) {
        return message(
                new byte[] {(byte) (removed >>> 24), (byte) (removed >>> 16), (byte) (removed >>> 8), (byte) removed});
    }

    private static Message message(byte[] bytes) {
        return DynamicMessage.newBuilder(SERVICE.getFile().getMessageTypes().get(0))
                .setField(BYTES, ByteString.copyFrom(bytes))
                .build();
    }

    static Request request(Message message) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes(message)))) {
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
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes(message)))) {
            return in.readInt();
        }
    }

    private static byte[] bytes(Message message) {
        return ((ByteString) message.getField(
                        message.getDescriptorForType().getFields().get(0)))
                .toByteArray();
    }

    private static ServiceDescriptor describe() {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("hindex.proto")
                .setPackage("hindex")
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Bytes")
                        .addField(FieldDescriptorProto.newBuilder()
                                .setName("bytes")
                                .setNumber(1)
                                .setType(FieldDescriptorProto.Type.TYPE_BYTES)
                                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)))
                .addService(ServiceDescriptorProto.newBuilder()
                        .setName("HindexRemoval")
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName("Remove")
                                .setInputType(".hindex.Bytes")
                                .setOutputType(".hindex.Bytes")))
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0])
                    .getServices()
                    .get(0);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }
}

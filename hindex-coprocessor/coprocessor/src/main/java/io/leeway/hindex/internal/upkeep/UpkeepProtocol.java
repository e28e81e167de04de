package io.leeway.hindex.internal.upkeep;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
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
 * How a client asks a region for its part of the upkeep of an index. Described while running, with the protobuf of the
 * host: generated code would tie the jar to one version of it. Without state.
 */
final class UpkeepProtocol {

    private static final ServiceDescriptor SERVICE = describe();
    /**
     * Kinds of requests and responses, in their first byte. Clients and servers may be of different versions: none is
     * used anew.
     */
    private static final int NO_INDEX = 0;

    private static final int KEEPS = 1;
    private static final int BUILD = 2;
    private static final int CHECK = 3;
    private static final int DESCRIBE = 4;

    private UpkeepProtocol() {}

    /** What is asked. All name their index alike, so that rights can be looked at before anything else is. */
    sealed interface Request {
        /** The name of the index. */
        String index();
    }

    /** Whether the region keeps the index. */
    record Keeps(String index) implements Request {}

    /** How the region's table is described where the region was opened; of no index in particular. */
    record Describe() implements Request {
        @Override
        public String index() {
            return "";
        }
    }

    /** Entries for rows from start on, before stop, but not for more than that many rows. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Build(String index, byte[] start, byte[] stop, int rows) implements Request {}

    /** What these entries are worth; wrong ones are corrected if that is wanted. */
    record Check(String index, boolean repairs, List<Item> items) implements Request {}

    /** One entry. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Item(byte[] key, byte[] qualifier, long timestamp) {}

    /**
     * What is answered. What a client does not know counts as {@link NoIndex}: then it asks again, or says that the
     * region keeps none.
     */
    sealed interface Response {}

    /** The region does not keep that index, or not yet. */
    record NoIndex() implements Response {}

    /** The region keeps the index. */
    record Kept() implements Response {}

    /** A descriptor, as HBase writes it down. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Described(byte[] table) implements Response {}

    /** The first row that was not looked at. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record Built(byte[] next, boolean isEnd, int rows, int entries) implements Response {}

    /** One for each item. */
    record Checked(List<Verdict> verdicts) implements Response {}

    static ServiceDescriptor service() {
        return SERVICE;
    }

    static MethodDescriptor method() {
        return SERVICE.getMethods().get(0);
    }

    static Message prototype() {
        return DynamicMessage.getDefaultInstance(
                SERVICE.getFile().getMessageTypes().get(0));
    }

    static Message message(Request request) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            if (request instanceof Build build) {
                out.writeByte(BUILD);
                out.writeUTF(build.index());
                write(out, build.start());
                write(out, build.stop());
                out.writeInt(build.rows());
            } else if (request instanceof Check check) {
                out.writeByte(CHECK);
                out.writeUTF(check.index());
                out.writeBoolean(check.repairs());
                out.writeInt(check.items().size());
                for (Item item : check.items()) {
                    out.writeLong(item.timestamp());
                    write(out, item.key());
                    write(out, item.qualifier());
                }
            } else {
                out.writeByte(request instanceof Describe ? DESCRIBE : KEEPS);
                out.writeUTF(request.index());
            }
        }
        return message(bytes.toByteArray());
    }

    static Request request(Message message) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes(message)))) {
            int kind = in.readByte();
            String index = in.readUTF();
            return switch (kind) {
                case KEEPS -> new Keeps(index);
                case DESCRIBE -> new Describe();
                case BUILD -> new Build(index, read(in), read(in), in.readInt());
                case CHECK -> {
                    boolean repairs = in.readBoolean();
                    int count = in.readInt();
                    var items = new ArrayList<Item>();
                    for (int i = 0; i < count; i++) {
                        long timestamp = in.readLong();
                        items.add(new Item(read(in), read(in), timestamp));
                    }
                    yield new Check(index, repairs, items);
                }
                default ->
                    throw new IOException("the region does not know this request; use the same version of hindex for"
                            + " clients and servers");
            };
        }
    }

    static Message message(Response response) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            if (response instanceof Built built) {
                out.writeByte(BUILD);
                write(out, built.next());
                out.writeBoolean(built.isEnd());
                out.writeInt(built.rows());
                out.writeInt(built.entries());
            } else if (response instanceof Checked checked) {
                out.writeByte(CHECK);
                out.writeInt(checked.verdicts().size());
                for (Verdict verdict : checked.verdicts()) {
                    out.writeUTF(verdict.name());
                }
            } else if (response instanceof Described described) {
                out.writeByte(DESCRIBE);
                write(out, described.table());
            } else {
                out.writeByte(response instanceof Kept ? KEEPS : NO_INDEX);
            }
        }
        return message(bytes.toByteArray());
    }

    static Response response(Message message) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes(message)))) {
            return switch (in.readByte()) {
                case KEEPS -> new Kept();
                case DESCRIBE -> new Described(read(in));
                case BUILD -> new Built(read(in), in.readBoolean(), in.readInt(), in.readInt());
                case CHECK -> {
                    int count = in.readInt();
                    var verdicts = new ArrayList<Verdict>();
                    for (int i = 0; i < count; i++) {
                        verdicts.add(Verdict.valueOf(in.readUTF()));
                    }
                    yield new Checked(verdicts);
                }
                default -> new NoIndex();
            };
        }
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    private static Message message(byte[] bytes) {
        var type = SERVICE.getFile().getMessageTypes().get(0);
        return DynamicMessage.newBuilder(type)
                .setField(type.getFields().get(0), ByteString.copyFrom(bytes))
                .build();
    }

    private static byte[] bytes(Message message) {
        return ((ByteString) message.getField(
                        message.getDescriptorForType().getFields().get(0)))
                .toByteArray();
    }

    private static ServiceDescriptor describe() {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("hindex-upkeep.proto")
                .setPackage("hindex.upkeep")
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Bytes")
                        .addField(FieldDescriptorProto.newBuilder()
                                .setName("bytes")
                                .setNumber(1)
                                .setType(FieldDescriptorProto.Type.TYPE_BYTES)
                                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)))
                .addService(ServiceDescriptorProto.newBuilder()
                        .setName("HindexUpkeep")
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName("Do")
                                .setInputType(".hindex.upkeep.Bytes")
                                .setOutputType(".hindex.upkeep.Bytes")))
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

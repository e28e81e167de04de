package io.leeway.hindex.internal.read;

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

/**
 * A service with one method, from bytes to bytes. Described while running, with the protobuf of the host: generated
 * code would have to fit its version, and hosts have different ones. Immutable.
 */
final class ByteMessages {

    private final ServiceDescriptor service;

    /** A service of this name. */
    ByteMessages(String service, String method) {
        this.service = describe(service, method);
    }

    ServiceDescriptor service() {
        return service;
    }

    MethodDescriptor method() {
        return service.getMethods().get(0);
    }

    Message prototype() {
        return DynamicMessage.getDefaultInstance(method().getInputType());
    }

    /** Field 1 of a message with one field of bytes; that is all the form that client and server agree on here. */
    Message message(byte[] bytes) {
        return DynamicMessage.newBuilder(method().getInputType())
                .setField(method().getInputType().getFields().get(0), ByteString.copyFrom(bytes))
                .build();
    }

    /** The message may be of an equal description that another class loader made. */
    static byte[] bytes(Message message) {
        return ((ByteString) message.getField(
                        message.getDescriptorForType().getFields().get(0)))
                .toByteArray();
    }

    private static ServiceDescriptor describe(String service, String method) {
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
                        .setName(service)
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName(method)
                                .setInputType(".hindex.Bytes")
                                .setOutputType(".hindex.Bytes")))
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0])
                    .getServices()
                    .get(0);
        } catch (DescriptorValidationException e) {
            // The description is ours and constant: it is right or it never was.
            throw new IllegalStateException(e);
        }
    }
}

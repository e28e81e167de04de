package io.leeway.hindex.internal.read;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.leeway.hindex.internal.guard.Guard;
import java.io.IOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/** The side of a region of an index: decodes, asks the region, encodes. The endpoint gives it to HBase. Thread-safe. */
public final class ReadService implements Service {

    private final Guard.Source<RegionReader> reader;

    /** Asks this one, which may start after the service. */
    public ReadService(Guard.Source<RegionReader> reader) {
        this.reader = reader;
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
        return ReadProtocol.MESSAGES.service();
    }

    /** HBase sends the controller's exception, if there is one, and wants the callback called in any case. */
    @Override
    public void callMethod(
            MethodDescriptor method, RpcController controller, Message message, RpcCallback<Message> done) {
        try {
            done.run(Guard.get("Read", () -> reader.get().read(ReadProtocol.request(message))));
        } catch (IOException e) {
            CoprocessorRpcUtils.setControllerException(controller, e);
            done.run(ReadProtocol.MESSAGES.prototype());
        }
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        return ReadProtocol.MESSAGES.prototype();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
        return ReadProtocol.MESSAGES.prototype();
    }
}

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

/**
 * The region's side: decodes, asks the region, encodes. The observer gives it to HBase as an endpoint of the base
 * table. Thread-safe.
 */
public final class RemovalService implements Service {

    private final Remover remover;

    /** Asks this. */
    public RemovalService(Remover remover) {
        this.remover = remover;
    }

    /** Removes an entry unless its row bears it out. */
    @FunctionalInterface
    public interface Remover {
        /** Whether the entry is gone now. */
        boolean removeUnlessStored(String index, byte[] key, byte[] qualifier, long timestamp) throws IOException;
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
        return RemovalProtocol.MESSAGES.service();
    }

    /** HBase sends the controller's exception, if there is one, and wants the callback called in any case. */
    @Override
    public void callMethod(
            MethodDescriptor method, RpcController controller, Message message, RpcCallback<Message> done) {
        try {
            done.run(Guard.get("Remove", () -> RemovalProtocol.message(remove(RemovalProtocol.request(message)))));
        } catch (IOException e) {
            CoprocessorRpcUtils.setControllerException(controller, e);
            done.run(RemovalProtocol.message(0));
        }
    }

    /**
     * Of which index a request removes entries.
     *
     * <p>Asked before the call is let in, to look at the caller's rights.
     */
    public static String index(Message request) throws IOException {
        return RemovalProtocol.request(request).index();
    }

    private int remove(RemovalProtocol.Request request) throws IOException {
        int removed = 0;
        for (RemovalProtocol.Item item : request.items()) {
            removed +=
                    remover.removeUnlessStored(request.index(), item.key(), item.qualifier(), item.timestamp()) ? 1 : 0;
        }
        return removed;
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        return RemovalProtocol.MESSAGES.prototype();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
        return RemovalProtocol.MESSAGES.prototype();
    }
}

package io.leeway.hindex.internal.upkeep;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.leeway.hindex.internal.guard.Guard;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/**
 * The region's side: decodes, does, encodes. The observer gives it to HBase as an endpoint, and looks at the caller's
 * rights before. Thread-safe.
 */
public final class UpkeepService implements Service {

    private final Supplier<RegionUpkeep> region;

    /** Asks this one, once there is a request. */
    public UpkeepService(Supplier<RegionUpkeep> region) {
        this.region = region;
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
        return UpkeepProtocol.service();
    }

    /** HBase sends the controller's exception, if there is one, and wants the callback called in any case. */
    @Override
    public void callMethod(
            MethodDescriptor method, RpcController controller, Message message, RpcCallback<Message> done) {
        try {
            done.run(Guard.get(
                    "upkeep", () -> UpkeepProtocol.message(region.get().answer(UpkeepProtocol.request(message)))));
        } catch (IOException e) {
            CoprocessorRpcUtils.setControllerException(controller, e);
            done.run(UpkeepProtocol.prototype());
        }
    }

    /** Which index a request is about; empty if about none in particular. */
    public static String index(Message request) throws IOException {
        return UpkeepProtocol.request(request).index();
    }

    /**
     * Whether a request is for the upkeep of an index as a whole, which is the business of who may change its table.
     */
    public static boolean builds(Message request) throws IOException {
        return UpkeepProtocol.request(request) instanceof UpkeepProtocol.Build;
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        return UpkeepProtocol.prototype();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
        return UpkeepProtocol.prototype();
    }
}

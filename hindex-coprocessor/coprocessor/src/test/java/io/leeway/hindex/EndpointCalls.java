package io.leeway.hindex;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/** Counts the endpoint calls that regions answered; a coprocessor of index tables in tests. */
public final class EndpointCalls implements RegionCoprocessor, EndpointObserver {

    private static final Map<TableName, Integer> CALLS = new ConcurrentHashMap<>();

    /** For HBase. */
    public EndpointCalls() {}

    @Override
    public Optional<EndpointObserver> getEndpointObserver() {
        return Optional.of(this);
    }

    @Override
    public void postEndpointInvocation(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Service service,
            String method,
            Message request,
            Message.Builder response) {
        // An answer that failed is empty.
        if (!response.getAllFields().isEmpty()) {
            CALLS.merge(context.getEnvironment().getRegionInfo().getTable(), 1, Integer::sum);
        }
    }

    static int of(TableName table) {
        return CALLS.getOrDefault(table, 0);
    }
}

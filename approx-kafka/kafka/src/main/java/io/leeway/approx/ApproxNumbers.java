package io.leeway.approx;

import io.leeway.approx.atp.FlowState;
import io.leeway.approx.internal.gateway.GatewayState;
import io.leeway.approx.internal.net.FlowClient;
import java.util.EnumMap;
import java.util.Map;

/** The numbers of a shim and of a gateway now, by metric; what has the tags of windows is not among them. */
final class ApproxNumbers {

    private ApproxNumbers() {}

    static Map<ApproxMetrics, Double> of(ApproxShim shim) {
        Map<ApproxMetrics, Double> values = new EnumMap<>(ApproxMetrics.class);
        String path = shim.path();
        values.put(ApproxMetrics.UP, path.startsWith("exact") ? 0.0 : 1.0);
        values.put(ApproxMetrics.DATAGRAMS, path.startsWith("datagrams") ? 1.0 : 0.0);
        values.put(ApproxMetrics.ACCEPTED, (double) shim.accepted());
        values.put(ApproxMetrics.PASSED, (double) shim.passed());
        FlowClient flow = shim.shim().flow();
        FlowState numbers = flow == null ? null : flow.numbers();
        if (numbers != null) {
            values.put(ApproxMetrics.RATE, numbers.rate());
            values.put(ApproxMetrics.LOSS, numbers.loss());
            values.put(ApproxMetrics.TARGET, numbers.target());
            values.put(ApproxMetrics.QUEUE, (double) numbers.queue());
            values.put(ApproxMetrics.RTT, numbers.rtt() / 1e9);
            values.put(ApproxMetrics.PACKETS, (double) numbers.packetsSent());
            values.put(ApproxMetrics.LOST, (double) numbers.packetsLost());
            values.put(ApproxMetrics.BUFFERED, (double) numbers.buffered());
            values.put(ApproxMetrics.JOBS, (double) numbers.openJobs());
        }
        return values;
    }

    static Map<ApproxMetrics, Double> of(ApproxGateway gateway) {
        GatewayState state = gateway.state();
        Map<ApproxMetrics, Double> values = new EnumMap<>(ApproxMetrics.class);
        values.put(ApproxMetrics.WRITTEN, (double) gateway.records());
        values.put(ApproxMetrics.FAILED, (double) gateway.failures());
        values.put(ApproxMetrics.SESSIONS, (double) state.sessions().size());
        values.put(ApproxMetrics.STRAY, (double) state.stray());
        values.put(ApproxMetrics.FORGED, (double)
                state.sessions().stream().mapToLong(GatewayState.Of::forged).sum());
        return values;
    }
}

package io.leeway.approx;

import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * Starts a gateway inside a broker, without a patch: {@code metric.reporters=...,io.leeway.approx.ApproxGatewayReporter}
 * and the options of a gateway among the broker's properties. A gateway that cannot start leaves the broker alone.
 */
public final class ApproxGatewayReporter implements MetricsReporter {

    private static final Logger LOG = Logger.getLogger(ApproxGatewayReporter.class.getName());

    private @Nullable ApproxGateway gateway;

    /** Used by the broker. */
    public ApproxGatewayReporter() {}

    @Override
    public void configure(Map<String, ?> configs) {
        if (!configs.containsKey(ApproxOption.KEYSTORE.key())) {
            return;
        }
        try {
            gateway = new ApproxGateway(ApproxOptions.of(configs));
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "There is no gateway in this broker: " + e.getMessage(), e);
        }
    }

    /** The port of the gateway; -1 if there is none. */
    public int port() {
        return gateway == null ? -1 : gateway.port();
    }

    @Override
    public void init(List<KafkaMetric> metrics) {
        // Metrics are not what this is for.
    }

    @Override
    public void metricChange(KafkaMetric metric) {
        // As above.
    }

    @Override
    public void metricRemoval(KafkaMetric metric) {
        // As above.
    }

    @Override
    public void close() {
        if (gateway != null) {
            gateway.close();
        }
    }
}

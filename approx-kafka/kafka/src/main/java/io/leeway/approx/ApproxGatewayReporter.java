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
    private @Nullable ApproxStatus status;

    /** Used by the broker. */
    public ApproxGatewayReporter() {}

    @Override
    public void configure(Map<String, ?> configs) {
        if (!configs.containsKey(ApproxOption.KEYSTORE.key())) {
            return;
        }
        try {
            ApproxOptions options = ApproxOptions.of(configs);
            ApproxGateway started = new ApproxGateway(options);
            gateway = started;
            status = ApproxConfigProvider.serveStatus(options, null, started);
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
        if (status != null) {
            status.close();
        }
        if (gateway != null) {
            gateway.close();
        }
    }
}

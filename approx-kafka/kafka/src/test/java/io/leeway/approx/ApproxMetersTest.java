package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApproxMetersTest {

    @Test
    void everyMetricOfAShimIsThereUnderItsNameWithDots() {
        ApproxOptions options =
                ApproxOptions.of(Map.of("approx.upstream", "127.0.0.1:1", "approx.topics", "a(msr=0.5)"));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ApproxShim shim = new ApproxShim(options)) {
            ApproxMeters.of(shim).bindTo(registry);
            assertThat(registry.get("approx.up").gauge().value()).isZero();
            assertThat(registry.get("approx.records.passed").functionCounter().count())
                    .isZero();
            assertThat(registry.get("approx.rtt.seconds").gauge().getId().getDescription())
                    .isEqualTo(ApproxMetrics.RTT.text());
            assertThat(registry.getMeters()).hasSize(13);
        }
    }

    @Test
    void anApplicationWithoutShimsHasZeros() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ApproxMeters.ofShims().bindTo(registry);
        assertThat(registry.get("approx.packets.lost").functionCounter().count())
                .isNotNegative();
    }
}

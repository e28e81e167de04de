package io.leeway.privoxy.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMetrics;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.SolverResult;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.TemplateEvent;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MicrometerTrackerTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PrivoxyMetricsTracker tracker = new MicrometerTracker(registry);

    @Test
    void decisionsAreTimedByStageAndOutcome() {
        tracker.checked(Stage.CHASE, Outcome.DENY, 2_000);
        tracker.checked(Stage.CHASE, Outcome.DENY, 3_000);
        tracker.checked(Stage.TEMPLATE, Outcome.ALLOW, 1_000);

        var timer = registry.get("privoxy.check")
                .tags("stage", "chase", "outcome", "deny")
                .timer();
        assertThat(timer.count()).isEqualTo(2);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(5_000);
    }

    @Test
    void theRestIsCounted() {
        tracker.audited(Outcome.UNDECIDED);
        tracker.template(TemplateEvent.CREATED);
        tracker.solver("cvc5", SolverResult.WON, 10);
        tracker.solver("a user's solver", SolverResult.LOST, 10);
        tracker.traceSize(3, 12);

        assertThat(registry.get("privoxy.audited")
                        .tag("outcome", "undecided")
                        .counter()
                        .count())
                .isOne();
        assertThat(registry.get("privoxy.template")
                        .tag("event", "created")
                        .counter()
                        .count())
                .isOne();
        assertThat(registry.get("privoxy.solver")
                        .tags("solver", "cvc5", "outcome", "won")
                        .timer()
                        .count())
                .isOne();
        assertThat(registry.get("privoxy.solver").tag("solver", "other").timer().count())
                .isOne();
        assertThat(registry.get("privoxy.trace.entries").summary().totalAmount())
                .isEqualTo(3);
        assertThat(registry.get("privoxy.trace.cells").summary().totalAmount()).isEqualTo(12);
    }

    @Test
    void everyMeterHasANameAndDescriptionOfTheList() {
        tracker.solver("z3", SolverResult.UNKNOWN, 1);
        Map<String, String> known = PrivoxyMetrics.all().stream()
                .collect(Collectors.toMap(PrivoxyMetrics.Metric::name, PrivoxyMetrics.Metric::description));

        Map<String, String> registered = registry.getMeters().stream()
                .map(Meter::getId)
                .collect(Collectors.toMap(Meter.Id::getName, id -> String.valueOf(id.getDescription()), (a, b) -> a));

        assertThat(registered).isEqualTo(known);
    }

    @Test
    void severalTrackersAreAllTold() {
        var other = new SimpleMeterRegistry();
        var both = new SeveralTrackers(List.of(tracker, new MicrometerTracker(other)));

        both.checked(Stage.NONE, Outcome.ERROR, 1);
        both.audited(Outcome.DENY);
        both.template(TemplateEvent.EVICTED);
        both.solver("z3", SolverResult.WON, 1);
        both.traceSize(1, 1);

        for (var each : List.of(registry, other)) {
            assertThat(each.get("privoxy.check")
                            .tags("stage", "none", "outcome", "error")
                            .timer()
                            .count())
                    .isOne();
            assertThat(each.get("privoxy.audited")
                            .tag("outcome", "deny")
                            .counter()
                            .count())
                    .isOne();
            assertThat(each.get("privoxy.template")
                            .tag("event", "evicted")
                            .counter()
                            .count())
                    .isOne();
            assertThat(each.get("privoxy.solver").timer().count()).isOne();
            assertThat(each.get("privoxy.trace.entries").summary().count()).isOne();
        }
    }

    @Test
    void metricsCanBeSwitchedOff() throws PrivoxyFailureException {
        var off = PrivoxyConfig.of(Map.of("privoxyPolicy", "p", "privoxyMetrics", "none"));
        var auto = PrivoxyConfig.of(Map.of("privoxyPolicy", "p"));

        assertThat(MetricsTrackers.of(off)).isSameAs(MetricsTrackers.NONE);
        assertThat(MetricsTrackers.of(auto)).isInstanceOf(MicrometerTracker.class);
    }
}

package io.leeway.lazytables.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesMetrics;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.server.ServerStatus;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MicrometerMeteringTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetering metering = new MicrometerMetering(registry);

    @Test
    void everyMeterHasANameAndDescriptionOfTheList() {
        try (Metering.Watch instance = metering.instance(() -> statistics(1), 2);
                Metering.Watch server = metering.server(MicrometerMeteringTest::status)) {
            Map<String, String> known = LazyTablesMetrics.all().stream()
                    .collect(Collectors.toMap(LazyTablesMetrics.Metric::name, LazyTablesMetrics.Metric::description));

            Map<String, String> registered = registry.getMeters().stream()
                    .map(Meter::getId)
                    .collect(Collectors.toMap(
                            Meter.Id::getName, id -> String.valueOf(id.getDescription()), (a, b) -> a));

            assertThat(registered).isEqualTo(known);
        }
    }

    @Test
    void instancesAreAddedUp() {
        try (Metering.Watch one = metering.instance(() -> statistics(1), 2);
                Metering.Watch other = metering.instance(() -> statistics(10), 2)) {
            assertThat(counter("lazytables.read", "outcome", "worker")).isEqualTo(11 * 5);
            assertThat(counter("lazytables.read", "outcome", "process")).isEqualTo(11 * 6);
            assertThat(counter("lazytables.read", "outcome", "server")).isEqualTo(11 * 7);
            assertThat(counter("lazytables.prefetch", "outcome", "useless")).isEqualTo(11 * 2);
            assertThat(counter("lazytables.bytes", "direction", "out")).isEqualTo(11 * 400);
            assertThat(counter("lazytables.messages", "direction", "in")).isEqualTo(11 * 100);
            assertThat(gauge("lazytables.clock", "of", "worker")).isEqualTo(50);
            assertThat(gauge("lazytables.clock", "of", "process")).isEqualTo(4);
            assertThat(gauge("lazytables.clock", "of", "global")).isEqualTo(3);
            assertThat(gauge("lazytables.log.rows", "state", "kept")).isEqualTo(11 * 9);
            assertThat(registry.get("lazytables.pending.reads").gauge().value()).isEqualTo(11 * 11);
            var computed =
                    registry.get("lazytables.worker.compute").tag("worker", "1").functionTimer();
            assertThat(computed.count()).isEqualTo(5 + 50);
            assertThat(computed.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(11_000);
            assertThat(registry.get("lazytables.worker.wait")
                            .tag("worker", "1")
                            .functionTimer()
                            .totalTime(TimeUnit.NANOSECONDS))
                    .isEqualTo(330);
        }
    }

    @Test
    void stalenessIsAHistogram() {
        // i + 1 reads that are i clocks behind.
        try (Metering.Watch watch = metering.instance(() -> statistics(1), 1)) {
            assertThat(counter("lazytables.read.staleness", "clocks", "0")).isEqualTo(1);
            assertThat(counter("lazytables.read.staleness", "clocks", "4")).isEqualTo(5);
            assertThat(counter("lazytables.read.staleness", "clocks", "5-8")).isEqualTo(6 + 7 + 8 + 9);
            assertThat(counter("lazytables.read.staleness", "clocks", "17-32")).isEqualTo(16 * (18 + 33) / 2);
            assertThat(counter("lazytables.read.staleness", "clocks", "more")).isEqualTo(34);
        }
    }

    @Test
    void whatWasCountedStaysWhenAnInstanceIsClosed() {
        Metering.Watch one = metering.instance(() -> statistics(1), 1);
        Metering.Watch other = metering.instance(() -> statistics(10), 1);

        one.close();
        one.close();

        assertThat(counter("lazytables.read", "outcome", "worker")).isEqualTo(11 * 5);
        assertThat(gauge("lazytables.clock", "of", "process")).isEqualTo(40);
        other.close();
        assertThat(counter("lazytables.read", "outcome", "worker")).isEqualTo(11 * 5);
        assertThat(gauge("lazytables.clock", "of", "process")).isNaN();
    }

    @Test
    void workersBeyondTheSixtyFourthShareAMeter() {
        List<Statistics.WorkerTimes> workers = Collections.nCopies(70, new Statistics.WorkerTimes(2, 10, 1, 3));
        try (Metering.Watch watch = metering.instance(() -> with(statistics(1), workers), 70)) {
            assertThat(registry.get("lazytables.worker.compute").functionTimers())
                    .hasSize(65);
            assertThat(registry.get("lazytables.worker.compute")
                            .tag("worker", "more")
                            .functionTimer()
                            .count())
                    .isEqualTo(6 * 2);
            assertThat(registry.get("lazytables.worker.compute")
                            .tag("worker", "63")
                            .functionTimer()
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void aServerIsShown() {
        try (Metering.Watch watch = metering.server(MicrometerMeteringTest::status)) {
            assertThat(registry.get("lazytables.server.tables").gauge().value()).isEqualTo(2);
            assertThat(registry.get("lazytables.server.rows").gauge().value()).isEqualTo(12);
            assertThat(registry.get("lazytables.server.sessions").gauge().value())
                    .isEqualTo(1);
            assertThat(registry.get("lazytables.server.clock").gauge().value()).isEqualTo(6);
            assertThat(gauge("lazytables.server.pending", "kind", "reads")).isEqualTo(4);
            assertThat(gauge("lazytables.server.pending", "kind", "writes")).isEqualTo(8);
            assertThat(counter("lazytables.server.bytes", "direction", "in")).isEqualTo(3);
        }
    }

    @Test
    void metricsCanBeSwitchedOff() {
        var off = LazyTablesConfig.of(Map.of(LazyTablesOptions.METRICS.key(), "none"));

        assertThat(Metering.of(off)).isSameAs(Metering.NONE);
        assertThat(Metering.of(LazyTablesConfig.of(Map.of()))).isInstanceOf(MicrometerMetering.class);
    }

    private double counter(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).functionCounter().count();
    }

    private double gauge(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).gauge().value();
    }

    private static Statistics statistics(int times) {
        var staleness = new ArrayList<Long>();
        for (long i = 0; i <= 33; i++) {
            staleness.add(i + 1);
        }
        return new Statistics(
                staleness,
                new Statistics.Reads(times * 5L, times * 6L, times * 7L),
                new Statistics.Prefetched(times, times * 2L),
                List.of(
                        new Statistics.WorkerTimes(times * 4, times * 2_000L, 1, times * 20L),
                        new Statistics.WorkerTimes(times * 5, times * 1_000L, 2, times * 30L)),
                new Statistics.Clocks(times * 4, times * 3),
                new Statistics.Waiting(times * 8L, times * 9L, times * 11L),
                new Statistics.Traffic(times * 100L, times * 200L, times * 300L, times * 400L));
    }

    private static Statistics with(Statistics statistics, List<Statistics.WorkerTimes> workers) {
        return new Statistics(
                statistics.staleness(),
                statistics.reads(),
                statistics.prefetched(),
                workers,
                statistics.clocks(),
                statistics.waiting(),
                statistics.traffic());
    }

    private static ServerStatus status() {
        return new ServerStatus(
                2,
                6,
                1,
                false,
                4,
                List.of(
                        new ServerStatus.OfProcess(0, ServerStatus.State.CONNECTED, 2, 7, 9),
                        new ServerStatus.OfProcess(1, ServerStatus.State.AWAY, 2, 6, 8)),
                List.of(new ServerStatus.OfTable("a", "dense", 10, 3), new ServerStatus.OfTable("b", "sparse", 2, 5)),
                new Statistics.Traffic(1, 2, 3, 4));
    }
}

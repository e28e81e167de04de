package io.leeway.pipelining.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.pipelining.AutoPipelining;
import io.leeway.pipelining.PipelineDecision.Outcome;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.spi.PipelineHost;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

class ReactorPipelineTest {

    @BeforeEach
    void install() {
        ReactorPipeline.install();
    }

    @AfterEach
    void uninstall() {
        ReactorPipeline.uninstall();
    }

    @Test
    void keepsOrderAndContentWhilePortsComeAndGoAtRandom() throws Exception {
        var random = Seeds.random("reactor");
        int elements = Depth.of(100_000, 5_000_000);
        long expected = digest(flux(elements, false));
        for (boolean bounded : new boolean[] {false, true}) {
            var pipeline = new ReactorPipeline("numbers", PipeliningOptions.of(Map.of("pipelining.queue", "16")));
            var chaos = new Chaos(pipeline.host(), random);
            long found;
            try (chaos) {
                found = digest(flux(elements, bounded).contextWrite(pipeline.context()));
            }

            assertThat(found).isEqualTo(expected);
            assertThat(chaos.inserted).hasPositiveValue();
        }
    }

    @Test
    void passesErrorsOnInOrder() throws Exception {
        var pipeline = new ReactorPipeline("numbers", PipeliningOptions.defaults());
        try (var chaos = new Chaos(pipeline.host(), Seeds.random("errors"))) {
            Flux<Long> failing = flux(50_000, false)
                    .map(number -> {
                        if (number % 7_919 == 7) {
                            throw new IllegalArgumentException("what a user's code throws");
                        }
                        return number;
                    })
                    .contextWrite(pipeline.context());

            assertThatThrownBy(failing::blockLast).isInstanceOf(IllegalArgumentException.class);
            assertThat(chaos).isNotNull();
        }
    }

    @Test
    void runsOnWhereElementsAreEmittedUnderALockThatALaterOperatorTakes() {
        var options = PipeliningOptions.of(Map.of(
                "pipelining.queue", "4",
                "pipelining.start.delay", "0s",
                "pipelining.fixed", "map",
                "pipelining.watch.period", "10ms",
                "pipelining.profile.period", "10ms"));
        var pipeline = new ReactorPipeline("numbers", options);
        var shared = new ReentrantLock();
        var inPort = new AtomicInteger();
        var outOfOrder = new AtomicInteger();
        var expected = new AtomicLong();
        try (var keeper = AutoPipelining.start(pipeline.host(), options)) {
            Flux.<Long>create(sink -> {
                        for (long next = 0; inPort.get() < 400; next += 16) {
                            shared.lock();
                            try {
                                for (int i = 0; i < 16; i++) {
                                    sink.next(next + i);
                                }
                            } finally {
                                shared.unlock();
                            }
                        }
                        sink.complete();
                    })
                    .map(number -> {
                        shared.lock();
                        try {
                            if (Thread.currentThread().getName().startsWith("pipelining-")) {
                                inPort.incrementAndGet();
                            }
                            return number;
                        } finally {
                            shared.unlock();
                        }
                    })
                    .doOnNext(number -> {
                        if (number != expected.getAndIncrement()) {
                            outOfOrder.incrementAndGet();
                        }
                    })
                    .subscribeOn(Schedulers.boundedElastic(), false)
                    .contextWrite(pipeline.context())
                    .blockLast(Duration.ofSeconds(60));

            assertThat(keeper.failure()).isNull();
        }
        assertThat(outOfOrder).hasValue(0);
        assertThat(expected.get() % 16).isZero();
    }

    @Test
    void leavesSubscriptionsAloneThatCarryNoPipeline() {
        var pipeline = new ReactorPipeline("numbers", PipeliningOptions.defaults());

        digest(flux(100, false));

        assertThat(pipeline.host().graph().operators()).isEmpty();
    }

    @Test
    void seesTheOperatorsOfASubscription() {
        var pipeline = new ReactorPipeline("numbers", PipeliningOptions.of(Map.of("pipelining.observe", "true")));

        Flux<Long> flux = flux(100, false)
                .doOnNext(number ->
                        assertThat(pipeline.host().graph().operators().size()).isGreaterThan(4));

        assertThat(digest(flux.contextWrite(pipeline.context()))).isEqualTo(digest(flux(100, false)));
    }

    @Test
    void isKeptByTheController() throws Exception {
        var options = PipeliningOptions.of(Map.of(
                "pipelining.start.delay", "0s",
                "pipelining.profile.period", "200ms",
                "pipelining.evaluate.period", "100ms",
                "pipelining.busy", "0.01",
                "pipelining.threads", "8"));
        var pipeline = new ReactorPipeline("numbers", options);
        try (var keeper = AutoPipelining.start(pipeline.host(), options)) {
            Flux.generate(sink -> sink.next(1L))
                    .map(number -> burn((Long) number, 5_000))
                    .map(number -> burn(number, 5_000))
                    .takeWhile(number -> keeper.status().decisions().isEmpty())
                    .contextWrite(pipeline.context())
                    .blockLast();

            assertThat(keeper.status().decisions().get(0).outcome())
                    .isIn(Outcome.KEPT, Outcome.REVERTED, Outcome.ABANDONED);
            assertThat(keeper.failure()).isNull();
        }
    }

    private static Flux<Long> flux(int elements, boolean bounded) {
        Flux<Long> flux = Flux.range(0, elements)
                .map(number -> number * 31L)
                .filter(number -> number % 3 != 0)
                .map(number -> burn(number, 20));
        if (bounded) {
            flux = flux.publishOn(Schedulers.single(), 32).limitRate(8);
        }
        return flux.flatMap(number -> Flux.just(number, number + 1), 1).map(number -> number ^ 0x55);
    }

    private static Long burn(Long number, int rounds) {
        long value = number;
        for (int i = 0; i < rounds; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        return value;
    }

    private static long digest(Flux<Long> flux) {
        Long digest =
                flux.reduce(7L, (before, number) -> before * 1_000_003 + number).block();
        return digest == null ? 0 : digest;
    }

    private static final class Chaos implements AutoCloseable {
        private final PipelineHost host;
        private final RandomGenerator random;
        private final Thread thread = new Thread(this::run);
        private volatile boolean closed;
        private final AtomicInteger inserted = new AtomicInteger();

        Chaos(PipelineHost host, RandomGenerator random) {
            this.host = host;
            this.random = random;
            thread.start();
        }

        private void run() {
            while (!closed) {
                var ports = new HashSet<Integer>();
                host.graph().operators().stream()
                        .filter(operator -> operator.mayBeThreaded() && random.nextBoolean())
                        .forEach(operator -> ports.add(operator.id()));
                try {
                    host.place(ports);
                } catch (InterruptedException e) {
                    return;
                }
                inserted.addAndGet(ports.size());
                java.util.concurrent.locks.LockSupport.parkNanos(random.nextInt(2_000_000));
            }
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }

    @Test
    void aPipelineWithoutTheHookSaysSo() {
        ReactorPipeline.uninstall();

        assertThatThrownBy(() -> new ReactorPipeline("numbers", PipeliningOptions.defaults()))
                .hasMessageContaining("PIPELINING-1402")
                .hasMessageContaining("ReactorPipeline.install()");
    }
}

package io.leeway.pipelining.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.ChainJob.Setting;
import io.leeway.pipelining.flink.ChainJob.Shape;
import io.leeway.pipelining.flink.internal.host.FlinkHost;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.async.AsyncFunction;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkFaultsTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    static Path directory;

    static FlinkCluster flink;

    private static volatile CountDownLatch entered = new CountDownLatch(1);

    private final FlinkHost host = new FlinkHost(PipeliningOptions.of(Map.of("pipelining.queue", "4")));

    @BeforeAll
    static void start() throws Exception {
        FlinkCluster.install();
        flink = FlinkCluster.start();
    }

    @AfterAll
    static void stop() throws Exception {
        flink.close();
    }

    @Test
    void goesOnFromASavepointThatWasTakenWithPortsIn() throws Exception {
        for (boolean rocksDb : new boolean[] {false, true}) {
            var setting = new Setting(Shape.SOURCE_CHAIN, true, false, rocksDb, Depth.of(6_000, 60_000), 20);
            Map<String, Long> expected = runToTheEnd(setting);
            long seed = Seeds.seed("savepoint " + rocksDb);
            JobGraph first = job(setting);
            String savepoint;
            try (var chaos = new FlinkCluster.Chaos(seed, 8)) {
                ChainJob.SEEN.set(0);
                flink.cluster.submitJob(first).get();
                await(() -> ChainJob.SEEN.get() > setting.records() / 2);
                savepoint = flink.cluster
                        .stopWithSavepoint(
                                first.getJobID(), directory.toUri().toString(), false, SavepointFormatType.CANONICAL)
                        .get();
                JobGraph second = job(setting);
                second.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
                flink.cluster.executeJobBlocking(second);

                assertThat(chaos.inserted).hasPositiveValue();
            }
            assertThat(new TreeMap<>(ChainJob.RESULTS)).isEqualTo(expected);
        }
    }

    @Test
    void failsTheJobWithTheOperatorsOwnExceptionThoughItIsBehindAPort() throws Exception {
        var env = environment();
        entered = new CountDownLatch(1);
        env.fromSequence(0, 1_000_000_000)
                .name("numbers")
                .map(new Pass())
                .name("pass")
                .map(new FailsWhenPorted())
                .name("fails")
                .sinkTo(new DiscardingSink<>());
        JobGraph graph = env.getStreamGraph().getJobGraph();
        flink.cluster.submitJob(graph).get();
        putBefore("fails");

        assertThatThrownBy(() -> flink.cluster
                        .requestJobResult(graph.getJobID())
                        .get()
                        .toJobExecutionResult(getClass().getClassLoader()))
                .hasStackTraceContaining("what a user's code throws");
        assertThat(portThreads()).isEmpty();
    }

    @Test
    void cancelsAJobWhosePortSleepsInUserCode() throws Exception {
        var env = environment();
        entered = new CountDownLatch(1);
        env.fromSequence(0, 1_000_000_000)
                .name("numbers")
                .map(new Pass())
                .name("pass")
                .map(new SleepsWhenPorted())
                .name("sleeps")
                .sinkTo(new DiscardingSink<>());
        JobGraph graph = env.getStreamGraph().getJobGraph();
        flink.cluster.submitJob(graph).get();
        putBefore("sleeps");
        assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

        // Another change is on its way, and can no longer be made: the task's thread waits for room.
        var late = new FlinkHost(PipeliningOptions.of(Map.of("pipelining.pause.limit", "50ms")));
        assertThatThrownBy(() -> late.place(Set.of()))
                .isInstanceOfSatisfying(
                        PipeliningException.class,
                        e -> assertThat(e.error()).isEqualTo(PipeliningError.PAUSE_TIMED_OUT));
        flink.cluster.cancelJob(graph.getJobID()).get();

        flink.cluster.requestJobResult(graph.getJobID()).get();
        assertThat(flink.cluster.getJobStatus(graph.getJobID()).get()).isEqualTo(JobStatus.CANCELED);
        assertThat(portThreads()).isEmpty();
    }

    @Test
    void runsOnWhereAFunctionCollectsUnderALockThatALaterOneTakes() throws Exception {
        var env = environment();
        TakesLock.IN_PORT.set(0);
        TakesLock.OUT_OF_ORDER.set(0);
        env.fromSequence(0, 1_000_000_000)
                .name("numbers")
                .flatMap(new CollectsLocked())
                .name("collects")
                .map(new TakesLock())
                .name("takes")
                .sinkTo(new DiscardingSink<>());
        JobGraph graph = env.getStreamGraph().getJobGraph();
        flink.cluster.submitJob(graph).get();
        try {
            putBefore("takes");
            await(() -> TakesLock.IN_PORT.get() > 20 * CollectsLocked.LENGTH);
            host.place(Set.of());
        } finally {
            flink.cluster.cancelJob(graph.getJobID()).get();
            flink.cluster.requestJobResult(graph.getJobID()).get();
        }

        assertThat(TakesLock.OUT_OF_ORDER).hasValue(0);
        assertThat(portThreads()).isEmpty();
    }

    @Test
    void leavesNoThreadBehindWhenJobsAreCancelledWhileThreadsComeAndGo() throws Exception {
        for (int round = 0; round < Depth.of(3, 60); round++) {
            var env = environment();
            env.fromSequence(0, 1_000_000_000)
                    .name("numbers")
                    .map(new Pass())
                    .name("pass")
                    .map(new Pass())
                    .name("again")
                    .sinkTo(new DiscardingSink<>());
            JobGraph graph = env.getStreamGraph().getJobGraph();
            flink.cluster.submitJob(graph).get();
            try (var chaos = new FlinkCluster.Chaos(Seeds.seed("cancelled " + round), 4)) {
                await(() -> chaos.inserted.get() > 0);
                flink.cluster.cancelJob(graph.getJobID()).get();
                flink.cluster.requestJobResult(graph.getJobID()).get();
            }

            assertThat(flink.cluster.getJobStatus(graph.getJobID()).get()).isEqualTo(JobStatus.CANCELED);
            assertThat(portThreads()).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("deprecation") // the old kind of source is what is tried
    void refusesWhatCannotBeMadeRightAndSaysWhy() throws Exception {
        var env = environment();
        var numbers = env.fromSequence(0, 1_000_000_000)
                .name("numbers")
                .map(new Pass())
                .name("before");
        AsyncDataStream.orderedWait(numbers, new AtOnce(), 60, TimeUnit.SECONDS, 10)
                .name("asynchronous")
                .map(new Pass())
                .name("after")
                .map(new ThreadBound())
                .name("thread-bound")
                .sinkTo(new DiscardingSink<>())
                .name("sink");
        env.addSource(new OldSource())
                .name("old")
                .map(new Pass())
                .name("after old")
                .sinkTo(new DiscardingSink<>());
        JobGraph graph = env.getStreamGraph().getJobGraph();
        flink.cluster.submitJob(graph).get();
        try {
            await(() -> refusals().keySet().containsAll(Set.of("asynchronous", "after old", "thread-bound")));
            Map<String, String> refusals = refusals();

            assertThat(refusals.get("asynchronous")).contains("asynchronous calls");
            assertThat(refusals.get("before"))
                    .as("its thread would run what follows")
                    .contains("asynchronous calls");
            assertThat(refusals.get("after old")).contains("old kind");
            assertThat(refusals.get("thread-bound")).contains("thread-local");
            Operator asynchronous = operator("asynchronous");
            assertThatThrownBy(() -> host.place(Set.of(asynchronous.id())))
                    .isInstanceOfSatisfying(
                            PipeliningException.class,
                            e -> assertThat(e.error()).isEqualTo(PipeliningError.PORT_REFUSED));
        } finally {
            flink.cluster.cancelJob(graph.getJobID()).get();
            flink.cluster.requestJobResult(graph.getJobID()).get();
        }
    }

    // Helpers.

    private void putBefore(String name) throws InterruptedException {
        await(() -> host.graph().operators().stream().anyMatch(o -> o.name().equals(name)));
        host.place(Set.of(operator(name).id()));
    }

    private Operator operator(String name) {
        return host.graph().operators().stream()
                .filter(operator -> operator.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, String> refusals() {
        var refusals = new TreeMap<String, String>();
        for (Operator operator : host.graph().operators()) {
            if (!operator.source() && !operator.mayBeThreaded()) {
                refusals.put(operator.name(), operator.refusal());
            }
        }
        return refusals;
    }

    private static List<String> portThreads() {
        var names = new ArrayList<String>();
        for (Thread thread : new HashSet<>(Thread.getAllStackTraces().keySet())) {
            if (thread.getName().startsWith("pipelining-")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static Map<String, Long> runToTheEnd(Setting setting) throws Exception {
        ChainJob.RESULTS.clear();
        ChainJob.FAILURES_LEFT.set(0);
        flink.cluster.executeJobBlocking(job(setting));
        return new TreeMap<>(ChainJob.RESULTS);
    }

    private static JobGraph job(Setting setting) {
        var env = StreamExecutionEnvironment.getExecutionEnvironment(ChainJob.configuration(setting, directory));
        ChainJob.build(env, setting);
        JobGraph graph = env.getStreamGraph().getJobGraph();
        graph.setJobID(JobID.generate());
        return graph;
    }

    private static StreamExecutionEnvironment environment() {
        var configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        var env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        return env;
    }

    private static void await(BooleanSupplier condition) {
        long limit = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(limit);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean inPort() {
        return Thread.currentThread().getName().startsWith("pipelining-");
    }

    private static final class Pass implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) {
            return number;
        }
    }

    private static final class FailsWhenPorted implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) {
            if (inPort()) {
                throw new IllegalArgumentException("what a user's code throws");
            }
            return number;
        }
    }

    private static final class SleepsWhenPorted implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) throws InterruptedException {
            if (inPort()) {
                entered.countDown();
                new CountDownLatch(1).await();
            }
            return number;
        }
    }

    private static final Object SHARED = new Object();

    /** Collects more under its lock than a queue holds. */
    private static final class CollectsLocked implements FlatMapFunction<Long, Long> {
        static final int LENGTH = 16;

        @Override
        public void flatMap(Long number, Collector<Long> output) {
            synchronized (SHARED) {
                for (int i = 0; i < LENGTH; i++) {
                    output.collect(number * LENGTH + i);
                }
            }
        }
    }

    private static final class TakesLock implements MapFunction<Long, Long> {
        static final AtomicLong IN_PORT = new AtomicLong();
        static final AtomicLong OUT_OF_ORDER = new AtomicLong();
        private long expected;

        @Override
        public Long map(Long number) {
            synchronized (SHARED) {
                if (number != expected++) {
                    OUT_OF_ORDER.incrementAndGet();
                }
                if (inPort()) {
                    IN_PORT.incrementAndGet();
                }
                return number;
            }
        }
    }

    private static final class ThreadBound implements MapFunction<Long, Long> {
        private static final ThreadLocal<Long> LAST = ThreadLocal.withInitial(() -> 0L);

        @Override
        public Long map(Long number) {
            LAST.set(number);
            return LAST.get();
        }
    }

    private static final class AtOnce implements AsyncFunction<Long, Long> {
        @Override
        public void asyncInvoke(Long number, ResultFuture<Long> result) {
            result.complete(List.of(number));
        }
    }

    @SuppressWarnings("deprecation")
    private static final class OldSource
            implements org.apache.flink.streaming.api.functions.source.legacy.SourceFunction<Long> {
        private volatile boolean running = true;

        @Override
        public void run(SourceContext<Long> context) {
            while (running) {
                synchronized (context.getCheckpointLock()) {
                    context.collect(1L);
                }
                LockSupport.parkNanos(100_000);
            }
        }

        @Override
        public void cancel() {
            running = false;
        }
    }
}

package io.leeway.pipelining.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class EveryPlacementTest {

    @Test
    void givesWhatTheSequentialRunGivesWhilePortsComeAndGoAtRandom() throws Exception {
        var random = Seeds.random("placements");
        long tuples = Depth.of(30_000, 100_000);
        int changed = 0;
        for (int round = 0; round < Depth.of(10, 600); round++) {
            long seed = random.nextLong();
            Map<String, Long> expected = run(new RandomGraphs(new Random(seed), tuples), List.of(), null, 256);

            var graphs = new RandomGraphs(new Random(seed), tuples);
            var placements = new Random(seed);
            changed += runWithChanges(graphs, placements);

            assertThat(graphs.recorded()).as("graph of seed %s", seed).isEqualTo(expected);
            assertThat(graphs.violations)
                    .as("threads that met in a stateful operator, seed %s", seed)
                    .hasValue(0);
        }
        assertThat(changed).isPositive();
    }

    @Test
    void givesWhatTheSequentialRunGivesForEveryAllowedPlacementOfAGraph() throws Exception {
        var random = Seeds.random("all placements");
        for (int round = 0; round < Depth.of(2, 100); round++) {
            long seed = random.nextLong();
            Map<String, Long> expected = run(new RandomGraphs(new Random(seed), 300), List.of(), null, 256);
            int operators = new RandomGraphs(new Random(seed), 1)
                    .graph
                    .describe()
                    .operators()
                    .size();
            for (int set = 0; set < 1 << Math.min(operators, 7); set++) {
                var graphs = new RandomGraphs(new Random(seed), 300);
                var ports = new HashSet<Integer>();
                for (int id = 0; id < operators; id++) {
                    if ((set >> id & 1) == 1) {
                        ports.add(id);
                    }
                }
                assertThat(run(graphs, List.of(ports), null, 4))
                        .as("seed %s, ports %s", seed, ports)
                        .isEqualTo(expected);
                assertThat(graphs.violations).hasValue(0);
            }
        }
    }

    @Test
    void keepsWhatWaitsInTheSmallestQueueWhenItGetsAnotherProducer() throws Exception {
        var sent = new AtomicLong();
        var received = new AtomicLong();
        var graph = new OperatorGraph();
        var source = graph.source("fast", output -> {
            output.submit(sent.incrementAndGet());
            return true;
        });
        var other = graph.operator("other way", (input, tuple, output) -> output.submit(tuple));
        // Slower than the source, so that its queue is full whenever the flow stops.
        var slow = graph.operator("slow", (input, tuple, output) -> {
            received.incrementAndGet();
            LockSupport.parkNanos(3_000_000);
        });
        slow.anyOrderBetweenInputs();
        graph.connect(source, slow);
        graph.connect(source, other);
        graph.connect(other, 0, slow, 1);
        int changed = 0;
        try (RunningGraph running = graph.start(options(2))) {
            for (int round = 0; round < 20; round++) {
                place(running, Set.of(slow.id()));
                changed += place(running, Set.of(slow.id(), other.id())) ? 1 : 0;
            }
            running.stop();
            running.join();
        }
        assertThat(changed).isEqualTo(20);
        assertThat(received).hasValue(2 * sent.get());
    }

    @Test
    void leavesNothingBehindInPortsThatGoAtOnceAgain() throws Exception {
        var sent = new AtomicLong();
        var last = new AtomicLong();
        var gaps = new AtomicLong();
        var graph = new OperatorGraph();
        // A few tuples, then a breath: so ports look into empty queues as the next tuples come.
        var source = graph.source("bursts", output -> {
            long next = sent.get() + 1;
            output.submit(next);
            sent.set(next);
            if (next % 3 == 0) {
                LockSupport.parkNanos(10_000);
            }
            return true;
        });
        var operator = graph.operator("order", (input, tuple, output) -> {
            if (!tuple.equals(last.get() + 1)) {
                gaps.incrementAndGet();
            }
            last.set((Long) tuple);
        });
        graph.connect(source, operator);
        // Others on the same processors, so that threads are taken off between any two steps of theirs.
        var over = new AtomicBoolean();
        for (int other = 0; other < 2 * Runtime.getRuntime().availableProcessors(); other++) {
            var busy = new Thread(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
            busy.setDaemon(true);
            busy.start();
        }
        try (RunningGraph running = graph.start(options(64))) {
            for (int round = 0; round < Depth.of(2_000, 50_000); round++) {
                place(running, round % 2 == 0 ? Set.of(operator.id()) : Set.of());
            }
            running.stop();
            running.join();
        } finally {
            over.set(true);
        }
        assertThat(gaps).as("tuples lost, doubled or out of order").hasValue(0);
        assertThat(last).hasValue(sent.get());
    }

    private static Map<String, Long> run(RandomGraphs graphs, List<Set<Integer>> placements, Random unused, int queue)
            throws InterruptedException {
        try (RunningGraph running = graphs.graph.start(options(queue))) {
            for (Set<Integer> ports : placements) {
                place(running, ports);
            }
            running.join();
        }
        return graphs.recorded();
    }

    private static int runWithChanges(RandomGraphs graphs, Random random) throws InterruptedException {
        int changed = 0;
        try (RunningGraph running = graphs.graph.start(options(random.nextBoolean() ? 2 : 64))) {
            var ids = new ArrayList<Integer>();
            for (Operator operator : graphs.graph.describe().operators()) {
                ids.add(operator.id());
            }
            while (running.host().isRunning()) {
                var ports = new HashSet<Integer>();
                for (int id : ids) {
                    if (random.nextInt(3) == 0) {
                        ports.add(id);
                    }
                }
                changed += place(running, ports) ? 1 : 0;
                LockSupport.parkNanos(random.nextInt(2_000_000));
            }
            running.join();
        }
        return changed;
    }

    /** Whether it was made; a refusal is checked to be one of placements. */
    private static boolean place(RunningGraph running, Set<Integer> ports) throws InterruptedException {
        try {
            return running.place(ports) > 0;
        } catch (PipeliningException e) {
            assertThat(e.error()).isIn(PipeliningError.PORT_REFUSED, PipeliningError.PAUSE_TIMED_OUT);
            return false;
        }
    }

    private static PipeliningOptions options(int queue) {
        return PipeliningOptions.of(Map.of("pipelining.queue", Integer.toString(queue)));
    }
}

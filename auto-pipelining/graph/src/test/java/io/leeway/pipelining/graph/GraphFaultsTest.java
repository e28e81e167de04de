package io.leeway.pipelining.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.pipelining.PipeliningError;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class GraphFaultsTest {

    private static final PipeliningOptions OPTIONS =
            PipeliningOptions.of(Map.of("pipelining.queue", "4", "pipelining.pause.limit", "100ms"));

    private final OperatorGraph graph = new OperatorGraph();
    private final OperatorGraph.Vertex source = graph.source("numbers", endless());

    private static TupleSource endless() {
        var next = new AtomicInteger();
        return output -> {
            output.submit(next.getAndIncrement());
            return true;
        };
    }

    @Test
    void failsWithTheOperatorsOwnExceptionAndStopsEverybody() throws Exception {
        for (boolean ported : new boolean[] {false, true}) {
            var failing = new OperatorGraph();
            var numbers = failing.source("numbers", endless());
            var thrower = failing.operator("thrower", (input, tuple, output) -> {
                if (tuple.equals(1_000)) {
                    throw new java.io.IOException("what a user's code throws");
                }
            });
            failing.connect(numbers, thrower);
            try (RunningGraph running = failing.start(OPTIONS)) {
                if (ported) {
                    tryToPlace(running, Set.of(thrower.id()));
                }

                assertThatThrownBy(running::join)
                        .isInstanceOfSatisfying(
                                PipeliningException.class,
                                e -> assertThat(e.error()).isEqualTo(PipeliningError.OPERATOR_FAILED))
                        .hasRootCauseInstanceOf(java.io.IOException.class);
            }
        }
    }

    @Test
    void failsWhenAThreadOfAPortDiesInTheMiddleOfATuple() throws Exception {
        var dying = new OperatorGraph();
        var numbers = dying.source("numbers", endless());
        var pass = dying.operator("pass", (input, tuple, output) -> output.submit(tuple));
        var dies = dying.operator("dies", (input, tuple, output) -> {
            if (Thread.currentThread().getName().startsWith("pipelining-port")) {
                throw new LinkageError("what ends a thread");
            }
        });
        dying.connect(numbers, pass).connect(pass, dies);
        try (RunningGraph running = dying.start(OPTIONS)) {
            tryToPlace(running, Set.of(dies.id()));

            assertThatThrownBy(running::join)
                    .isInstanceOf(PipeliningException.class)
                    .hasRootCauseInstanceOf(LinkageError.class);
        }
    }

    @Test
    void givesAChangeUpWhereAnOperatorBlocksAndMakesItLater() throws Exception {
        var entered = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        var seen = new ArrayList<Object>();
        var pass = graph.operator("pass", (input, tuple, output) -> output.submit(tuple));
        var blocked = graph.operator("blocked", (input, tuple, output) -> {
                    entered.countDown();
                    open.await();
                    seen.add(tuple);
                })
                .stateful();
        graph.connect(source, pass).connect(pass, blocked);
        try (RunningGraph running = graph.start(OPTIONS)) {
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> running.place(Set.of(pass.id())))
                    .isInstanceOfSatisfying(
                            PipeliningException.class,
                            e -> assertThat(e.error()).isEqualTo(PipeliningError.PAUSE_TIMED_OUT));
            assertThat(running.host().ports()).isEmpty();
            open.countDown();

            placeAtLast(running, Set.of(pass.id()));
            assertThat(running.host().ports()).containsExactly(pass.id());
            await(() -> running.host().processed().get(blocked.id()) > 1_000);
            running.stop();
            running.join();
        }
        assertInOrder(seen);
    }

    @Test
    void keepsAPortWhoseOperatorBlocksWhenItIsToGo() throws Exception {
        var entered = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        var seen = new ArrayList<Object>();
        var pass = graph.operator("pass", (input, tuple, output) -> output.submit(tuple));
        var blocked = graph.operator("blocked", (input, tuple, output) -> {
                    if (Thread.currentThread().getName().contains("port")) {
                        entered.countDown();
                        open.await();
                    }
                    seen.add(tuple);
                })
                .stateful();
        graph.connect(source, pass).connect(pass, blocked);
        try (RunningGraph running = graph.start(OPTIONS)) {
            placeAtLast(running, Set.of(pass.id(), blocked.id()));
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> running.place(Set.of())).isInstanceOf(PipeliningException.class);
            open.countDown();

            placeAtLast(running, Set.of());
            await(() -> running.host().processed().get(blocked.id()) > 1_000);
            running.stop();
            running.join();
        }
        assertInOrder(seen);
    }

    @Test
    void endsAtOnceWhenItIsClosedWhileAllWait() throws Exception {
        var entered = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var blocked = graph.operator("blocked", (input, tuple, output) -> {
            entered.countDown();
            never.await();
        });
        graph.connect(source, blocked);
        RunningGraph running = graph.start(OPTIONS);
        assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
        running.close();

        assertThat(running.host().isRunning()).isFalse();
    }

    @Test
    void waitsAtTheEndForWhatIsInQueuesHoweverLongItTakes() throws Exception {
        var open = new CountDownLatch(1);
        var placed = new CountDownLatch(1);
        var seen = new ArrayList<Object>();
        var ending = new OperatorGraph();
        var left = new AtomicInteger(3);
        var numbers = ending.source("numbers", output -> {
            if (placed.getCount() > 0) {
                return true;
            }
            output.submit(3 - left.get());
            return left.decrementAndGet() > 0;
        });
        var slow = ending.operator("slow", (input, tuple, output) -> {
                    open.await();
                    seen.add(tuple);
                })
                .stateful();
        ending.connect(numbers, slow);
        var impatient = PipeliningOptions.of(Map.of("pipelining.queue", "16", "pipelining.pause.limit", "1ms"));
        try (RunningGraph running = ending.start(impatient)) {
            placeAtLast(running, Set.of(slow.id()));
            placed.countDown();
            await(() -> left.get() == 0);
            for (int i = 0; i < 200; i++) {
                // Long enough for the end to have been tried many times; that it still runs is what matters.
                LockSupport.parkNanos(1_000_000);
                assertThat(running.host().isRunning()).isTrue();
            }
            open.countDown();
            running.join();
        }
        assertThat(seen).containsExactly(0, 1, 2);
    }

    @Test
    void runsOnWhereAnOperatorSubmitsUnderALockThatALaterOneTakes() throws Exception {
        for (boolean next : new boolean[] {true, false}) {
            var shared = new ReentrantLock();
            var seen = new ArrayList<Object>();
            var locking = new OperatorGraph();
            var bursts = locking.source("bursts", new Bursts());
            var holder = locking.operator("holder", (input, tuple, output) -> {
                shared.lock();
                try {
                    for (int i = 0; i < Bursts.LENGTH; i++) {
                        output.submit((Integer) tuple * Bursts.LENGTH + i);
                    }
                } finally {
                    shared.unlock();
                }
            });
            var between = locking.operator("between", (input, tuple, output) -> output.submit(tuple));
            var taker = locking.operator("taker", (input, tuple, output) -> {
                        shared.lock();
                        try {
                            seen.add(tuple);
                        } finally {
                            shared.unlock();
                        }
                    })
                    .stateful();
            locking.connect(bursts, holder).connect(holder, between).connect(between, taker);
            try (RunningGraph running = locking.start(OPTIONS)) {
                placeAtLast(running, next ? Set.of(taker.id()) : Set.of(between.id(), taker.id()));
                await(() -> running.host().processed().get(taker.id()) > 20 * Bursts.LENGTH);
                placeAtLast(running, Set.of());
                placeAtLast(running, Set.of(between.id()));
                running.stop();
                running.join();
            }
            assertThat(seen).hasSizeGreaterThan(20 * Bursts.LENGTH);
            assertInOrder(seen);
        }
    }

    /** What makes a tuple a call, of which an operator makes more than a queue holds. */
    private static final class Bursts implements TupleSource {
        static final int LENGTH = 16;
        private int made;

        @Override
        public boolean next(TupleOutput output) {
            output.submit(made++);
            return true;
        }
    }

    @Test
    void keepsAnInterruptForTheOperatorsWhileItWaitsInsteadOfSpinningForIt() throws Exception {
        var quiet = new AtomicBoolean();
        var inPort = new AtomicReference<Thread>();
        var foundAgain = new AtomicBoolean();
        var pausing = new OperatorGraph();
        var numbers = pausing.source("numbers", output -> {
            if (quiet.get()) {
                LockSupport.parkNanos(1_000_000);
            } else {
                output.submit(1);
            }
            return true;
        });
        var leaves = pausing.operator("leaves", (input, tuple, output) -> {
            if (Thread.currentThread().getName().contains("port")) {
                foundAgain.compareAndSet(false, Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
                inPort.set(Thread.currentThread());
            }
        });
        pausing.connect(numbers, leaves);
        try (RunningGraph running = pausing.start(OPTIONS)) {
            placeAtLast(running, Set.of(leaves.id()));
            await(() -> inPort.get() != null);
            quiet.set(true);
            await(() -> !inPort.get().isInterrupted());

            foundAgain.set(false);
            quiet.set(false);
            await(foundAgain::get);
        }
    }

    @Test
    void canBeClosedByAnOperator() throws Exception {
        var running = new AtomicReference<RunningGraph>();
        var known = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        var closing = graph.operator("closing", (input, tuple, output) -> {
            known.await();
            running.get().close();
            closed.countDown();
        });
        graph.connect(source, closing);
        running.set(graph.start(OPTIONS));
        known.countDown();

        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(running.get().host().isRunning()).isFalse();
    }

    @Test
    void refusesTuplesOfForeignThreads() throws Exception {
        var thrown = new AtomicReference<Throwable>();
        var sink = graph.operator("sink", (input, tuple, output) -> {});
        var leak = graph.operator("leak", (input, tuple, output) -> {
            var foreign = new Thread(() -> output.submit(tuple));
            foreign.setUncaughtExceptionHandler((thread, e) -> thrown.set(e));
            foreign.start();
            foreign.join();
        });
        graph.connect(source, leak).connect(leak, sink);
        try (RunningGraph running = graph.start(OPTIONS)) {
            await(() -> thrown.get() != null);
        }

        assertThat(thrown.get())
                .isInstanceOfSatisfying(
                        PipeliningException.class,
                        e -> assertThat(e.error()).isEqualTo(PipeliningError.FOREIGN_THREAD));
    }

    @Test
    void refusesPortsInCyclesAndRunsTheCycle() throws Exception {
        var seen = new AtomicInteger();
        var in = graph.operator("in", (input, tuple, output) -> output.submit(tuple))
                .stateful();
        var round = graph.operator("round", (input, tuple, output) -> {
                    int left = (Integer) tuple;
                    seen.incrementAndGet();
                    if (left % 3 != 0) {
                        output.submit(0, left - left % 3);
                    } else {
                        output.submit(1, left);
                    }
                })
                .stateful();
        var out = graph.operator("out", (input, tuple, output) -> {}).stateful();
        graph.connect(source, in).connect(in, round).connect(round, 0, in, 1).connect(round, 1, out, 0);
        in.anyOrderBetweenInputs();
        try (RunningGraph running = graph.start(OPTIONS)) {
            for (var inside : List.of(in, round)) {
                assertThatThrownBy(() -> running.place(Set.of(inside.id())))
                        .isInstanceOfSatisfying(PipeliningException.class, e -> {
                            assertThat(e.error()).isEqualTo(PipeliningError.PORT_REFUSED);
                            assertThat(e).hasMessageContaining("cycle");
                        });
            }
            placeAtLast(running, Set.of(out.id()));
            await(() -> seen.get() > 10_000);
            running.stop();
            running.join();
        }
    }

    @Test
    void finishesOperatorsAfterThoseThatFeedThem() throws Exception {
        var order = new ArrayList<String>();
        var last = graph.operator("last", new Finisher("last", order)).stateful();
        var first = graph.operator("first", new Finisher("first", order)).stateful();
        graph.connect(source, first).connect(first, last);
        try (RunningGraph running = graph.start(OPTIONS)) {
            placeAtLast(running, Set.of(first.id(), last.id()));
            running.stop();
            running.join();
        }

        assertThat(order).containsExactly("first finishes", "last takes from first", "last finishes");
    }

    private record Finisher(String name, List<String> order) implements TupleOperator {
        @Override
        public void process(int input, Object tuple, TupleOutput output) {
            if (tuple instanceof String from) {
                order.add(name + " takes from " + from);
            } else {
                output.submit(tuple);
            }
        }

        @Override
        public void finish(TupleOutput output) {
            order.add(name + " finishes");
            output.submit(name);
        }
    }

    private static void assertInOrder(List<Object> seen) {
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(i);
        }
    }

    private static boolean tryToPlace(RunningGraph running, Set<Integer> ports) throws InterruptedException {
        try {
            running.place(ports);
            return true;
        } catch (PipeliningException e) {
            assertThat(e.error()).isEqualTo(PipeliningError.PAUSE_TIMED_OUT);
            return false;
        }
    }

    private static void placeAtLast(RunningGraph running, Set<Integer> ports) {
        await(() -> {
            try {
                return tryToPlace(running, ports);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void await(BooleanSupplier condition) {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(limit);
            LockSupport.parkNanos(1_000_000);
        }
    }
}

package io.leeway.netsim.internal.training;

import io.leeway.netsim.internal.sim.Rng;

/**
 * One iteration of synchronous training: distribution, forward pass, backward pass, aggregation.
 *
 * <p>With parameter servers the forward pass goes on as parameters arrive, a worker starts its backward pass when its
 * forward pass is complete, and the iteration ends when the servers have everything. Host schemes begin with the forward
 * pass and end when every worker has every sum. Not thread-safe.
 */
public final class Iteration {

    private final Model model;
    private final Cluster cluster;
    private final Mechanism mechanism;
    private final Star star;
    private final int[] everyWorker;
    private final double[] slowness;

    private double firstBackward = Double.MAX_VALUE;
    private double lastBackward;
    private double end;

    private Iteration(Model model, Cluster cluster, Mechanism mechanism) {
        this.model = model;
        this.cluster = cluster;
        this.mechanism = mechanism;
        star = new Star(cluster.workers() + cluster.servers(), cluster.rate(), cluster.latency(), cluster.segment());
        everyWorker = new int[cluster.workers()];
        slowness = new double[cluster.workers()];
        Rng rng = new Rng(cluster.seed());
        for (int worker = 0; worker < everyWorker.length; worker++) {
            everyWorker[worker] = worker;
            slowness[worker] = Math.exp(cluster.jitter() * rng.nextGaussian());
        }
    }

    /** Simulates one. */
    public static Result run(Model model, Cluster cluster, Mechanism mechanism) {
        if (mechanism == Mechanism.BUTTERFLY && Integer.bitCount(cluster.workers()) != 1) {
            throw new IllegalArgumentException(
                    "butterfly mixing needs a power of two of workers, not " + cluster.workers());
        }
        Iteration iteration = new Iteration(model, cluster, mechanism);
        if (mechanism.hasServers()) {
            return iteration.withServers();
        }
        iteration.computeAll();
        iteration.star.run();
        return iteration.result(iteration.end, Math.max(0, iteration.lastBackward - iteration.firstBackward), 0);
    }

    /** Without a barrier iterations overlap: two of them are measured, from the first parameter that is complete on. */
    private Result withServers() {
        int iterations = cluster.barrier() ? 1 : 3;
        ServerRun run = new ServerRun(model, cluster, mechanism, star, slowness, iterations);
        run.start();
        star.run();
        double seconds = cluster.barrier() ? run.end() : (run.firstComplete(2) - run.firstComplete(0)) / 2;
        return result(seconds, run.staggering(), run.mostSwitchBits());
    }

    private Result result(double seconds, double staggering, long switchBits) {
        return new Result(seconds, staggering, switchBits, star.bitsUp(), star.bitsDown(), star.events());
    }

    /**
     * What an iteration came to.
     *
     * @param seconds its time
     * @param staggering between the first and the last worker that starts its backward pass, in seconds
     * @param switchBits the most that an aggregating switch held
     * @param bitsUp bits that hosts sent
     * @param bitsDown bits that hosts received
     * @param events events handled
     */
    public record Result(double seconds, double staggering, long switchBits, long bitsUp, long bitsDown, long events) {}

    /** A worker's gradients appear, from the last tensor to the first. */
    private void backward(int worker) {
        firstBackward = Math.min(firstBackward, star.seconds());
        lastBackward = Math.max(lastBackward, star.seconds());
        double at = 0;
        for (int tensor = model.tensors().size() - 1; tensor >= 0; tensor--) {
            at += model.tensors().get(tensor).backwardNanos() / 1e9 * slowness[worker];
            int computed = tensor;
            star.after(at, () -> gradient(worker, computed));
        }
    }

    private void gradient(int worker, int tensor) {
        switch (mechanism) {
            case BUTTERFLY -> butterfly(worker, tensor);
            default -> ring(worker, tensor);
        }
    }

    private void computeAll() {
        for (int worker = 0; worker < cluster.workers(); worker++) {
            int number = worker;
            star.after(model.forward() * slowness[worker], () -> backward(number));
        }
    }

    private int chunks() {
        return cluster.messaging() ? cluster.workers() : 1;
    }

    /** Of each part of each tensor: which workers have their own gradient, and how far the sum has come. */
    private final class RingState {
        private final int tensors = model.tensors().size();
        private final boolean[][] computed = new boolean[tensors][cluster.workers()];
        /** The worker where the sum waits, 0 for the start; -1 while it is on the way. */
        private final int[][] waitsAt = new int[tensors][chunks()];

        private final int[][] steps = new int[tensors][chunks()];
        private long leftover = (long) tensors * chunks() * cluster.workers();

        RingState() {
            for (int tensor = 0; tensor < tensors; tensor++) {
                for (int chunk = 0; chunk < chunks(); chunk++) {
                    waitsAt[tensor][chunk] = start(tensor, chunk);
                }
            }
        }

        private int start(int tensor, int chunk) {
            return (cluster.messaging() ? chunk : tensor) % cluster.workers();
        }

        private void tell(long more) {
            leftover -= more;
            if (leftover == 0) {
                end = star.seconds();
            }
        }

        void advance(int tensor, int chunk) {
            int at = waitsAt[tensor][chunk];
            if (at < 0 || !computed[tensor][at]) {
                return;
            }
            waitsAt[tensor][chunk] = -1;
            pass(tensor, chunk, at);
        }

        private void pass(int tensor, int chunk, int at) {
            int workers = cluster.workers();
            int step = steps[tensor][chunk];
            long bits = Math.max(1, model.tensors().get(tensor).bits() / chunks());
            if (step >= workers - 1) {
                tell(1);
                if (step == workers - 1 && mechanism == Mechanism.RING_MULTICAST) {
                    int[] others = java.util.Arrays.stream(everyWorker)
                            .filter(other -> other != at)
                            .toArray();
                    star.send(at, others, bits, host -> tell(1));
                    return;
                }
                if (step == 2 * (workers - 1)) {
                    return;
                }
            }
            steps[tensor][chunk]++;
            star.send(at, new int[] {(at + 1) % workers}, bits, host -> {
                if (steps[tensor][chunk] >= workers) {
                    pass(tensor, chunk, host);
                } else {
                    waitsAt[tensor][chunk] = host;
                    advance(tensor, chunk);
                }
            });
        }
    }

    private @org.jspecify.annotations.Nullable RingState ringState;

    private void ring(int worker, int tensor) {
        RingState state = ringState == null ? new RingState() : ringState;
        ringState = state;
        state.computed[tensor][worker] = true;
        for (int chunk = 0; chunk < chunks(); chunk++) {
            if (state.waitsAt[tensor][chunk] == worker) {
                state.advance(tensor, chunk);
            }
        }
    }

    /** How many rounds of each tensor each worker has received, and is in. */
    private int[][] rounds = new int[0][];

    private int[][] heard = new int[0][];
    private long unmixed;

    private void butterfly(int worker, int tensor) {
        if (rounds.length == 0) {
            rounds = new int[model.tensors().size()][cluster.workers()];
            heard = new int[model.tensors().size()][cluster.workers()];
            for (int[] round : rounds) {
                java.util.Arrays.fill(round, -1);
            }
            unmixed = (long) model.tensors().size() * cluster.workers();
        }
        rounds[tensor][worker] = 0;
        exchange(worker, tensor);
    }

    private void exchange(int worker, int tensor) {
        int round = rounds[tensor][worker];
        int last = Integer.numberOfTrailingZeros(cluster.workers());
        if (round == last) {
            if (--unmixed == 0) {
                end = star.seconds();
            }
            return;
        }
        star.send(
                worker,
                new int[] {worker ^ 1 << round},
                model.tensors().get(tensor).bits(),
                partner -> {
                    heard[tensor][partner] |= 1 << round;
                    step(partner, tensor);
                });
        step(worker, tensor);
    }

    private void step(int worker, int tensor) {
        int round = rounds[tensor][worker];
        if (round >= 0 && (heard[tensor][worker] & 1 << round) != 0 && (1 << round) < cluster.workers()) {
            rounds[tensor][worker]++;
            exchange(worker, tensor);
        }
    }
}

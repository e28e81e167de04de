package io.leeway.netsim.internal.training;

import java.util.Arrays;
import java.util.List;

/**
 * Iterations with parameter servers: servers distribute, workers compute and send gradients, servers or switches add up.
 *
 * <p>A worker computes forward as parameters arrive, and begins its backward pass when its forward pass is complete. With
 * the barrier the servers distribute when they have everything; without it, each parameter as soon as they have that one,
 * and a worker begins the next forward pass when its backward pass is over. Not thread-safe.
 */
final class ServerRun {

    private final Model model;
    private final Cluster cluster;
    private final Mechanism mechanism;
    private final Star star;
    private final double[] slowness;
    private final int iterations;
    private final int tensors;
    private final int pieces;
    private final int[] everyWorker;
    private final Worker[] workers;
    /** Of each iteration and part of a tensor: how many workers' gradients have come. */
    private final int[][] counts;

    private final int[] left;
    private final double[] firstComplete;
    private final SwitchSums sums;

    private double firstBackward = Double.MAX_VALUE;
    private double lastBackward;
    private double end;

    ServerRun(Model model, Cluster cluster, Mechanism mechanism, Star star, double[] slowness, int iterations) {
        this.model = model;
        this.cluster = cluster;
        this.mechanism = mechanism;
        this.star = star;
        this.slowness = slowness.clone();
        this.iterations = iterations;
        tensors = model.tensors().size();
        pieces = cluster.evenSplit() ? cluster.servers() : 1;
        everyWorker = new int[cluster.workers()];
        workers = new Worker[cluster.workers()];
        for (int i = 0; i < workers.length; i++) {
            everyWorker[i] = i;
            workers[i] = new Worker(i);
        }
        counts = new int[iterations][tensors * pieces];
        left = new int[iterations];
        Arrays.fill(left, tensors * pieces);
        firstComplete = new double[iterations];
        Arrays.fill(firstComplete, -1);
        sums = new SwitchSums(cluster, star, iterations * tensors * pieces);
    }

    /** Begins: the servers have the parameters of the first iteration. */
    void start() {
        distribute(0);
    }

    /** When the last iteration was complete, in seconds. */
    double end() {
        return end;
    }

    /** When the first parameter of an iteration was complete, in seconds. */
    double firstComplete(int iteration) {
        return firstComplete[iteration];
    }

    double staggering() {
        return Math.max(0, lastBackward - firstBackward);
    }

    long mostSwitchBits() {
        return sums.most();
    }

    private int server(int tensor, int piece) {
        if (cluster.evenSplit()) {
            return cluster.workers() + piece;
        }
        List<Integer> placement = cluster.placement();
        return cluster.workers()
                + (placement.isEmpty() ? tensor % cluster.servers() : placement.get(tensor % placement.size()));
    }

    private long bits(int tensor) {
        return Math.max(1, model.tensors().get(tensor).bits() / pieces);
    }

    private void distribute(int iteration) {
        if (mechanism == Mechanism.BLOCK) {
            for (Worker worker : workers) {
                for (int tensor = 0; tensor < tensors; tensor++) {
                    for (int piece = 0; piece < pieces; piece++) {
                        give(iteration, tensor, piece, new int[] {worker.number});
                    }
                }
            }
            return;
        }
        for (int tensor = 0; tensor < tensors; tensor++) {
            for (int piece = 0; piece < pieces; piece++) {
                giveAll(iteration, tensor, piece);
            }
        }
    }

    private void giveAll(int iteration, int tensor, int piece) {
        if (mechanism.copiesInTheSwitch()) {
            give(iteration, tensor, piece, everyWorker);
            return;
        }
        for (int worker : everyWorker) {
            give(iteration, tensor, piece, new int[] {worker});
        }
    }

    private void give(int iteration, int tensor, int piece, int[] to) {
        star.send(server(tensor, piece), to, bits(tensor), host -> workers[host].received(iteration, tensor));
    }

    private void gradient(int iteration, int worker, int tensor) {
        for (int piece = 0; piece < pieces; piece++) {
            int part = piece;
            int server = server(tensor, piece);
            if (mechanism.addsInTheSwitch()) {
                int slot = (iteration * tensors + tensor) * pieces + piece;
                star.toSwitch(
                        worker,
                        bits(tensor),
                        (index, length, last) -> sums.add(
                                slot,
                                server,
                                bits(tensor),
                                index,
                                length,
                                last,
                                () -> complete(iteration, tensor, part)));
            } else {
                star.send(worker, new int[] {server}, bits(tensor), host -> {
                    if (++counts[iteration][tensor * pieces + part] == cluster.workers()) {
                        complete(iteration, tensor, part);
                    }
                });
            }
        }
    }

    /** The servers have the gradients of all workers for this part. */
    private void complete(int iteration, int tensor, int piece) {
        if (firstComplete[iteration] < 0) {
            firstComplete[iteration] = star.seconds();
        }
        boolean isLast = --left[iteration] == 0;
        if (isLast) {
            end = star.seconds();
        }
        if (iteration + 1 == iterations) {
            return;
        }
        if (!cluster.barrier()) {
            giveAll(iteration + 1, tensor, piece);
        } else if (isLast) {
            distribute(iteration + 1);
        }
    }

    private final class Worker {
        private final int number;
        private final int[][] missing;
        private int iteration;
        private int next;
        private boolean busy;

        Worker(int number) {
            this.number = number;
            missing = new int[iterations][tensors];
            for (int[] each : missing) {
                Arrays.fill(each, pieces);
            }
        }

        void received(int of, int tensor) {
            missing[of][tensor]--;
            forward();
        }

        private void forward() {
            if (busy || iteration == iterations) {
                return;
            }
            if (next == tensors) {
                backward();
            } else if (missing[iteration][next] == 0) {
                busy = true;
                star.after(model.tensors().get(next).forwardNanos() / 1e9 * slowness[number], () -> {
                    busy = false;
                    next++;
                    forward();
                });
            }
        }

        private void backward() {
            firstBackward = Math.min(firstBackward, star.seconds());
            lastBackward = Math.max(lastBackward, star.seconds());
            busy = true;
            int of = iteration;
            double at = 0;
            for (int tensor = tensors - 1; tensor >= 0; tensor--) {
                at += model.tensors().get(tensor).backwardNanos() / 1e9 * slowness[number];
                int computed = tensor;
                star.after(at, () -> gradient(of, number, computed));
            }
            star.after(at, () -> {
                busy = false;
                next = 0;
                iteration++;
                forward();
            });
        }
    }
}

package io.leeway.benchmarks.eppi;

import io.leeway.benchmarks.eppi.EppiBenchmark.Figures;
import io.leeway.benchmarks.results.Better;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.mpc.Links;
import io.leeway.eppi.internal.mpc.LocalLinks;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.mpc.SecureSelection;
import io.leeway.eppi.internal.simulate.Simulation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Figure 7 of ε-PPI §2.5: computation among coordinators only, against computation among all providers. */
final class Compute {

    private static final long LEAST_CPU = 300_000_000;
    private static final Policy POLICY = new Policy.Exact(0.9);

    /** CPU and elapsed seconds, and bytes that all parties sent. */
    private record Cost(double cpu, double seconds, long bytes) {}

    private Compute() {}

    static void run(Figures figures) throws Exception {
        // The compilers have seen everything before the first figure.
        reduced(Profile.FULL_THRESHOLD, 3, 64);
        pure(3, 64);
        reduced(Profile.HONEST_MAJORITY, 3, 64);
        for (int persons : new int[] {1, 10_000}) {
            for (int parties : new int[] {3, 6, 9}) {
                parties(figures, parties, persons);
            }
        }
        for (int parties : new int[] {3, 10, 20, 30, 40, 50, 60}) {
            ConstructionPlan plan = plan(parties, 64);
            figures.record(
                    "figure 7b, gates of one person, reduced, " + parties + " parties",
                    SecureSelection.gates(plan.lanes(), plan.ring(), 3) / 64.0,
                    "gates");
            figures.record(
                    "figure 7b, gates of one person, pure, " + parties + " parties",
                    SecureSelection.gatesPure(plan.lanes(), plan.ring(), parties) / 64.0,
                    "gates");
        }
        for (int persons : new int[] {1, 1_000, 10_000, 100_000}) {
            Cost here = reduced(Profile.HONEST_MAJORITY, 3, persons);
            figures.record("figure 7c, reduced, honest majority, " + persons + " persons", here.seconds, "s");
            Cost threshold = reduced(Profile.FULL_THRESHOLD, 3, persons);
            figures.record("figure 7c, reduced, full threshold, " + persons + " persons", threshold.seconds, "s");
            Cost pure = pure(3, persons);
            figures.record("figure 7c, pure, 3 parties, " + persons + " persons", pure.seconds, "s");
        }
        ConstructionPlan large = plan(6_000, 64_000);
        figures.record(
                "gates to count a person of 6000 providers, 3 coordinators",
                SecureSelection.gates(large.lanes(), large.ring(), 3) / 64_000.0,
                "gates",
                39.0,
                Better.LOWER,
                "");
    }

    private static void parties(Figures figures, int parties, int persons) throws Exception {
        Cost pure = pure(parties, persons);
        Cost majority = reduced(Profile.HONEST_MAJORITY, parties, persons);
        Cost threshold = reduced(Profile.FULL_THRESHOLD, parties, persons);
        String at = parties + " parties, " + persons + " persons";
        figures.record("figure 7a, pure, " + at, pure.seconds, "s");
        figures.record("figure 7a, pure, CPU, " + at, pure.cpu, "s");
        figures.record("figure 7a, reduced, honest majority, " + at, majority.seconds, "s");
        figures.record("figure 7a, reduced, honest majority, CPU, " + at, majority.cpu, "s");
        figures.record("figure 7a, reduced, full threshold, " + at, threshold.seconds, "s");
        figures.record("figure 7a, reduced, full threshold, CPU, " + at, threshold.cpu, "s");
        Double goal = parties == 9 ? 10.0 : null;
        figures.record(
                "pure over reduced, honest majority, CPU, " + at,
                pure.cpu / majority.cpu,
                "×",
                goal,
                Better.HIGHER,
                "");
        figures.record(
                "pure over reduced, full threshold, CPU, " + at,
                pure.cpu / threshold.cpu,
                "×",
                goal,
                Better.HIGHER,
                "");
        figures.record("bytes of all parties, pure, " + at, (double) pure.bytes, "B");
        figures.record("bytes of all parties, reduced, honest majority, " + at, (double) majority.bytes, "B");
        figures.record("bytes of all parties, reduced, full threshold, " + at, (double) threshold.bytes, "B");
    }

    private static ConstructionPlan plan(int providers, int persons) {
        double[] wishes = new double[persons];
        Arrays.fill(wishes, 0.5);
        return Simulation.plan(wishes, POLICY, providers);
    }

    private static List<BitSet> members(int providers, int persons) {
        var random = new Random(7);
        var all = new ArrayList<BitSet>();
        for (int p = 0; p < providers; p++) {
            var row = new BitSet(persons);
            for (int i = 0; i < persons; i++) {
                row.set(i, random.nextInt(4) == 0);
            }
            all.add(row);
        }
        return all;
    }

    /** Sharing, and the whole secure computation with its selection. */
    private static Cost reduced(Profile profile, int providers, int persons) {
        var simulation = new Simulation(plan(providers, persons), profile, 3, new byte[16], 0);
        List<BitSet> members = members(providers, persons);
        long[] bytes = new long[1];
        return measured(() -> bytes[0] = 3 * simulation.compute(members, 1).bytes(), bytes);
    }

    /** Only the count, which is all that the paper computes; every provider is a party. */
    private static Cost pure(int providers, int persons) {
        ConstructionPlan plan = plan(providers, persons);
        List<BitSet> members = members(providers, persons);
        long[] bytes = new long[1];
        return measured(
                () -> {
                    Links[] links = LocalLinks.all(providers);
                    var threads = Executors.newFixedThreadPool(providers);
                    try {
                        var parties = new ArrayList<Future<int[]>>();
                        for (int p = 0; p < providers; p++) {
                            byte[] seed = new byte[16];
                            seed[0] = (byte) p;
                            Links own = links[p];
                            int[] vector = plan.vector(members.get(p));
                            parties.add(threads.submit(
                                    () -> SecureSelection.joinPure(own, seed, plan.lanes(), plan.ring(), vector)
                                            .countCommon()));
                        }
                        for (Future<int[]> party : parties) {
                            party.get();
                        }
                        bytes[0] = Arrays.stream(links).mapToLong(Links::bytes).sum();
                    } finally {
                        threads.shutdownNow();
                    }
                },
                bytes);
    }

    private interface Work {
        void run() throws Exception;
    }

    /** Repeats what is short: the system counts CPU time in steps of 10 ms. */
    private static Cost measured(Work work, long[] bytes) {
        try {
            long cpu = processCpu();
            long begin = System.nanoTime();
            int runs = 0;
            while (runs == 0 || processCpu() - cpu < LEAST_CPU) {
                work.run();
                runs++;
            }
            return new Cost((processCpu() - cpu) / 1e9 / runs, (System.nanoTime() - begin) / 1e9 / runs, bytes[0]);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static long processCpu() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}

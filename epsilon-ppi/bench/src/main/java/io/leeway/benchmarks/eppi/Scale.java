package io.leeway.benchmarks.eppi;

import io.leeway.benchmarks.eppi.EppiBenchmark.Figures;
import io.leeway.benchmarks.results.Better;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.index.IndexBuilder;
import io.leeway.eppi.internal.index.IndexEntry;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.report.Report;
import io.leeway.eppi.internal.share.AesStream;
import io.leeway.eppi.internal.share.Ring;
import io.leeway.eppi.internal.simulate.Simulation;
import io.leeway.eppi.internal.simulate.Simulation.Computed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Ten thousand providers and a hundred thousand persons in one process: every step, and the index asked. */
final class Scale {

    private static final int PROVIDERS = 10_000;
    private static final int PERSONS = 100_000;
    private static final double[] WISHES = {0, 0.25, 0.5, 0.75, 0.9};
    private static final int COORDINATORS = 3;

    private Scale() {}

    static void run(Figures figures) {
        var random = new Random(9);
        double[] wishes = random.ints(PERSONS, 0, WISHES.length)
                .mapToDouble(i -> WISHES[i])
                .toArray();
        ConstructionPlan plan = Simulation.plan(wishes, new Policy.Exact(0.9), PROVIDERS);
        List<BitSet> members = members(random);
        var simulation = new Simulation(plan, Profile.HONEST_MAJORITY, COORDINATORS, new byte[16], 0);
        String at = PROVIDERS + " providers, " + PERSONS + " persons";
        long cpu = Compute.processCpu();
        long begin = System.nanoTime();
        Computed computed = simulation.compute(members, 1);
        double computing = since(begin);
        List<BitSet> rows = simulation.rows(members, computed.outcome());
        double publishing = since(begin) - computing;
        PpiIndex index = simulation.index(rows, computed.outcome());
        double all = since(begin);
        figures.record("construction, " + at, all, "s", 600.0, Better.LOWER, "");
        figures.record("construction, CPU, " + at, (Compute.processCpu() - cpu) / 1e9, "s");
        figures.record("construction, sharing and computing, " + at, computing, "s");
        figures.record("construction, rows, " + at, publishing, "s");
        figures.record("construction, index, " + at, all - computing - publishing, "s");
        figures.record("gates of a person, with selection, " + at, (double) computed.andGates() / PERSONS, "gates");
        figures.record("bytes of a coordinator in the secure computation, " + at, (double) computed.bytes(), "B");
        recall(figures, members, index, at);
        communication(figures, rows);
        queries(figures, index, random);
    }

    private static double since(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Most persons have a few holders; one in a thousand is common. */
    private static List<BitSet> members(Random random) {
        var rows = new ArrayList<BitSet>();
        for (int p = 0; p < PROVIDERS; p++) {
            rows.add(new BitSet(PERSONS));
        }
        for (int person = 0; person < PERSONS; person++) {
            int holders = person % 1_000 == 1 ? PROVIDERS * 19 / 20 : 1 + random.nextInt(12);
            for (int h = 0; h < holders; h++) {
                rows.get(holders > 100 ? h : random.nextInt(PROVIDERS)).set(person);
            }
        }
        return rows;
    }

    private static void recall(Figures figures, List<BitSet> members, PpiIndex index, String at) {
        long[] held = new long[1];
        long[] listed = new long[1];
        var lists = new BitSet[index.size()];
        long bytes = 0;
        for (int i = 0; i < lists.length; i++) {
            IndexEntry entry = index.entry(i);
            bytes += entry.bitmap().length;
            lists[i] = new BitSet(PROVIDERS);
            for (int provider : entry.listed()) {
                lists[i].set(provider);
            }
        }
        for (int p = 0; p < PROVIDERS; p++) {
            int provider = p;
            members.get(p).stream().forEach(person -> {
                held[0]++;
                listed[0] += lists[person].get(provider) ? 1 : 0;
            });
        }
        figures.record("recall, " + at, (double) listed[0] / held[0], "of memberships", 1.0, Better.HIGHER, "");
        figures.record("index, bytes of a list, " + at, (double) bytes / index.size(), "B");
        for (Report.OfClass each : Report.of(index).classes()) {
            if (each.epsilon() > 0) {
                figures.record(
                        "success, exact(0.9), wish " + each.epsilon() + ", " + at,
                        each.satisfied(),
                        "of lists",
                        0.88,
                        Better.HIGHER,
                        "");
            }
            figures.record("providers to ask, mean, wish " + each.epsilon() + ", " + at, each.meanCost(), "providers");
        }
    }

    /** What a provider sends: seeds, one vector, commitments and its row. */
    private static void communication(Figures figures, List<BitSet> rows) {
        for (int providers : new int[] {100, 10_000}) {
            for (int persons : new int[] {10_000, 100_000}) {
                long shares = (long) (COORDINATORS - 1) * AesStream.SEED_BYTES
                        + (long) persons * Ring.forProviders(providers).bytes();
                figures.record(
                        "bytes of a provider's shares, " + providers + " providers, " + persons + " persons",
                        (double) shares,
                        "B");
            }
        }
        double mean = rows.stream()
                .limit(200)
                .mapToInt(row -> IndexBuilder.encode(row).length)
                .average()
                .orElse(0);
        figures.record("bytes of a provider's row, " + PROVIDERS + " providers, " + PERSONS + " persons", mean, "B");
    }

    private static void queries(Figures figures, PpiIndex index, Random random) {
        int count = 20_000;
        long sum = 0;
        for (int round = 0; round < 3; round++) {
            long begin = System.nanoTime();
            for (int q = 0; q < count; q++) {
                int person = random.nextInt(PERSONS);
                int found = index.find(index.entry(person).token()).orElse(-1);
                sum += index.entry(found).listed().length + index.proof(found).size();
            }
            if (round == 2) {
                figures.record(
                        "query of the index with its proof",
                        (System.nanoTime() - begin) / 1e3 / count,
                        "µs",
                        1_000.0,
                        Better.LOWER,
                        "");
            }
        }
        if (sum == Outcome.EXACT) {
            throw new IllegalStateException("nothing was listed");
        }
    }
}

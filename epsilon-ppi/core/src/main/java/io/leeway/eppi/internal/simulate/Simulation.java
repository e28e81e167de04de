package io.leeway.eppi.internal.simulate;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.attack.Lists;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.IndexBuilder;
import io.leeway.eppi.internal.index.IndexHeader;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.mpc.Links;
import io.leeway.eppi.internal.mpc.LocalLinks;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.mpc.SecureSelection;
import io.leeway.eppi.internal.policy.Mixing;
import io.leeway.eppi.internal.publish.Noise;
import io.leeway.eppi.internal.share.AesStream;
import io.leeway.eppi.internal.share.SecSumShare;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * A construction in one process: the shares, the secure computation (coordinators are threads), the rows and the index are
 * those of real nodes; only connections and signatures are left out. One use for each construction.
 */
public final class Simulation {

    /**
     * What the coordinators found, and what it cost.
     *
     * @param outcome what is known of every person
     * @param mixing of each class
     * @param common how many of each class are common
     * @param andGates of the secure computation, 64 for each word
     * @param rounds of it
     * @param bytes that a coordinator sent in it, on average
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    public record Computed(
            Outcome outcome, List<Mixing> mixing, int[] common, long andGates, long rounds, long bytes) {}

    private final ConstructionPlan plan;
    private final Profile profile;
    private final int coordinators;
    private final byte[] secret;
    private final int hiddenBits;

    /**
     * A network.
     *
     * @param secret that all keys and seeds of this network are made from, 16 bytes
     */
    public Simulation(ConstructionPlan plan, Profile profile, int coordinators, byte[] secret, int hiddenBits) {
        this.plan = plan;
        this.profile = profile;
        this.coordinators = coordinators;
        this.secret = secret.clone();
        this.hiddenBits = hiddenBits;
    }

    /**
     * Providers share their memberships and coordinators compute.
     *
     * @param members for each provider the persons of whom it has records
     * @param run another number for every construction, of which the shares are made
     */
    public Computed compute(List<BitSet> members, int run) {
        int[][] sums = sums(members, run);
        Links[] links = LocalLinks.all(coordinators);
        byte[] tokens = plan.persons().encoded();
        ExecutorService threads = Executors.newFixedThreadPool(coordinators);
        try {
            var futures = new ArrayList<Future<Computed>>();
            for (int k = 0; k < coordinators; k++) {
                int me = k;
                futures.add(threads.submit(() -> coordinator(links[me], sums[me], tokens, run)));
            }
            return futures.get(0).get();
        } catch (ExecutionException e) {
            throw EppiException.of(Code.ABORTED, "a coordinator failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Computed coordinator(Links links, int[] sum, byte[] tokens, int run) {
        int me = links.party();
        var selection = SecureSelection.join(profile, links, key("compute", run, me), plan.lanes(), plan.ring(), sum);
        int[] common = selection.countCommon();
        List<Mixing> mixing = plan.mixing(common);
        // The coin of a person is the same in every construction.
        int[] coins = new Noise(key("coin", 0, me)).numbers(tokens, Mixing.MOST_BITS);
        var selected = selection.select(mixing, plan.lanesOf(coins), hiddenBits);
        Outcome outcome = plan.outcome(selected, hiddenBits);
        return new Computed(outcome, mixing, common, selection.andGates(), selection.rounds(), links.bytes());
    }

    /** Every provider's shares, added up at every coordinator; on all processors. */
    private int[][] sums(List<BitSet> members, int run) {
        int lanes = plan.lanes().lanes();
        var sums = new int[coordinators][lanes];
        IntStream.range(0, members.size()).parallel().forEach(provider -> {
            byte[][] seeds = new byte[coordinators - 1][];
            for (int k = 0; k < seeds.length; k++) {
                seeds[k] = key("share" + k, run, provider);
            }
            int[] last = SecSumShare.lastShare(plan.vector(members.get(provider)), plan.ring(), seeds);
            for (int k = 0; k < coordinators; k++) {
                int[] share = k < seeds.length ? SecSumShare.vector(seeds[k], plan.ring(), lanes) : last;
                synchronized (sums[k]) {
                    SecSumShare.add(sums[k], plan.ring(), share);
                }
            }
        });
        return sums;
    }

    /** The rows that providers publish. */
    public List<BitSet> rows(List<BitSet> members, Outcome outcome) {
        byte[] tokens = plan.persons().encoded();
        long[] limits = Noise.limits(outcome.probabilities(plan));
        return IntStream.range(0, members.size())
                .parallel()
                .mapToObj(provider -> new Noise(key("noise", 0, provider)).row(tokens, limits, members.get(provider)))
                .toList();
    }

    /** The index, without signatures. */
    public PpiIndex index(List<BitSet> rows, Outcome outcome) {
        List<String> names =
                IntStream.range(0, rows.size()).mapToObj(i -> "p" + i).toList();
        var header = new IndexHeader(
                "simulation", 1, new byte[32], new byte[32], plan.policy().text(), names);
        var builder = new IndexBuilder(header, plan.persons(), outcome);
        for (int i = 0; i < rows.size(); i++) {
            builder.add(i, rows.get(i), new byte[0]);
        }
        return builder.build();
    }

    /** Rows as a list for each person. */
    public static Lists lists(List<BitSet> rows, int persons) {
        var lists = new BitSet[persons];
        for (int i = 0; i < persons; i++) {
            lists[i] = new BitSet(rows.size());
        }
        for (int provider = 0; provider < rows.size(); provider++) {
            int number = provider;
            rows.get(provider).stream().forEach(person -> lists[person].set(number));
        }
        return new Lists(rows.size(), lists);
    }

    /** A plan for persons numbered from 0, whose tokens are in that order. */
    public static ConstructionPlan plan(double[] epsilons, Policy policy, int providers) {
        var persons = new java.util.HashMap<io.leeway.eppi.Token, Double>();
        for (int i = 0; i < epsilons.length; i++) {
            // The low half is spread, so that it is nothing that a test could rely on.
            persons.put(new io.leeway.eppi.Token(i, i * 0x9E3779B97F4A7C15L), epsilons[i]);
        }
        return ConstructionPlan.of(Persons.ofClasses(persons), policy, providers);
    }

    private byte[] key(String purpose, int run, int number) {
        byte[] digest = io.leeway.eppi.internal.index.Digests.of(
                "eppi-simulation",
                secret,
                purpose.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                io.leeway.eppi.internal.index.Digests.number(run),
                io.leeway.eppi.internal.index.Digests.number(number));
        return java.util.Arrays.copyOf(digest, AesStream.SEED_BYTES);
    }
}

package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.internal.policy.Mixing;
import io.leeway.eppi.internal.share.Ring;
import java.util.Arrays;
import java.util.List;

/**
 * What the coordinators compute together: CountBelow (ε-PPI §2.4.1), and the selection that the paper leaves out.
 *
 * <p>Model: the coordinators' sums of shares are added inside the computation. First the number of common persons of
 * each class is shown, and nothing else; from it everybody computes how many others have to be mixed with them. Then
 * every person gets a mark, if common or if a coin falls so, and shown are the marks, and the frequencies of those without
 * one. Nobody learns whether a marked person is common. The coin is the XOR of a number of each coordinator, so it is
 * random if one of them is honest.
 *
 * <p>Cost for each person, with c coordinators and frequencies of l bits: about c·(l−1) + 1 AND gates to count, and for
 * the selection l and one for each bit of the coin.
 */
public final class SecureSelection {

    /**
     * What is shown at the end, for each lane.
     *
     * @param marked whether the person is published everywhere
     * @param frequencies holders of those without mark, without their lowest bits if these are kept back; 0 for others
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    public record Selected(boolean[] marked, int[] frequencies) {}

    private final Engine engine;
    private final Circuits circuits;
    private final LanePlan plan;
    private final Ring ring;
    private final List<Wire> frequency;
    private final Wire common;

    private SecureSelection(Engine engine, LanePlan plan, Ring ring, Circuits circuits, Circuits.Compared compared) {
        this.engine = engine;
        this.plan = plan;
        this.ring = ring;
        this.circuits = circuits;
        this.frequency = compared.frequency();
        this.common = compared.common();
    }

    /**
     * Joins with an own sum of shares and compares the total with the thresholds; shows nothing.
     *
     * @param seed secret, of this computation only; 16 bytes
     * @param shares for every lane, 0 where there is no person
     */
    public static SecureSelection join(
            Profile profile, Links links, byte[] seed, LanePlan plan, Ring ring, int[] shares) {
        return join(engine(profile, links, seed, OtGroup.STANDARD), plan, ring, shares);
    }

    static SecureSelection join(Engine engine, LanePlan plan, Ring ring, int[] shares) {
        engine.prepare(expectedWords(plan, ring, engine.parties()));
        var circuits = new Circuits(engine, plan);
        List<List<Wire>> inputs = circuits.inputs(shares, ring.bits());
        return new SecureSelection(engine, plan, ring, circuits, circuits.addAndCompare(inputs, ring.bits()));
    }

    /**
     * The same with every provider as a party, whose memberships are the inputs: the generic way, to compare with.
     *
     * @param seed secret, of this computation only; 16 bytes
     * @param memberships for every lane 0 or 1
     */
    public static SecureSelection joinPure(Links links, byte[] seed, LanePlan plan, Ring ring, int[] memberships) {
        return joinPure(engine(Profile.FULL_THRESHOLD, links, seed, OtGroup.STANDARD), plan, ring, memberships);
    }

    /** How many AND gates it takes to count the common among shares of so many coordinators; 64 for each word. */
    public static long gates(LanePlan plan, Ring ring, int coordinators) {
        var engine = new PlainEngine();
        var circuits = new Circuits(engine, plan);
        List<Wire> number = java.util.Collections.nCopies(ring.bits(), engine.input(0, new long[plan.words()]));
        circuits.countPerClass(circuits.addAndCompare(java.util.Collections.nCopies(coordinators, number), ring.bits())
                .common());
        return engine.andGates();
    }

    /** How many it takes if every provider is a party. */
    public static long gatesPure(LanePlan plan, Ring ring, int providers) {
        var engine = new PlainEngine();
        var circuits = new Circuits(engine, plan);
        List<Wire> bit = List.of(engine.input(0, new long[plan.words()]));
        circuits.countPerClass(circuits.countAndCompare(java.util.Collections.nCopies(providers, bit), ring.bits())
                .common());
        return engine.andGates();
    }

    static SecureSelection joinPure(Engine engine, LanePlan plan, Ring ring, int[] memberships) {
        var circuits = new Circuits(engine, plan);
        List<List<Wire>> inputs = circuits.inputs(memberships, 1);
        return new SecureSelection(engine, plan, ring, circuits, circuits.countAndCompare(inputs, ring.bits()));
    }

    static Engine engine(Profile profile, Links links, byte[] seed, OtGroup group) {
        return switch (profile) {
            case HONEST_MAJORITY -> new ReplicatedEngine(links, seed);
            case FULL_THRESHOLD -> new ThresholdEngine(links, seed, group);
        };
    }

    /** Shows how many persons of each class are common. */
    public int[] countCommon() {
        return circuits.countPerClass(common);
    }

    /**
     * Shows who is published everywhere and the frequencies of the others.
     *
     * @param mixing of each class
     * @param coins an own random number for every lane, of which the first of {@link Mixing#MOST_BITS} bits are used;
     *     always the same for a person, so that repeated constructions do not average it out
     * @param hiddenBits how many of the lowest bits of frequencies are kept back
     */
    public Selected select(List<Mixing> mixing, int[] coins, int hiddenBits) {
        int bits = mixing.stream().mapToInt(Mixing::bits).max().orElse(0);
        int[] limits = new int[mixing.size()];
        boolean[] all = new boolean[mixing.size()];
        for (int c = 0; c < limits.length; c++) {
            Mixing one = mixing.get(c);
            all[c] = one.limit() >= 1 << one.bits();
            limits[c] = all[c] ? 0 : one.limit() << bits - one.bits();
        }
        int[] numbers = Arrays.stream(coins)
                .map(coin -> coin >>> Mixing.MOST_BITS - bits)
                .toArray();
        List<List<Wire>> inputs = bits == 0 ? List.of() : circuits.inputs(numbers, bits);
        Wire marked = circuits.mark(common, inputs, limits, bits, all);
        List<long[]> shown = circuits.open(marked, frequency.subList(hiddenBits, ring.bits()));
        return selected(shown, hiddenBits);
    }

    private Selected selected(List<long[]> shown, int hiddenBits) {
        boolean[] marked = new boolean[plan.lanes()];
        int[] frequencies = new int[plan.lanes()];
        for (int lane = 0; lane < marked.length; lane++) {
            marked[lane] = (shown.get(0)[lane >>> 6] >>> lane & 1) == 1;
            for (int b = 1; b < shown.size(); b++) {
                int bit = (int) (shown.get(b)[lane >>> 6] >>> lane) & 1;
                frequencies[lane] |= bit << b - 1 + hiddenBits;
            }
        }
        return new Selected(marked, frequencies);
    }

    /** AND gates of this party so far, 64 for each word. */
    public long andGates() {
        return engine.andGates();
    }

    /** Rounds so far. */
    public long rounds() {
        return engine.rounds();
    }

    private static long expectedWords(LanePlan plan, Ring ring, int parties) {
        long gates = (long) parties * (ring.bits() - 1) + 1;
        return gates * plan.words() + 8L * ring.bits();
    }
}

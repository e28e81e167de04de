package io.leeway.eppi.internal.construct;

import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.mpc.LanePlan;
import io.leeway.eppi.internal.mpc.SecureSelection;
import io.leeway.eppi.internal.policy.Mixing;
import io.leeway.eppi.internal.share.Ring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * What all nodes know before a construction, and compute alike: which persons take part in the sums, in which lanes, and
 * from which frequency on they are common.
 *
 * <p>Persons with the wish 0 get the exact list and persons with the wish 1 get all providers; of neither is anything
 * summed, since nothing has to be known of them.
 */
public final class ConstructionPlan {

    private final Persons persons;
    private final Policy policy;
    private final int providers;
    private final Ring ring;
    private final LanePlan lanes;
    private final double[] classes;
    /** The lane of a person, or −1. */
    private final int[] laneOf;

    private ConstructionPlan(
            Persons persons, Policy policy, int providers, LanePlan lanes, double[] classes, int[] laneOf) {
        this.persons = persons;
        this.policy = policy;
        this.providers = providers;
        this.ring = Ring.forProviders(providers);
        this.lanes = lanes;
        this.classes = classes;
        this.laneOf = laneOf;
    }

    /** The plan for these persons and this many providers. */
    public static ConstructionPlan of(Persons persons, Policy policy, int providers) {
        var members = new TreeMap<Double, Integer>();
        for (int i = 0; i < persons.size(); i++) {
            if (isSummed(persons.epsilon(i))) {
                members.merge(persons.epsilon(i), 1, Integer::sum);
            }
        }
        double[] classes =
                members.keySet().stream().mapToDouble(Double::doubleValue).toArray();
        int[] sizes = members.values().stream().mapToInt(Integer::intValue).toArray();
        int[] thresholds = Arrays.stream(classes)
                .mapToInt(epsilon -> policy.commonFrom(providers, epsilon))
                .toArray();
        LanePlan lanes = LanePlan.of(sizes, thresholds);
        return new ConstructionPlan(persons, policy, providers, lanes, classes, lanesOf(persons, lanes, classes));
    }

    private static int[] lanesOf(Persons persons, LanePlan lanes, double[] classes) {
        int[] next =
                lanes.classes().stream().mapToInt(one -> 64 * one.firstWord()).toArray();
        int[] laneOf = new int[persons.size()];
        for (int i = 0; i < laneOf.length; i++) {
            int index = Arrays.binarySearch(classes, persons.epsilon(i));
            laneOf[i] = index < 0 ? -1 : next[index]++;
        }
        return laneOf;
    }

    private static boolean isSummed(double epsilon) {
        return epsilon > 0 && epsilon < 1;
    }

    /** The persons. */
    public Persons persons() {
        return persons;
    }

    /** How the probabilities are chosen. */
    public Policy policy() {
        return policy;
    }

    /** How many providers there are. */
    public int providers() {
        return providers;
    }

    /** In what the sums are made. */
    public Ring ring() {
        return ring;
    }

    /** Where the persons are. */
    public LanePlan lanes() {
        return lanes;
    }

    /** The wishes of the classes that are summed, in the order of the lanes. */
    public double[] classes() {
        return classes.clone();
    }

    /** The lane of a person, or −1 if nothing of it is summed. */
    public int lane(int person) {
        return laneOf[person];
    }

    /**
     * A provider's memberships as a vector of the lanes.
     *
     * @param members the persons of whom it has records
     */
    public int[] vector(BitSet members) {
        int[] vector = new int[lanes.lanes()];
        for (int person = members.nextSetBit(0); person >= 0; person = members.nextSetBit(person + 1)) {
            if (laneOf[person] >= 0) {
                vector[laneOf[person]] = 1;
            }
        }
        return vector;
    }

    /** A number for each person as a vector of the lanes. */
    public int[] lanesOf(int[] perPerson) {
        int[] vector = new int[lanes.lanes()];
        for (int person = 0; person < laneOf.length; person++) {
            if (laneOf[person] >= 0) {
                vector[laneOf[person]] = perPerson[person];
            }
        }
        return vector;
    }

    /** How each class mixes, from how many of its members are common. */
    public List<Mixing> mixing(int[] common) {
        var mixing = new ArrayList<Mixing>();
        for (int c = 0; c < common.length; c++) {
            mixing.add(Mixing.of(common[c], lanes.classes().get(c).members(), classes[c]));
        }
        return mixing;
    }

    /**
     * What the construction says about every person.
     *
     * @param hiddenBits how many of the lowest bits of frequencies are kept back
     */
    public Outcome outcome(SecureSelection.Selected selected, int hiddenBits) {
        int[] frequency = new int[persons.size()];
        for (int person = 0; person < frequency.length; person++) {
            int lane = laneOf[person];
            if (lane < 0) {
                frequency[person] = persons.epsilon(person) >= 1 ? Outcome.EVERYWHERE : Outcome.EXACT;
            } else if (selected.marked()[lane]) {
                frequency[person] = Outcome.EVERYWHERE;
            } else {
                // What was kept back counts as held: more noise, never less.
                int most = selected.frequencies()[lane] | (1 << hiddenBits) - 1;
                frequency[person] = Math.min(most, providers);
            }
        }
        return new Outcome(frequency);
    }
}

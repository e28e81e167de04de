package io.leeway.eppi.internal.attack;

import java.util.BitSet;
import java.util.random.RandomGenerator;

/** Earlier indexes, to compare with. */
public final class Baselines {

    private Baselines() {}

    /**
     * A grouping index (ε-PPI §2.2.4): providers are put into groups at random, and a group is listed for a person if one
     * of its members is. What SS-PPI publishes is the same; it differs in how it is made.
     */
    public static Lists grouping(Lists truth, int groups, RandomGenerator random) {
        int[] groupOf = shuffledGroups(truth.providers(), groups, random);
        var members = new BitSet[groups];
        for (int g = 0; g < groups; g++) {
            members[g] = new BitSet(truth.providers());
        }
        for (int provider = 0; provider < groupOf.length; provider++) {
            members[groupOf[provider]].set(provider);
        }
        var listed = new BitSet[truth.size()];
        for (int person = 0; person < listed.length; person++) {
            var list = new BitSet(truth.providers());
            truth.of(person).stream().forEach(holder -> list.or(members[groupOf[holder]]));
            listed[person] = list;
        }
        return new Lists(truth.providers(), listed);
    }

    /** Every provider for every person. */
    public static Lists broadcast(Lists truth) {
        var listed = new BitSet[truth.size()];
        for (int person = 0; person < listed.length; person++) {
            listed[person] = new BitSet(truth.providers());
            listed[person].set(0, truth.providers());
        }
        return new Lists(truth.providers(), listed);
    }

    private static int[] shuffledGroups(int providers, int groups, RandomGenerator random) {
        int[] groupOf = new int[providers];
        for (int i = 0; i < providers; i++) {
            groupOf[i] = i % groups;
        }
        for (int i = providers - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swap = groupOf[i];
            groupOf[i] = groupOf[other];
            groupOf[other] = swap;
        }
        return groupOf;
    }
}

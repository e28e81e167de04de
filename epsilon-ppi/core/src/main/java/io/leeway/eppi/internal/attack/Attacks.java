package io.leeway.eppi.internal.attack;

import java.util.BitSet;
import java.util.List;

/** The attacks of the threat model (ε-PPI §2.2.2), each as what an attacker concludes and how often that is right. */
public final class Attacks {

    /**
     * What an attacker claimed and how much of it was true.
     *
     * @param claims how many claims
     * @param right how many of them hold
     */
    public record Result(long claims, long right) {

        /** The share of claims that hold; 0 without claims. */
        public double confidence() {
            return claims == 0 ? 0 : (double) right / claims;
        }
    }

    private Attacks() {}

    /** The primary attack on one person: every listed provider is claimed to hold records. */
    public static Result primary(Lists truth, Lists published, int person) {
        return claims(truth.of(person), published.of(person));
    }

    /** The primary attack by colluding providers, who leave out of the list what they know of themselves. */
    public static Result primaryByColluders(Lists truth, Lists published, int person, BitSet colluders) {
        var claimed = (BitSet) published.of(person).clone();
        claimed.andNot(colluders);
        return claims(truth.of(person), claimed);
    }

    /**
     * The attack on common persons with nothing but the index: whoever is listed at all providers is claimed to be common.
     *
     * @param thresholds for each person the number of holders from which it is common
     */
    public static Result commonFromLists(Lists truth, Lists published, int[] thresholds) {
        long claims = 0;
        long right = 0;
        for (int person = 0; person < truth.size(); person++) {
            if (published.of(person).cardinality() == published.providers()) {
                claims++;
                right += truth.of(person).cardinality() >= thresholds[person] ? 1 : 0;
            }
        }
        return new Result(claims, right);
    }

    /** The same by who has seen frequencies, as providers do while SS-PPI is made. */
    public static Result commonFromFrequencies(Lists truth, int[] thresholds) {
        long claims = 0;
        for (int person = 0; person < truth.size(); person++) {
            claims += truth.of(person).cardinality() >= thresholds[person] ? 1 : 0;
        }
        return new Result(claims, claims);
    }

    /** Repeated construction: what is listed every time is claimed to be true. */
    public static Result intersection(Lists truth, List<Lists> constructions, int person) {
        var claimed = (BitSet) constructions.get(0).of(person).clone();
        constructions.forEach(each -> claimed.and(each.of(person)));
        return claims(truth.of(person), claimed);
    }

    /** Two constructions: what is new in the second is claimed to be a new record. */
    public static Result difference(Lists truth, Lists before, Lists after, int person) {
        var claimed = (BitSet) after.of(person).clone();
        claimed.andNot(before.of(person));
        return claims(truth.of(person), claimed);
    }

    private static Result claims(BitSet truth, BitSet claimed) {
        var right = (BitSet) claimed.clone();
        right.and(truth);
        return new Result(claimed.cardinality(), right.cardinality());
    }
}

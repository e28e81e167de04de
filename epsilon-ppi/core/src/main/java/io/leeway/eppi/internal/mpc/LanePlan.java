package io.leeway.eppi.internal.mpc;

import java.util.ArrayList;
import java.util.List;

/**
 * Where persons are in the words of a wire: class by class, each class from the beginning of a word, so that classes can
 * be counted apart.
 *
 * @param classes in order
 */
public record LanePlan(List<LaneClass> classes) {

    /**
     * A class of wishes.
     *
     * @param firstWord where it begins
     * @param members how many persons it has, 1 or more
     * @param threshold the smallest number of holders that makes a member common
     */
    public record LaneClass(int firstWord, int members, int threshold) {

        /** How many words it takes. */
        public int words() {
            return (members + 63) / 64;
        }
    }

    /** Keeps its own list. */
    public LanePlan {
        classes = List.copyOf(classes);
    }

    /** Classes of these sizes with these thresholds. */
    public static LanePlan of(int[] members, int[] thresholds) {
        var classes = new ArrayList<LaneClass>();
        int word = 0;
        for (int i = 0; i < members.length; i++) {
            var one = new LaneClass(word, members[i], thresholds[i]);
            classes.add(one);
            word += one.words();
        }
        return new LanePlan(classes);
    }

    /** Words of a wire. */
    public int words() {
        return classes.stream().mapToInt(LaneClass::words).sum();
    }

    /** Lanes of a wire, used or not. */
    public int lanes() {
        return 64 * words();
    }

    /** Ones in the lanes that belong to a person. */
    long[] used() {
        long[] mask = new long[words()];
        for (LaneClass one : classes) {
            for (int i = 0; i < one.members(); i++) {
                mask[one.firstWord() + (i >>> 6)] |= 1L << i;
            }
        }
        return mask;
    }

    /** For each class all ones or all zeros. */
    long[] perClass(boolean[] ones) {
        long[] mask = new long[words()];
        for (int c = 0; c < ones.length; c++) {
            LaneClass one = classes.get(c);
            java.util.Arrays.fill(mask, one.firstWord(), one.firstWord() + one.words(), ones[c] ? -1 : 0);
        }
        return mask;
    }

    /** A bit of a public number of each class, in all its lanes. */
    long[] bit(int[] numbers, int bit) {
        boolean[] ones = new boolean[numbers.length];
        for (int c = 0; c < numbers.length; c++) {
            ones[c] = (numbers[c] >>> bit & 1) == 1;
        }
        return perClass(ones);
    }

    int[] thresholds() {
        return classes.stream().mapToInt(LaneClass::threshold).toArray();
    }
}

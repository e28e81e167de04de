package io.leeway.eppi.internal.policy;

import java.util.Arrays;

/**
 * Wishes rounded up to a few classes, each with many members.
 *
 * <p>Model: the classes are public, so a class of one would point to a person with something to hide. Every wish is
 * raised to the next of a few levels; a level with too few members is raised to the next that has some; if the highest
 * has too few, those of the one below are raised into it. Invariant: nobody gets less privacy than wished, and every
 * class between 0 and 1 has the wished size unless all of them together have fewer. The wishes 0 (the exact list) and 1
 * (all providers) are classes of their own whatever their size, since to raise them would change what they mean.
 */
public final class EpsilonClasses {

    private static final double[] LEVELS = {0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

    private EpsilonClasses() {}

    /**
     * The class of every wish, as the wish that stands for it.
     *
     * @param wishes from 0 to 1
     * @param leastMembers 1 or more
     */
    public static double[] of(double[] wishes, int leastMembers) {
        int[] level = new int[wishes.length];
        int[] members = new int[LEVELS.length];
        for (int i = 0; i < wishes.length; i++) {
            level[i] = levelOf(wishes[i]);
            members[level[i]]++;
        }
        int[] target = targets(members, leastMembers);
        double[] classes = new double[wishes.length];
        for (int i = 0; i < wishes.length; i++) {
            classes[i] = LEVELS[target[level[i]]];
        }
        return classes;
    }

    private static int levelOf(double wish) {
        int level = 0;
        while (LEVELS[level] < wish) {
            level++;
        }
        return level;
    }

    private static int[] targets(int[] members, int least) {
        int[] target = new int[LEVELS.length];
        Arrays.setAll(target, i -> i);
        int top = LEVELS.length - 2;
        int[] size = members.clone();
        for (int i = 1; i < top; i++) {
            int next = nextOccupied(size, i, top);
            if (next > i && size[i] > 0 && size[i] < least) {
                move(target, i, next);
                size[next] += size[i];
                size[i] = 0;
            }
        }
        raiseIntoTheHighest(target, size, least, top);
        return target;
    }

    /** The next level with members, or the level itself if there is none below 1. */
    private static int nextOccupied(int[] size, int level, int top) {
        for (int i = level + 1; i <= top; i++) {
            if (size[i] > 0) {
                return i;
            }
        }
        return level;
    }

    private static void raiseIntoTheHighest(int[] target, int[] size, int least, int top) {
        int highest = top;
        while (highest > 0 && size[highest] == 0) {
            highest--;
        }
        for (int i = highest - 1; i > 0 && size[highest] < least; i--) {
            move(target, i, highest);
            size[highest] += size[i];
            size[i] = 0;
        }
    }

    private static void move(int[] target, int from, int to) {
        for (int i = 0; i < target.length; i++) {
            if (target[i] == from) {
                target[i] = to;
            }
        }
    }
}

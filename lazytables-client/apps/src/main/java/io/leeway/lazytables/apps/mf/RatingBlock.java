package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.AliasTable;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Known cells ordered by item, the items in random order: so a pass needs the shared row of each item once, and changes it
 * once. Immutable.
 */
final class RatingBlock {

    private final int[] item;
    private final int[] start;
    private final int[] user;
    private final float[] value;

    private RatingBlock(int[] item, int[] start, int[] user, float[] value) {
        this.item = item;
        this.start = start;
        this.user = user;
        this.value = value;
    }

    /** Of the users from one number up to another, counted from the first on, those cells whose number leaves a remainder. */
    static RatingBlock of(Ratings ratings, int fromUser, int toUser, int block, int blocks, SplittableRandom random) {
        int[] place = new int[ratings.items()];
        int cells = 0;
        for (int i = 0; i < ratings.size(); i++) {
            if (isIn(ratings, i, fromUser, toUser, block, blocks)) {
                place[ratings.item()[i]]++;
                cells++;
            }
        }
        int[] order = AliasTable.permutation(ratings.items(), random);
        int distinct = 0;
        for (int count : place) {
            distinct += count > 0 ? 1 : 0;
        }
        int[] item = new int[distinct];
        int[] start = new int[distinct + 1];
        int at = 0;
        for (int candidate : order) {
            if (place[candidate] > 0) {
                item[at] = candidate;
                start[at + 1] = start[at] + place[candidate];
                place[candidate] = start[at++];
            }
        }
        int[] user = new int[cells];
        float[] value = new float[cells];
        for (int i = 0; i < ratings.size(); i++) {
            if (isIn(ratings, i, fromUser, toUser, block, blocks)) {
                int to = place[ratings.item()[i]]++;
                user[to] = ratings.user()[i] - fromUser;
                value[to] = ratings.value()[i];
            }
        }
        return new RatingBlock(item, start, user, value);
    }

    private static boolean isIn(Ratings ratings, int i, int fromUser, int toUser, int block, int blocks) {
        int u = ratings.user()[i];
        // By a mixed number: successive cells often belong to one user.
        return u >= fromUser && u < toUser && Integer.remainderUnsigned(i * 0x9E3779B9 >>> 7, blocks) == block;
    }

    /** Number of different items. */
    int items() {
        return item.length;
    }

    int size() {
        return user.length;
    }

    int item(int place) {
        return item[place];
    }

    /** The items as the table's rows, in order. */
    long[] rows() {
        return Arrays.stream(item).asLongStream().toArray();
    }

    /** Steps over all cells of one item, whose row is handed in; returns the sum of squared errors before each step. */
    double descend(SgdStep step, int place, float[] left, float[] right, int rightAt) {
        double squares = 0;
        for (int i = start[place]; i < start[place + 1]; i++) {
            float error = step.apply(left, user[i] * step.rank(), right, rightAt, value[i]);
            squares += (double) error * error;
        }
        return squares;
    }

    /** The objective of the cells of one item. */
    double objective(SgdStep step, int place, float[] left, float[] right, int rightAt) {
        int rank = step.rank();
        double rightSquares = squares(right, rightAt, rank);
        double sum = 0;
        for (int i = start[place]; i < start[place + 1]; i++) {
            double error = value[i] - SgdStep.dot(left, user[i] * rank, right, rightAt, rank);
            sum += error * error + step.lambda() * (squares(left, user[i] * rank, rank) + rightSquares);
        }
        return sum;
    }

    /** The sum of squared errors of the cells of one item. */
    double squares(SgdStep step, int place, float[] left, float[] right, int rightAt) {
        double sum = 0;
        for (int i = start[place]; i < start[place + 1]; i++) {
            double error = value[i] - SgdStep.dot(left, user[i] * step.rank(), right, rightAt, step.rank());
            sum += error * error;
        }
        return sum;
    }

    private static double squares(float[] row, int at, int rank) {
        return SgdStep.dot(row, at, row, at, rank);
    }
}

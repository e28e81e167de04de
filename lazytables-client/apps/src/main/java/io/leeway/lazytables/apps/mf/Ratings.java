package io.leeway.lazytables.apps.mf;

/**
 * The known cells of a matrix of users and items. Its arrays are not changed.
 *
 * @param users number of rows
 * @param items number of columns
 * @param user of every known cell
 * @param item of every known cell
 * @param value of every known cell
 */
@SuppressWarnings("ArrayRecordComponent") // Millions of cells, kept as arrays and compared by nobody.
public record Ratings(int users, int items, int[] user, int[] item, float[] value) {

    /** Checked for what would fail much later. */
    public Ratings {
        if (user.length != item.length || user.length != value.length) {
            throw new IllegalArgumentException(
                    user.length + " users, " + item.length + " items, " + value.length + " values");
        }
    }

    /** Number of known cells. */
    public int size() {
        return value.length;
    }

    /** The mean of all values. */
    double mean() {
        double sum = 0;
        for (float each : value) {
            sum += each;
        }
        return sum / size();
    }

    /** The cells whose number leaves this remainder, or those that do not: to learn from some and to test with others. */
    Ratings part(int every, boolean isTest) {
        int n = 0;
        for (int i = 0; i < size(); i++) {
            n += (i % every == 0) == isTest ? 1 : 0;
        }
        int[] partUser = new int[n];
        int[] partItem = new int[n];
        float[] partValue = new float[n];
        int at = 0;
        for (int i = 0; i < size(); i++) {
            if ((i % every == 0) == isTest) {
                partUser[at] = user[i];
                partItem[at] = item[i];
                partValue[at++] = value[i];
            }
        }
        return new Ratings(users, items, partUser, partItem, partValue);
    }
}

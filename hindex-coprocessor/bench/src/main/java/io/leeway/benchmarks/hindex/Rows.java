package io.leeway.benchmarks.hindex;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes the rows that are written: the same for every store, from one seed. */
final class Rows {

    private final Random random;
    private final int keys;
    private final String payload;
    private long written;

    /**
     * Rows with so many different keys.
     *
     * @param payloadLength characters that are not indexed
     */
    Rows(long seed, int keys, int payloadLength) {
        this.random = new Random(seed);
        this.keys = keys;
        this.payload = "p".repeat(payloadLength);
    }

    /** Every key once, in order, with the value of its own number. */
    List<Row> all() {
        var rows = new ArrayList<Row>(keys);
        for (int i = 0; i < keys; i++) {
            rows.add(new Row(Row.key(i), Row.value(i), payload));
        }
        return rows;
    }

    /** Random keys with values that were not there before. */
    List<Row> updates(int count) {
        var rows = new ArrayList<Row>(count);
        for (int i = 0; i < count; i++) {
            rows.add(new Row(Row.key(random.nextInt(keys)), Row.value(keys + written++), payload));
        }
        return rows;
    }

    /** The first keys, in order, each with another value in every version. */
    List<Row> again(int version, int count) {
        var rows = new ArrayList<Row>(count);
        for (int i = 0; i < count; i++) {
            rows.add(new Row(Row.key(i), Row.value((long) version * count + i), payload));
        }
        return rows;
    }
}

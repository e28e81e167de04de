package io.leeway.benchmarks.hindex;

/**
 * What is written: a row with a value that is indexed and one that is not.
 *
 * @param key of the row
 * @param value indexed
 * @param payload not indexed; none if it is empty
 */
record Row(String key, String value, String payload) {

    /** A key; all are of one length, so that they sort by number. */
    static String key(long number) {
        return "user%010d".formatted(number);
    }

    /** A value; all are of one length. */
    static String value(long number) {
        return "value%010d".formatted(number);
    }
}

package io.leeway.lazytables;

/**
 * How a clock is worked.
 *
 * @param slack the slack of its reads
 * @param work the units of work that it goes over
 * @since 0.1
 */
public record Pace(int slack, int work) {

    /** Checks the numbers. */
    public Pace {
        if (slack < 0 || work < 1) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "A pace of slack " + slack + " and work " + work + ": choose slack from 0 and work from 1");
        }
    }
}

package io.leeway.lazybase.internal.pipeline;

/**
 * An SCU that takes no more commits; its file of unsorted rows is kept until they are in the authority.
 *
 * @param number of the SCU, without gaps
 * @param groups of commits in it
 * @param rows of all tables
 * @param bytes of its file
 * @param minTime of the first commit, in milliseconds
 * @param maxTime of the last commit
 */
public record Sealed(long number, int groups, long rows, long bytes, long minTime, long maxTime) {

    /** Name of the file. */
    public String file() {
        return file(number);
    }

    /** Name of the file of an SCU. */
    public static String file(long number) {
        return "scu-" + number + ".raw";
    }
}

package io.leeway.testkit;

/**
 * How much a test run tries: the fast tier is every {@code mvn verify}, the deep tier {@code .ci/deep}.
 *
 * <p>A test that repeats itself asks here how often, so that the two numbers stand beside each other where they are
 * used; a whole test that only the deep tier runs has the tag {@link #DEEP}.
 */
public final class Depth {

    /** The tag of tests that only the deep tier runs: {@code @Tag(Depth.DEEP)}. */
    public static final String DEEP = "deep";

    /** The system property that says which tier runs: {@code fast} (also if it is not there) or {@code deep}. */
    public static final String PROPERTY = "leeway.depth";

    private static final boolean IS_DEEP = DEEP.equals(System.getProperty(PROPERTY));

    private Depth() {}

    /** Whether this is a run of the deep tier. */
    public static boolean isDeep() {
        return IS_DEEP;
    }

    /** The number of cases, rounds or kills of this run: the first in the fast tier, the second in the deep one. */
    public static int of(int fast, int deep) {
        return IS_DEEP ? deep : fast;
    }
}

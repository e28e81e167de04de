package io.leeway.hindex.internal.read;

/** How many entries are read at once: few at first, since many queries want few; then more, for those that want all. */
final class PageSizes {

    /** Entries, not rows: some bear out nothing. */
    private static final int FIRST = 100;
    /** A region returns no more in one call, see {@link RegionReader}. */
    private static final int MOST = 1_000;
    /** Whole rows may be of any size, and a page is in memory at once. */
    private static final int MOST_WHOLE_ROWS = 100;

    private PageSizes() {}

    /**
     * For the first page of each of so many parts, of a query that wants so many rows.
     *
     * <p>Divided by the parts, as all of them are read at once, but by ten at most: the rows that are wanted may all be
     * in one.
     */
    static int first(long limit, int parts, Fetch fetch) {
        long wanted = Math.max(10, Math.min(limit, FIRST));
        return (int) Math.min(Math.max(10, wanted / Math.max(1, Math.min(parts, 10))), most(fetch));
    }

    static int next(int size, Fetch fetch) {
        return Math.min(2 * size, most(fetch));
    }

    private static int most(Fetch fetch) {
        return fetch.wholeRow() ? MOST_WHOLE_ROWS : MOST;
    }
}

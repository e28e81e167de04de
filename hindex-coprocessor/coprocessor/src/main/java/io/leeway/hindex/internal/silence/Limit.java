package io.leeway.hindex.internal.silence;

/**
 * How long somebody waits.
 *
 * <p>With its words for the table in the documentation, so that the two cannot differ.
 */
enum Limit {
    /** Just so long. */
    FIXED,
    /** For {@code hindex.write.timeout}, and so long at least. */
    LEAST;

    long millis(long millis, long timeoutMillis) {
        return switch (this) {
            case FIXED -> millis;
            case LEAST -> Math.max(millis, timeoutMillis);
        };
    }

    String text(long millis) {
        return switch (this) {
            case FIXED -> millis == 0 ? "not at all" : millis + " ms";
            case LEAST -> "`hindex.write.timeout`" + (millis == 0 ? "" : ", " + millis + " ms at least");
        };
    }
}

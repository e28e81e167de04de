package io.leeway.hindex.internal.read;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * What entries are worth is known where they are checked, in regions of an index; whether a compaction is due is decided where
 * the rows are. A region of the same server is told at once (see MetListeners); one of another server by the next scan that
 * checks entries of its rows: no call more.
 */
/** How many entries of each region's rows were fresh or obsolete, until the region is told. Thread-safe. */
public final class MetEntries {

    /** The attribute of scans that tell it. */
    public static final String ATTRIBUTE = "hindex.met";

    /** Then all is forgotten: regions that are gone are never taken, and what is lost here only delays compactions. */
    private static final int MOST_REGIONS = 10_000;
    /** So many fresh entries are worth telling on their own, as they say that no compaction is needed. */
    private static final int MANY = 1_000;
    /** Above this it counts no further, so that a sum of two fits into an int. */
    private static final int MOST = 1_000_000_000;

    private final Map<String, Report> byRegion = new HashMap<>();

    MetEntries() {}

    /**
     * So many entries.
     *
     * @param fresh borne out by their rows
     * @param stale not borne out
     */
    public record Report(int fresh, int stale) {

        private Report plus(Report other) {
            return new Report(Math.min(MOST, fresh + other.fresh), Math.min(MOST, stale + other.stale));
        }

        byte[] toBytes() {
            return ByteBuffer.allocate(2 * Integer.BYTES)
                    .putInt(fresh)
                    .putInt(stale)
                    .array();
        }

        /**
         * What an attribute says, or null if it is not one of these.
         *
         * <p>Any client may set the attribute, so nothing in it is believed that could not be ours.
         */
        public static @Nullable Report parse(byte[] bytes) {
            if (bytes.length != 2 * Integer.BYTES) {
                return null;
            }
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int fresh = in.getInt();
            int stale = in.getInt();
            return fresh < 0 || stale < 0 || fresh > MOST || stale > MOST ? null : new Report(fresh, stale);
        }
    }

    synchronized void add(String region, Report more) {
        if (byRegion.size() == MOST_REGIONS && !byRegion.containsKey(region)) {
            byRegion.clear();
        }
        byRegion.merge(region, more, Report::plus);
    }

    /**
     * What a region should be told now, or null.
     *
     * <p>Obsolete entries at once, fresh ones when there are many: most scans carry nothing.
     */
    synchronized @Nullable Report take(String region) {
        Report report = byRegion.get(region);
        if (report == null || report.stale == 0 && report.fresh < MANY) {
            return null;
        }
        byRegion.remove(region);
        return report;
    }
}

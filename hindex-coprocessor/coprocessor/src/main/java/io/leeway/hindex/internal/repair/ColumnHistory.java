package io.leeway.hindex.internal.repair;

import java.util.HashSet;
import java.util.Set;

/*
 * Model: the cells of one column arrive newest first, deletes before the puts of the same timestamp, as HBase keeps them;
 * deletes of the whole family are known before. A put is hidden by a delete of its exact timestamp or by one of its own
 * or a later timestamp that covers all before; else it is visible, and the n-th visible one is superseded by n - 1 others.
 * Time of arrival does not count, as in HBase without the new version behaviour.
 *
 * What follows for the index depends on why a put is no longer fresh:
 * - hidden: nothing brings it back but the purge of the delete, which takes the put with it. Its entry may go whatever
 *   else there is in files that were not read.
 * - superseded: a delete of the exact timestamp of a newer version, in a file that was not read, brings it back. Its
 *   entry may go only if everything was read.
 *
 * Cost: constant for a cell; memory grows only with deletes of exact timestamps.
 */
/** Decides about the puts of one column after the other, newest first. Reused from row to row. */
final class ColumnHistory {

    /** What deletes of the whole family say; for all columns of the row. */
    private long familyDeletedUpTo;

    private final Set<Long> familyVersionsDeleted = new HashSet<>();
    /** What deletes of the column say. */
    private long deletedUpTo;

    private final Set<Long> versionsDeleted = new HashSet<>();
    /** Puts so far that nothing hides, and that last. */
    private int visible;

    ColumnHistory() {
        startRow();
    }

    void startRow() {
        familyDeletedUpTo = Long.MIN_VALUE;
        familyVersionsDeleted.clear();
        startColumn();
    }

    void startColumn() {
        deletedUpTo = Long.MIN_VALUE;
        versionsDeleted.clear();
        visible = 0;
    }

    void familyDeletedUpTo(long timestamp) {
        familyDeletedUpTo = Math.max(familyDeletedUpTo, timestamp);
    }

    void familyVersionDeleted(long timestamp) {
        familyVersionsDeleted.add(timestamp);
    }

    void deletedUpTo(long timestamp) {
        deletedUpTo = Math.max(deletedUpTo, timestamp);
    }

    void versionDeleted(long timestamp) {
        versionsDeleted.add(timestamp);
    }

    /**
     * Decides about the next put. One that expires by itself does not count for those after it, which it hides no
     * longer than it lives.
     *
     * @return whether nothing hides it
     */
    boolean isVisible(long timestamp, boolean expires) {
        if (timestamp <= Math.max(familyDeletedUpTo, deletedUpTo)
                || versionsDeleted.contains(timestamp)
                || familyVersionsDeleted.contains(timestamp)) {
            return false;
        }
        if (!expires) {
            visible++;
        }
        return true;
    }

    /** How many puts were visible so far, with the last one and without those that expire. */
    int visible() {
        return visible;
    }
}

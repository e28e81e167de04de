package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.model.Table;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does, here or in another process: it reads files that never change and writes new ones, whose names have the task's number,
 * which no other task has. A task may be given to several workers, one after the other: nothing counts before the coordinator has logged
 * the result of one.
 */
sealed interface Task {

    /** Its number. */
    long number();

    /** The stage that it belongs to. */
    default Stage stage() {
        return this instanceof Sort ? Stage.SORT : this instanceof Merge ? Stage.MERGE : Stage.AUTHORITY;
    }

    /** Definitions of the tables that it is about. */
    List<Table> tables();

    /** Sorts an SCU: one run for each table that has rows. */
    record Sort(long number, List<Table> tables, Sealed scu) implements Task {}

    /** Merges flights: one run for each table that has rows. */
    record Merge(long number, List<Table> tables, List<Flight> inputs) implements Task {}

    /**
     * Merges runs into a range of a view's authority. For the primary view it also gives a run of changes for each secondary view that
     * changes.
     *
     * @param tables one
     * @param view which view
     * @param inputs runs of the view, oldest first
     * @param old files of the authority in the range
     * @param from where the range begins, or null
     * @param to where it ends, or null
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Renew(
            long number,
            List<Table> tables,
            int view,
            List<RunInfo> inputs,
            List<RunInfo> old,
            byte @Nullable [] from,
            byte @Nullable [] to)
            implements Task {}

    /**
     * A result.
     *
     * @param runs new files: by the number of the table for flights, by that of the view for the authority
     * @param dropped files that these replace
     * @param cpuNanos what it took
     */
    record Done(Map<Integer, List<RunInfo>> runs, List<String> dropped, long cpuNanos) {

        long bytes() {
            return runs.values().stream()
                    .flatMap(List::stream)
                    .mapToLong(RunInfo::bytes)
                    .sum();
        }

        /** The only run of each table. */
        Map<Integer, RunInfo> flight() {
            var single = new java.util.HashMap<Integer, RunInfo>();
            runs.forEach((table, some) -> single.put(table, some.get(0)));
            return single;
        }
    }

    /** Where a task is done. */
    @FunctionalInterface
    interface Runner {

        /**
         * Does it.
         *
         * @param scu that is to be sorted, if it is in memory
         */
        Done run(Task task, @Nullable Scu scu) throws java.io.IOException;
    }
}

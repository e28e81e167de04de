package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.apps.RowsAhead;
import java.util.ArrayList;
import java.util.List;

/**
 * How an application is run over tables.
 *
 * @param name in figures
 * @param workers threads that compute
 * @param processes that they are in, equally many in each
 * @param work passes over the data in a clock, as it is typed
 * @param slack clocks, as it is typed
 * @param passes over the data
 * @param ahead how rows are asked for
 * @param more options
 */
record Setting(
        String name,
        int workers,
        int processes,
        String work,
        String slack,
        int passes,
        RowsAhead ahead,
        List<String> more) {

    Setting {
        more = List.copyOf(more);
    }

    /** With a process for each worker. */
    static Setting of(String name, int workers, String work, String slack, int passes) {
        return new Setting(name, workers, workers, work, slack, passes, RowsAhead.AGGRESSIVE, List.of());
    }

    /** With its workers in so many processes. */
    Setting in(int fewer) {
        return new Setting(name, workers, fewer, work, slack, passes, ahead, more);
    }

    Setting asking(RowsAhead how) {
        return new Setting(name, workers, processes, work, slack, passes, how, more);
    }

    Setting with(String... options) {
        return new Setting(name, workers, processes, work, slack, passes, ahead, List.of(options));
    }

    List<String> typed() {
        var typed = new ArrayList<String>(List.of(
                "--workers=" + workers,
                "--instances=" + processes,
                "--work=" + work,
                "--slack=" + slack,
                "--passes=" + passes,
                "--prefetch=" + ahead.text()));
        typed.addAll(more);
        return typed;
    }
}

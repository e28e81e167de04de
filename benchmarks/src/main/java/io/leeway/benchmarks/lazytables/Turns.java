package io.leeway.benchmarks.lazytables;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs that compute in turn, see {@link Processes#inTurns}. */
final class Turns {

    private Turns() {}

    /** Has these, which are stopped, go on by turns until all are over; what they measured. */
    static List<MeasuredRun> of(List<StartedRun> runs, Duration turn, Duration most)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        List<StartedRun> left = new ArrayList<>(runs);
        while (!left.isEmpty()) {
            if (System.nanoTime() >= end) {
                throw new IOException("runs by turns were not over after " + most.toMinutes() + " minutes");
            }
            for (StartedRun run : List.copyOf(left)) {
                run.goOn();
                if (run.isOverWithin(turn)) {
                    left.remove(run);
                } else {
                    run.pause();
                }
            }
        }
        var results = new ArrayList<MeasuredRun>();
        for (StartedRun run : runs) {
            results.add(run.result());
        }
        return results;
    }
}

package io.leeway.benchmarks.results;

import java.io.PrintStream;

/** Tells what is being measured, and since when. Not thread-safe. */
public final class Progress {

    private final PrintStream out;
    private final long start = System.nanoTime();

    /** Counts from now. */
    public Progress(PrintStream out) {
        this.out = out;
    }

    /** Prints a line with the seconds that have passed. */
    public void say(String what) {
        out.printf("%4d s  %s%n", (System.nanoTime() - start) / 1_000_000_000L, what);
    }
}

package io.leeway.benchmarks.hindex;

import java.io.PrintStream;

/** Tells what is being measured, and since when. */
final class Progress {

    private final PrintStream out;
    private final long start = System.nanoTime();

    Progress(PrintStream out) {
        this.out = out;
    }

    void say(String what) {
        out.printf("%4d s  %s%n", (System.nanoTime() - start) / 1_000_000_000L, what);
    }
}

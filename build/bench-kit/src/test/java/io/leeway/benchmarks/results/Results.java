package io.leeway.benchmarks.results;

import org.jspecify.annotations.Nullable;

/** Results for tests. */
final class Results {

    static final String COMMAND = "build/bench X";

    private Results() {}

    static Result of(String name, double value, @Nullable Double goal) {
        return of(name, value, "µs", goal, "", COMMAND);
    }

    static Result of(String name, double value, String unit, @Nullable Double goal, String peer, String command) {
        return new Result(name, value, unit, goal, Better.LOWER, peer, command, "a machine", "2026-01-01", "abc");
    }
}

package io.leeway.benchmarks.results;

import org.jspecify.annotations.Nullable;

/** Results for tests. */
final class Results {

    private Results() {}

    static Result of(String name, double value, @Nullable Double goal) {
        return new Result(
                name, value, "µs", goal, Better.LOWER, "", "benchmarks/run X", "a machine", "2026-01-01", "abc");
    }
}

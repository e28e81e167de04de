package io.leeway.benchmarks.results;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is told of a figure besides its value.
 *
 * @param head how it is called
 * @param of what it is; empty if there is nothing to tell
 */
record Detail(String head, Function<Result, String> of) {

    /** What is told on pages of figures. */
    static List<Detail> all(Runs runs) {
        return List.of(new Detail("run", runs::letter), new Detail("compared with", Result::peer));
    }

    /** Whether these figures have it in common. */
    boolean isCommon(Collection<Result> results) {
        return results.stream().map(of).distinct().count() < 2;
    }

    /** Whether there is one thing to tell of them, which goes without saying where nothing is told. */
    boolean isOne(Collection<Result> results) {
        return told(results).count() < 2;
    }

    /** What there is to tell of figures that have it in common. */
    String one(Collection<Result> results) {
        return told(results).findFirst().orElse("");
    }

    private Stream<String> told(Collection<Result> results) {
        return results.stream().map(of).filter(text -> !text.isEmpty()).distinct();
    }
}

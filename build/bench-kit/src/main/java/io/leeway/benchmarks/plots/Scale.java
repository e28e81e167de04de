package io.leeway.benchmarks.plots;

import java.util.List;
import java.util.stream.IntStream;

/**
 * An axis from zero.
 *
 * @param step from one tick to the next: 1, 2 or 5 of some power of ten
 * @param steps how many there are
 */
record Scale(double step, int steps) {

    private static final int MOST_STEPS = 6;

    /** One that reaches a value. */
    static Scale upTo(double greatest) {
        double wanted = greatest > 0 ? greatest / MOST_STEPS : 1;
        double power = Math.pow(10, Math.floor(Math.log10(wanted)));
        double step = List.of(1.0, 2.0, 5.0, 10.0).stream()
                .map(factor -> factor * power)
                .filter(candidate -> candidate >= wanted)
                .findFirst()
                .orElse(10 * power);
        return new Scale(step, Math.max(1, (int) Math.ceil(greatest / step)));
    }

    double end() {
        return step * steps;
    }

    List<Double> ticks() {
        return IntStream.rangeClosed(0, steps).mapToObj(i -> i * step).toList();
    }
}

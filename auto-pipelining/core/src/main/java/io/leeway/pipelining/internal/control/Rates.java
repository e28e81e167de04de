package io.leeway.pipelining.internal.control;

import io.leeway.pipelining.spi.PipelineClock;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tuples a second of each operator, as the median of several short stretches: a pause of the machine spoils one of them. */
final class Rates {

    private static final int STRETCHES = 7;
    private static final double SECOND = 1e9;

    private Rates() {}

    static Map<Integer, Double> measure(PipelineHost host, PipelineClock clock, long period)
            throws InterruptedException {
        var stretches = new HashMap<Integer, List<Double>>();
        Map<Integer, Long> last = host.processed();
        long then = clock.nanos();
        for (int stretch = 0; stretch < STRETCHES; stretch++) {
            clock.pause(Math.max(1, period / STRETCHES));
            Map<Integer, Long> now = host.processed();
            long at = clock.nanos();
            double seconds = Math.max(1, at - then) / SECOND;
            for (var entry : now.entrySet()) {
                long tuples = entry.getValue() - last.getOrDefault(entry.getKey(), entry.getValue());
                stretches
                        .computeIfAbsent(entry.getKey(), id -> new ArrayList<>())
                        .add(tuples / seconds);
            }
            last = now;
            then = at;
        }
        var medians = new HashMap<Integer, Double>();
        stretches.forEach((operator, rates) -> {
            Collections.sort(rates);
            medians.put(operator, rates.get(rates.size() / 2));
        });
        return medians;
    }
}

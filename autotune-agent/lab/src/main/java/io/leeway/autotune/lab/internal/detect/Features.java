package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What models see of a span: its times against what is usual for its service and operation, so that a model learnt on
 * one application can be used on another. Usual are median and quartiles over normal traces of the same application;
 * nothing else of the application's names or sizes is seen (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 5.1: service time is the only signal).
 */
public final class Features {

    /** Names for people, in their order; also the check that a model belongs to this version. */
    public static final List<String> NAMES = List.of(
            "own time",
            "whole time",
            "own time in usual deviations",
            "whole time in usual deviations",
            "longest call's time",
            "callers' own time",
            "part of the request",
            "own time beside the request's other spans",
            "largest own time below, in usual deviations");

    /** Ratios are as logarithms, and no ratio tells more than this. */
    private static final double MOST = 4;

    /** Deviations are halved, so that they are of the size of ratios, and none tells more than {@link #MOST}. */
    private static final double HALF = 0.5;

    /** Half the distance of the quartiles of a normal distribution, in standard deviations. */
    private static final double QUARTILE = 0.6745;

    private static final int ENOUGH = 5;

    /** Columns that say something of a span by itself. */
    private static final int OWN = 4;

    /**
     * What is usual for spans of one kind.
     *
     * @param self median of the own time in microseconds
     * @param whole median of the whole time in microseconds
     * @param spread of the logarithm of the own time: half the distance of the quartiles
     * @param wholeSpread the same of the whole time
     */
    public record Usual(double self, double whole, double spread, double wholeSpread) {}

    private final Map<String, Usual> usual;

    private Features(Map<String, Usual> usual) {
        this.usual = usual;
    }

    /** Learns what is usual from traces, most of which are normal. */
    public static Features of(List<Trace> traces) {
        var self = new TreeMap<String, List<Double>>();
        var whole = new TreeMap<String, List<Double>>();
        for (Trace trace : traces) {
            for (Trace.Node node : trace.nodes()) {
                for (String key : List.of(key(node), node.service(), "")) {
                    self.computeIfAbsent(key, k -> new ArrayList<>()).add((double) node.selfMicros());
                    whole.computeIfAbsent(key, k -> new ArrayList<>()).add((double) node.micros());
                }
            }
        }
        var usual = new TreeMap<String, Usual>();
        self.forEach((key, times) -> {
            double[] selves = times.stream().mapToDouble(t -> t).sorted().toArray();
            double[] wholes = whole.getOrDefault(key, List.of()).stream()
                    .mapToDouble(t -> t)
                    .sorted()
                    .toArray();
            if (selves.length >= ENOUGH || key.isEmpty()) {
                usual.put(
                        key,
                        new Usual(
                                selves[selves.length / 2], wholes[wholes.length / 2], spread(selves), spread(wholes)));
            }
        });
        return new Features(usual);
    }

    private static String key(Trace.Node node) {
        return node.service() + " " + node.span().operation();
    }

    private static double spread(double[] sorted) {
        double low = Math.max(1, sorted[sorted.length / 4]);
        double high = Math.max(low, sorted[3 * sorted.length / 4]);
        return Math.max(0.05, StrictMath.log(high / low) / 2);
    }

    /** What is usual for a span; of kinds that are new, what is usual for their service or for all. */
    public Usual usual(Trace.Node node) {
        Usual own = usual.get(key(node));
        Usual service = own == null ? usual.get(node.service()) : own;
        return service == null ? usual.getOrDefault("", new Usual(1_000, 1_000, 1, 1)) : service;
    }

    /** One row for each span of a trace. */
    double[][] rows(Trace trace) {
        List<Trace.Node> nodes = trace.nodes();
        double[] self = new double[nodes.size()];
        double[] whole = new double[nodes.size()];
        double[] deviation = new double[nodes.size()];
        double[] wholeDeviation = new double[nodes.size()];
        for (int i = 0; i < self.length; i++) {
            Usual known = usual(nodes.get(i));
            self[i] = ratio((double) nodes.get(i).selfMicros(), known.self());
            whole[i] = ratio((double) nodes.get(i).micros(), known.whole());
            deviation[i] = deviation(self[i], known.spread());
            wholeDeviation[i] = deviation(whole[i], known.wholeSpread());
        }
        // The load of the moment slows all of them together.
        double together = median(deviation);
        double[] below = below(nodes, deviation);
        double[][] rows = new double[self.length][];
        for (int i = 0; i < rows.length; i++) {
            Trace.Node node = nodes.get(i);
            double calls = node.children().stream()
                    .mapToDouble(child -> whole[child.place()])
                    .max()
                    .orElse(0);
            Trace.Node parent = node.parent();
            double caller = parent == null ? 0 : self[parent.place()];
            // What the span adds to the request beyond the usual, as a part of the request.
            double excess = Math.max(0, node.selfMicros() - usual(node).self());
            double part = excess / Math.max(1, trace.micros());
            rows[i] = new double[] {
                self[i],
                whole[i],
                deviation[i],
                wholeDeviation[i],
                calls,
                caller,
                Math.min(1, part),
                limited(deviation[i] - together),
                below[i]
            };
        }
        return rows;
    }

    /** Who is slow only because of what it calls has something slower below; the largest, at least 0. */
    private static double[] below(List<Trace.Node> nodes, double[] deviation) {
        double[] below = new double[deviation.length];
        for (Trace.Node node : nodes) {
            double here = deviation[node.place()];
            // Whoever knows of something as slow has told all above already.
            for (Trace.@Nullable Node above = node.parent();
                    above != null && below[above.place()] < here;
                    above = above.parent()) {
                below[above.place()] = here;
            }
        }
        return below;
    }

    private static double ratio(double micros, double usual) {
        return limited(StrictMath.log((micros + 50) / (usual + 50)));
    }

    private static double deviation(double log, double spread) {
        return limited(HALF * QUARTILE * log / spread);
    }

    private static double limited(double value) {
        return Math.max(-MOST, Math.min(MOST, value));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Only what a model without a graph may know of a span: its own times. */
    static double[] alone(double[] row) {
        return Arrays.copyOf(row, OWN);
    }
}

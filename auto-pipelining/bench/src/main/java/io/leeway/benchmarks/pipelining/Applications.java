package io.leeway.benchmarks.pipelining;

import io.leeway.pipelining.graph.OperatorGraph;
import io.leeway.pipelining.graph.OperatorGraph.Vertex;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The three applications of AutoPipelining §4.8.4 with the numbers and kinds of operators of its Table 7. The paper names no
 * costs and shows the shapes as small figures only: costs and details of the shapes are ours, and so is the data.
 */
final class Applications {

    /** One built application. */
    static final class Application {
        final OperatorGraph graph = new OperatorGraph();
        final LongAdder count = new LongAdder();
        final LongAdder digest = new LongAdder();
        /** Where a developer who knows the costs would put the one further thread that two cores have room for. */
        Set<Integer> byHand = Set.of();

        private Vertex sink(String name) {
            return graph.operator(name, Work.sink(count, digest));
        }

        private Vertex functor(String name, int cost) {
            return graph.operator(name, Work.functor(cost));
        }
    }

    private Applications() {}

    static List<String> names() {
        return List.of("Lois", "Vwap", "LinearRoad");
    }

    static Application build(String name, long tuples) {
        return switch (name) {
            case "Lois" -> lois(tuples);
            case "Vwap" -> vwap(tuples);
            default -> linearRoad(tuples);
        };
    }

    /** Cosmic rays: 13 Functors, 3 Barriers, 2 Aggregators, a Custom, a source, 2 sinks. */
    private static Application lois(long tuples) {
        var app = new Application();
        Vertex source = app.graph.source("FileSource", Work.source(tuples, 3, 16));
        Vertex decode = app.functor("decode", 1_500);
        app.graph.connect(source, decode);
        var aligned = new ArrayList<Vertex>();
        for (int antenna = 0; antenna < 3; antenna++) {
            Vertex barrier = app.graph
                    .operator("align " + antenna, Work.barrier(2, 200))
                    .stateful()
                    .anyOrderBetweenInputs();
            for (int axis = 0; axis < 2; axis++) {
                Vertex filter = app.functor("filter " + antenna + (axis == 0 ? "x" : "y"), 600);
                app.graph.connect(decode, filter).connect(filter, 0, barrier, axis);
            }
            aligned.add(barrier);
        }
        Vertex power =
                app.graph.operator("power", Work.aggregator(800)).stateful().anyOrderBetweenInputs();
        app.graph.connect(aligned.get(0), power);
        Vertex background =
                app.graph.operator("background", Work.aggregator(800)).stateful();
        app.graph.connect(aligned.get(1), background);
        Vertex detect = app.graph.operator("detect", Work.functor(2_000));
        app.graph.connect(power, detect);
        Vertex last = detect;
        for (String step : List.of("threshold", "direction", "energy")) {
            Vertex next = app.functor(step, 900);
            app.graph.connect(last, next);
            last = next;
        }
        app.graph.connect(last, app.sink("showers"));
        last = background;
        for (String step : List.of("noise", "calibrate")) {
            Vertex next = app.functor(step, 700);
            app.graph.connect(last, next);
            last = next;
        }
        Vertex third = app.functor("third antenna", 700);
        app.graph.connect(aligned.get(2), third).connect(third, last);
        app.graph.connect(last, app.sink("backgrounds"));
        app.byHand = Set.of(detect.id());
        return app;
    }

    /** Bargains: 24 Functors, 12 Joins, 3 Splits, 12 Aggregators, a source, 6 sinks. */
    private static Application vwap(long tuples) {
        var app = new Application();
        Vertex source = app.graph.source("FileSource", Work.source(tuples, 12, 16));
        Vertex kinds = app.graph.operator("kinds", Work.split(1, 2));
        app.graph.connect(source, kinds);
        int lane = 0;
        for (int half = 0; half < 2; half++) {
            Vertex symbols = app.graph.operator("symbols " + half, Work.split(2, 6));
            app.graph.connect(kinds, half, symbols, 0);
            for (int symbol = 0; symbol < 6; symbol++) {
                lane++;
                Vertex trades = app.functor("trades " + lane, 1_200);
                Vertex average = app.graph
                        .operator("vwap " + lane, Work.aggregator(1_500))
                        .stateful();
                Vertex quotes = app.functor("quotes " + lane, 1_200);
                Vertex bargains = app.graph
                        .operator("bargains " + lane, Work.join(2_500))
                        .stateful()
                        .anyOrderBetweenInputs();
                app.graph
                        .connect(symbols, symbol, trades, 0)
                        .connect(symbols, symbol, quotes, 0)
                        .connect(trades, average)
                        .connect(average, 0, bargains, 0)
                        .connect(quotes, 0, bargains, 1);
                if (symbol % 2 == 0) {
                    app.graph.connect(bargains, app.sink("orders " + lane));
                }
            }
        }
        // The first thing that comes to mind: one of the two halves on a thread of its own.
        app.byHand = Set.of(2);
        return app;
    }

    /** Tolls: 3 Functors, 2 Splits, 2 Unions, 5 Customs, a source, a sink. */
    private static Application linearRoad(long tuples) {
        var app = new Application();
        Vertex source = app.graph.source("FileSource", Work.source(tuples, 8, 16));
        Vertex parse = app.functor("parse", 1_500);
        Vertex types = app.graph.operator("types", Work.split(1, 2));
        Vertex position = app.functor("position", 800);
        Vertex segments = app.graph.operator("segments", Work.split(2, 2));
        Vertex accidents = app.graph.operator("accidents", Work.functor(1_500));
        Vertex statistics = app.graph.operator("statistics", Work.functor(2_500));
        Vertex join = app.graph.operator("union of segments", Work.functor(0)).anyOrderBetweenInputs();
        Vertex tolls = app.graph.operator("tolls", Work.functor(2_500));
        Vertex balances = app.graph.operator("balances", Work.functor(1_500));
        Vertex answers = app.functor("answers", 800);
        Vertex all = app.graph.operator("union of answers", Work.functor(0)).anyOrderBetweenInputs();
        Vertex notify = app.graph.operator("notify", Work.functor(1_000)).anyOrderBetweenInputs();
        app.graph
                .connect(source, parse)
                .connect(parse, types)
                .connect(types, 0, position, 0)
                .connect(position, segments)
                .connect(segments, 0, accidents, 0)
                .connect(segments, 1, statistics, 0)
                .connect(accidents, 0, join, 0)
                .connect(statistics, 0, join, 1)
                .connect(join, tolls)
                .connect(types, 1, balances, 0)
                .connect(balances, answers)
                .connect(tolls, 0, all, 0)
                .connect(answers, 0, all, 1)
                .connect(all, notify)
                .connect(notify, app.sink("FileSink").anyOrderBetweenInputs());
        app.byHand = Set.of(tolls.id());
        return app;
    }
}

package io.leeway.pipelining.graph;

import io.leeway.pipelining.PipelineGraph;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/** Graphs at random whose operators record what came to them, in what order, and whether two threads were in one. */
final class RandomGraphs {

    /** A tuple that knows its source and the way it took. */
    record Tuple(int source, long path, long value) {}

    final OperatorGraph graph = new OperatorGraph();
    final AtomicInteger violations = new AtomicInteger();
    private final List<Recorder> recorders = new ArrayList<>();
    private final Set<Integer> inexact = new HashSet<>();

    /** The same seed gives the same graph, with fresh operators. */
    RandomGraphs(RandomGenerator random, long tuples) {
        int sources = 1 + random.nextInt(3);
        int operators = 1 + random.nextInt(8);
        var vertices = new ArrayList<OperatorGraph.Vertex>();
        for (int source = 0; source < sources; source++) {
            vertices.add(graph.source("source " + source, source(source, tuples)));
        }
        for (int operator = 0; operator < operators; operator++) {
            boolean stateful = random.nextInt(3) > 0;
            var recorder = new Recorder(vertices.size(), stateful, 1 + random.nextInt(4), random.nextInt(200));
            recorders.add(recorder);
            var vertex = graph.operator("operator " + operator, recorder);
            if (stateful) {
                vertex.stateful();
            }
            if (random.nextBoolean()) {
                vertex.anyOrderBetweenInputs();
                inexact.add(vertex.id());
            }
            int inputs = 1 + random.nextInt(3);
            for (int input = 0; input < inputs; input++) {
                OperatorGraph.Vertex from = vertices.get(random.nextInt(vertices.size()));
                graph.connect(from, random.nextInt(2), vertex, input);
            }
            vertices.add(vertex);
        }
    }

    private static TupleSource source(int number, long tuples) {
        return new TupleSource() {
            private long next;

            @Override
            public boolean next(TupleOutput output) {
                var tuple = new Tuple(number, number, next * 0x9E3779B97F4A7C15L);
                output.submit(0, tuple);
                if (next % 3 == 0) {
                    output.submit(1, tuple);
                }
                return ++next < tuples;
            }
        };
    }

    /** What was recorded, in a form that must be the same for every placement. */
    Map<String, Long> recorded() {
        PipelineGraph described = graph.describe();
        var all = new TreeMap<String, Long>();
        for (Recorder recorder : recorders) {
            all.put(recorder.id + " count", recorder.count.sum());
            if (recorder.stateful) {
                recorder.byPath.forEach((path, digest) -> all.put(recorder.id + " path " + path, digest));
                if (isExact(described, recorder.id)) {
                    recorder.bySource.forEach((source, digest) -> all.put(recorder.id + " source " + source, digest));
                }
            }
        }
        return all;
    }

    /** Nothing on the way to it takes inputs in any order. */
    private boolean isExact(PipelineGraph described, int id) {
        return !inexact.contains(id)
                && described.streams().stream()
                        .filter(stream -> stream.to() == id)
                        .allMatch(stream -> isExact(described, stream.from()));
    }

    private final class Recorder implements TupleOperator {

        private final int id;
        private final boolean stateful;
        private final int keepOneOf;
        private final int work;
        private final LongAdder count = new LongAdder();
        private final Map<Long, Long> byPath = new TreeMap<>();
        private final Map<Integer, Long> bySource = new TreeMap<>();
        private volatile Thread inside;

        Recorder(int id, boolean stateful, int keepOneOf, int work) {
            this.id = id;
            this.stateful = stateful;
            this.keepOneOf = keepOneOf;
            this.work = work;
        }

        @Override
        public void process(int input, Object given, TupleOutput output) {
            var tuple = (Tuple) given;
            count.increment();
            if (stateful) {
                if (inside != null) {
                    violations.incrementAndGet();
                }
                inside = Thread.currentThread();
            }
            long path = tuple.path() * 31 + id * 7L + input + 1;
            long value = tuple.value() * 31 + input;
            for (int i = 0; i < work; i++) {
                value = value * 6364136223846793005L + 1442695040888963407L;
            }
            if (stateful) {
                byPath.merge(path, value, (before, now) -> before * 1_000_003 + now);
                bySource.merge(tuple.source(), value, (before, now) -> before * 1_000_003 + now);
                inside = null;
            }
            var next = new Tuple(tuple.source(), path, value);
            if (Math.floorMod(value >>> 32, keepOneOf) == 0) {
                output.submit(0, next);
            }
            if (value % 5 == 0) {
                output.submit(1, next);
            }
        }
    }
}

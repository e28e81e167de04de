package io.leeway.benchmarks.pipelining;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.pipelining.AutoPipelining;
import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineStatus.Phase;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.graph.OperatorGraph;
import io.leeway.pipelining.graph.RunningGraph;
import io.leeway.pipelining.internal.control.Controller;
import io.leeway.pipelining.internal.optimise.Loads;
import io.leeway.pipelining.internal.optimise.Optimiser;
import io.leeway.pipelining.internal.optimise.Search;
import io.leeway.pipelining.internal.simulate.VirtualChain;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All figures: {@code build/bench io.leeway.benchmarks.pipelining.PipeliningFigures [part ...]}. */
public final class PipeliningFigures {

    private static final Predicate<String> WORKERS =
            name -> name.startsWith("pipelining-source") || name.startsWith("pipelining-port");
    private static final int OPERATORS = 8;
    private static final Set<Integer> HALVES = Set.of(5);
    private static final int WARM_UP = 700;
    private static final int WINDOW = 1_000;
    private static final int ROUNDS = 9;

    private final Recorder recorder;

    private PipeliningFigures(String part) {
        recorder = Recorder.of("pipelining", "build/bench io.leeway.benchmarks.pipelining.PipeliningFigures " + part);
    }

    /** Runs the named parts, or all. */
    public static void main(String[] arguments) throws Exception {
        List<String> parts = arguments.length > 0
                ? List.of(arguments)
                : List.of(
                        "search",
                        "virtual",
                        "pause",
                        "profiler",
                        "gain",
                        "adaptation",
                        "applications",
                        "flink",
                        "agent");
        for (String part : parts) {
            var figures = new PipeliningFigures(part);
            switch (part) {
                case "search" -> figures.search();
                case "virtual" -> figures.virtual();
                case "pause" -> figures.pause();
                case "profiler" -> figures.profiler();
                case "gain" -> figures.gain();
                case "adaptation" -> figures.adaptation();
                case "applications" -> figures.applications();
                case "flink" -> FlinkFigures.measure(figures::record);
                case "agent" -> AgentFigures.measure(figures::record);
                default -> throw new IllegalArgumentException("no part " + part);
            }
        }
        System.exit(0); // Flink's threads are not all daemons.
    }

    private void record(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        System.out.printf("%-90s %12.3f %s%n", name, value, unit);
        recorder.record(name, value, unit, goal, better, peer);
    }

    /** Where figures go. */
    interface Sink {
        void record(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
                throws IOException;
    }

    // Chains of equal operators.

    /** A chain that runs, with what counts its tuples. */
    private record Chain(RunningGraph running, LongAdder count) implements AutoCloseable {
        @Override
        public void close() {
            running.close();
        }

        Meter.Reading read(int millis) throws InterruptedException {
            return Meter.read(count::sum, WORKERS, millis);
        }
    }

    private static Chain chain(int cost, int bytes) {
        var graph = new OperatorGraph();
        var count = new LongAdder();
        OperatorGraph.Vertex last = graph.source("source", Work.source(Long.MAX_VALUE, 8, bytes));
        for (int operator = 1; operator <= OPERATORS; operator++) {
            var next = graph.operator("o" + operator, Work.functor(cost));
            graph.connect(last, next);
            last = next;
        }
        var sink = graph.operator("sink", Work.sink(count, new LongAdder())).neverThreaded("it only counts");
        graph.connect(last, sink);
        return new Chain(graph.start(PipeliningOptions.defaults()), count);
    }

    /** Figure 27: two threads against one. */
    private void gain() throws Exception {
        for (int bytes : new int[] {16, 1_024, 16_384}) {
            for (int exponent = 2; exponent <= 14; exponent += 4) {
                double cpu = 0;
                double wall = 0;
                try (Chain chain = chain(1 << exponent, bytes)) {
                    TimeUnit.MILLISECONDS.sleep(WARM_UP);
                    var cpus = new ArrayList<Double>();
                    var walls = new ArrayList<Double>();
                    // Alternating, so that what else runs on the machine meets both alike.
                    for (int round = 0; round < 3; round++) {
                        chain.running.place(Set.of());
                        TimeUnit.MILLISECONDS.sleep(WARM_UP / 3);
                        Meter.Reading one = chain.read(WINDOW / 2);
                        chain.running.place(HALVES);
                        TimeUnit.MILLISECONDS.sleep(WARM_UP / 3);
                        Meter.Reading two = chain.read(WINDOW / 2);
                        cpus.add(one.busiest() / two.busiest());
                        walls.add(two.rate() / one.rate());
                    }
                    cpu = median(cpus);
                    wall = median(walls);
                }
                String name = "gain of a second thread, cost 2^" + exponent + ", " + bytes + " bytes: ";
                boolean heavy = exponent == 14 && bytes == 16;
                record(
                        name + "by CPU of the busiest thread",
                        cpu,
                        "×",
                        heavy ? 1.8 : null,
                        Better.HIGHER,
                        "one thread");
                record(name + "by throughput", wall, "×", heavy ? 1.8 : null, Better.HIGHER, "one thread, same run");
            }
        }
    }

    /** Figure 28: what sampling takes. */
    private void profiler() throws Exception {
        for (int exponent : new int[] {8, 12}) {
            profiler(exponent);
        }
    }

    private void profiler(int exponent) throws Exception {
        for (int rate : new int[] {10, 100, 1_000}) {
            try (Chain chain = chain(1 << exponent, 16)) {
                // Both ways have to be compiled, or the first stretches measure the compiler.
                for (int round = 0; round < 12; round++) {
                    chain.running.host().startProfile(rate);
                    TimeUnit.MILLISECONDS.sleep(WARM_UP / 4);
                    chain.running.host().stopProfile();
                    TimeUnit.MILLISECONDS.sleep(WARM_UP / 4);
                }
                var without = new ArrayList<Double>();
                var with = new ArrayList<Double>();
                Predicate<String> all = WORKERS.or(name -> name.equals("pipelining-sampler"));
                // Short stretches in both orders: what else runs on the machine meets both alike.
                for (int round = 0; round < 60; round++) {
                    boolean on = round % 4 == 1 || round % 4 == 2;
                    if (on) {
                        chain.running.host().startProfile(rate);
                    }
                    (on ? with : without)
                            .add(Meter.read(chain.count::sum, all, WINDOW / 8).total());
                    if (on) {
                        chain.running.host().stopProfile();
                    }
                }
                record(
                        "profiler, CPU it adds at " + rate + " samples/s, chain of 8 operators of 2^" + exponent,
                        Math.max(0, 100 * (median(with) / median(without) - 1)),
                        "%",
                        rate == 100 ? 1.0 : null,
                        Better.LOWER,
                        "profiler off, same run");
            }
        }
    }

    private void pause() throws Exception {
        try (Chain chain = chain(1 << 12, 16)) {
            TimeUnit.MILLISECONDS.sleep(WARM_UP);
            var in = new ArrayList<Double>();
            var out = new ArrayList<Double>();
            for (int round = 0; round < 200; round++) {
                in.add(chain.running.place(HALVES) / 1e6);
                TimeUnit.MILLISECONDS.sleep(3);
                out.add(chain.running.place(Set.of()) / 1e6);
                TimeUnit.MILLISECONDS.sleep(3);
            }
            record("pause of the flow, insertion: median", median(in), "ms", 1.0, Better.LOWER, "");
            record("pause of the flow, insertion: 90 of 100", share(in, 0.9), "ms", null, Better.LOWER, "");
            record("pause of the flow, removal: median", median(out), "ms", 1.0, Better.LOWER, "");
            record("pause of the flow, removal: 90 of 100", share(out, 0.9), "ms", null, Better.LOWER, "");
        }
    }

    private static Map<String, String> fast(int threads) {
        return new TreeMap<>(Map.of(
                "pipelining.start.delay", "1s",
                "pipelining.profile.period", "1s",
                "pipelining.evaluate.period", "700ms",
                "pipelining.threads", Integer.toString(threads)));
    }

    /** Figure 30 on this machine: throughput over time. */
    private void adaptation() throws Exception {
        for (int exponent : new int[] {4, 14}) {
            PipeliningOptions options = PipeliningOptions.of(fast(2));
            try (Chain chain = chain(1 << exponent, 16)) {
                TimeUnit.MILLISECONDS.sleep(WARM_UP);
                double sequential = chain.read(WINDOW).busiest();
                try (var keeper = AutoPipelining.start(chain.running.host(), options)) {
                    for (int second = 1; second <= 8; second++) {
                        record(
                                "adaptation, cost 2^" + exponent + ", gain by CPU of the busiest thread: second "
                                        + second,
                                sequential / chain.read(WINDOW).busiest(),
                                "×",
                                null,
                                Better.HIGHER,
                                "the second before it began");
                    }
                    for (PipelineDecision decision : keeper.status().decisions()) {
                        System.out.println("  " + decision);
                    }
                }
            }
        }
    }

    // Search.

    /** Figures 32 and 33. */
    private void search() throws IOException {
        Map<String, Search> searches = new TreeMap<>(Map.of(
                "basic", Search.BASIC.within(3_000_000),
                "pruned", Search.PRUNED.within(3_000_000),
                "sorted and pruned", Search.SORTED.within(3_000_000),
                "with bound", Search.DEFAULT.within(3_000_000)));
        for (int operators = 8; operators <= 64; operators *= 2) {
            String name = "search cost, reverse tree of " + operators + " operators: ";
            for (var search : searches.entrySet()) {
                record(
                        name + search.getKey(),
                        nodes(treeLoads(operators), search.getValue()),
                        "nodes",
                        null,
                        Better.LOWER,
                        "stopped at 3,000,000");
            }
        }
        for (double ratio : new double[] {0.5, 1, 2, 4}) {
            for (int operators : new int[] {20, 40, 80}) {
                String name = "search cost, random graph, sampled ratio " + ratio + ", " + operators + " operators: ";
                for (var search : searches.entrySet()) {
                    record(
                            name + search.getKey(),
                            nodes(randomLoads(operators, ratio), search.getValue()),
                            "nodes",
                            null,
                            Better.LOWER,
                            "stopped at 3,000,000");
                }
            }
        }
        var millis = new ArrayList<Double>();
        for (int round = 0; round < 400; round++) {
            Loads loads = randomLoads(100, round % 2 == 0 ? 0.5 : 2).get(round % 5);
            long begin = cpuNanos();
            Optimiser.optimise(loads, 0.8, Set.of(), Search.DEFAULT);
            millis.add((cpuNanos() - begin) / 1e6);
        }
        record("optimiser, 100 operators: median", median(millis), "ms", 10.0, Better.LOWER, "CPU time");
        record("optimiser, 100 operators: 99 of 100", share(millis, 0.99), "ms", 10.0, Better.LOWER, "CPU time");
        record("optimiser, 100 operators: the slowest", share(millis, 1), "ms", null, Better.LOWER, "CPU time");
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double nodes(List<Loads> all, Search search) {
        return all.stream()
                .mapToLong(loads ->
                        Optimiser.optimise(loads, 0.5, Set.of(), search).nodes())
                .average()
                .orElse(0);
    }

    /** Each leaf begins a thread whose path leads to the root; shares at random, five times. */
    private static List<Loads> treeLoads(int operators) {
        var all = new ArrayList<Loads>();
        for (int seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            var rows = new ArrayList<Loads.Row>();
            for (int leaf = operators / 2; leaf < operators; leaf++) {
                var path = new ArrayList<Integer>();
                for (int node = leaf; node >= 1; node /= 2) {
                    path.add(node);
                }
                rows.add(row(random, path));
            }
            all.add(new Loads(rows));
        }
        return all;
    }

    private static List<Loads> randomLoads(int operators, double ratio) {
        var all = new ArrayList<Loads>();
        int perThread = 5;
        int threads = Math.max(1, (int) Math.round(operators * ratio / perThread));
        for (int seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            var rows = new ArrayList<Loads.Row>();
            for (int thread = 0; thread < threads; thread++) {
                var path = new LinkedHashSet<Integer>();
                while (path.size() < perThread) {
                    path.add(random.nextInt(operators));
                }
                rows.add(row(random, new ArrayList<>(path)));
            }
            all.add(new Loads(rows));
        }
        return all;
    }

    /** Uniform exclusive shares along a path; what comes later is within what comes before. */
    private static Loads.Row row(Random random, List<Integer> path) {
        double[] own = new double[path.size() + 1];
        for (int place = 0; place < own.length; place++) {
            own[place] = random.nextDouble();
        }
        double total = 0.8 + 0.2 * random.nextDouble();
        double scale = total / Arrays.stream(own).sum();
        var ports = new TreeMap<Integer, Double>();
        double after = 0;
        for (int place = path.size() - 1; place >= 0; place--) {
            after += own[place] * scale;
            ports.put(path.get(place), after);
        }
        return Loads.Row.of(total, ports);
    }

    // More cores than there are.

    /** Figures 29 and 30 in virtual time, from costs measured here. */
    private void virtual() throws Exception {
        double multiplication = multiplicationNanos();
        double handOver;
        try (Chain chain = chain(1, 16)) {
            handOver = chain.running.host().handOverNanos();
        }
        record("virtual, measured: a multiplication", multiplication, "ns", null, Better.LOWER, "");
        record("virtual, measured: handing a tuple over", handOver, "ns", null, Better.LOWER, "");
        for (int exponent : new int[] {4, 8, 12, 16, 20}) {
            double[] costs = new double[OPERATORS + 1];
            Arrays.fill(costs, 1, costs.length, multiplication * (1 << exponent));
            double sequential = new VirtualChain(Long.MAX_VALUE, 8, handOver, handOver, false, costs).rate();
            for (int threads = 1; threads <= OPERATORS; threads++) {
                var chain = new VirtualChain(Long.MAX_VALUE, 8, handOver, handOver, false, costs);
                chain.place(balanced(threads));
                record(
                        "virtual, 8 cores, cost 2^" + exponent + ", threads: " + threads,
                        chain.rate() / sequential,
                        "×",
                        null,
                        Better.HIGHER,
                        "one thread, computed");
            }
            var chain = new VirtualChain(Long.MAX_VALUE, 8, handOver, handOver, false, costs);
            var controller =
                    new Controller(chain, chain, PipeliningOptions.of(Map.of("pipelining.threads", "8")), status -> {});
            controller.adapt();
            record(
                    "virtual, 8 cores, cost 2^" + exponent + ", automatic: gain",
                    chain.rate() / sequential,
                    "×",
                    null,
                    Better.HIGHER,
                    "one thread, computed");
            record(
                    "virtual, 8 cores, cost 2^" + exponent + ", automatic: rounds",
                    controller.status().decisions().size(),
                    "rounds",
                    null,
                    Better.LOWER,
                    "");
        }
    }

    /** Ports for so many threads, one at a time: the thread with most operators is cut in the middle. */
    private static Set<Integer> balanced(int threads) {
        var begins = new TreeSet<>(Set.of(1, OPERATORS + 1));
        while (begins.size() - 1 < threads) {
            int at = 1;
            int most = 0;
            Integer before = null;
            for (int begin : begins) {
                if (before != null && begin - before > most) {
                    most = begin - before;
                    at = before;
                }
                before = begin;
            }
            begins.add(at + most / 2);
        }
        begins.remove(1);
        begins.remove(OPERATORS + 1);
        return begins;
    }

    private static double multiplicationNanos() {
        double least = Double.POSITIVE_INFINITY;
        long sink = 0;
        for (int round = 0; round < 20; round++) {
            long begin = System.nanoTime();
            sink += Work.burn(round, 1 << 20);
            least = Math.min(least, (System.nanoTime() - begin) / (double) (1 << 20));
        }
        return sink == 42 ? least + 1e-12 : least;
    }

    // Applications.

    private void applications() throws Exception {
        for (String name : Applications.names()) {
            Map<String, Double> seconds = new TreeMap<>();
            long expected = 0;
            long tuples = tuples(name);
            for (String version : List.of("none", "by hand", "automatic")) {
                var app = Applications.build(name, tuples);
                long begin = System.nanoTime();
                try (RunningGraph running = app.graph.start(PipeliningOptions.defaults())) {
                    if (version.equals("by hand")) {
                        running.place(app.byHand);
                    }
                    if (version.equals("automatic")) {
                        try (var keeper = AutoPipelining.start(running.host(), PipeliningOptions.of(fast(2)))) {
                            running.join();
                            keeper.status().decisions().forEach(decision -> System.out.println("  " + decision));
                        }
                    } else {
                        running.join();
                    }
                }
                seconds.put(version, (System.nanoTime() - begin) / 1e9);
                if (version.equals("none")) {
                    expected = app.digest.sum();
                } else if (app.digest.sum() != expected) {
                    throw new IllegalStateException(name + ", " + version + ": another result");
                }
            }
            for (var version : seconds.entrySet()) {
                record(
                        name + ", whole run with its adaptation: " + version.getKey(),
                        version.getValue(),
                        "s",
                        null,
                        Better.LOWER,
                        "runs one after the other");
            }
            Map<String, List<Meter.Reading>> settled = settled(name);
            for (String version : List.of("by hand", "automatic")) {
                Double goal = version.equals("automatic") ? 0.97 : null;
                record(
                        name + ", settled, by CPU of the busiest thread: " + version,
                        busiest(settled, "none") / busiest(settled, version),
                        "×",
                        goal,
                        Better.HIGHER,
                        "no threads");
                record(
                        name + ", settled, by throughput: " + version,
                        gain(settled, version),
                        "×",
                        goal,
                        Better.HIGHER,
                        "no threads");
            }
        }
    }

    /** So many that a run without threads takes some ten seconds here. */
    private static long tuples(String name) throws InterruptedException {
        var app = Applications.build(name, Long.MAX_VALUE);
        try (RunningGraph running = app.graph.start(PipeliningOptions.defaults())) {
            TimeUnit.MILLISECONDS.sleep(WARM_UP);
            long first = running.host().processed().getOrDefault(0, 0L);
            TimeUnit.MILLISECONDS.sleep(WINDOW);
            return 10 * (running.host().processed().getOrDefault(0, 0L) - first);
        }
    }

    /**
     * Lets the controller settle, and then changes between no threads, those by hand and those that it kept, on the same
     * running graph in turn: so that what else runs on the machine meets all alike.
     */
    private static Map<String, List<Meter.Reading>> settled(String name) throws Exception {
        var app = Applications.build(name, Long.MAX_VALUE);
        Map<String, List<Meter.Reading>> readings = new TreeMap<>();
        try (RunningGraph running = app.graph.start(PipeliningOptions.defaults())) {
            Set<Integer> kept;
            try (var keeper = AutoPipelining.start(running.host(), PipeliningOptions.of(fast(2)))) {
                long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
                while (keeper.status().phase() != Phase.SETTLED && System.nanoTime() < limit) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                kept = running.host().ports();
                System.out.println("  " + name + " settled with " + kept);
            }
            Map<String, Set<Integer>> placements =
                    new TreeMap<>(Map.of("none", Set.of(), "by hand", app.byHand, "automatic", kept));
            for (int round = 0; round < ROUNDS; round++) {
                for (var placement : placements.entrySet()) {
                    running.place(placement.getValue());
                    TimeUnit.MILLISECONDS.sleep(WARM_UP / 4);
                    readings.computeIfAbsent(placement.getKey(), version -> new ArrayList<>())
                            .add(Meter.read(() -> running.host().processed().getOrDefault(0, 0L), WORKERS, WINDOW / 3));
                }
            }
        }
        return readings;
    }

    private static double busiest(Map<String, List<Meter.Reading>> readings, String version) {
        return median(Objects.requireNonNull(readings.get(version)).stream()
                .map(Meter.Reading::busiest)
                .toList());
    }

    /** Each reading against the one without threads of the same round. */
    private static double gain(Map<String, List<Meter.Reading>> readings, String version) {
        List<Meter.Reading> none = Objects.requireNonNull(readings.get("none"));
        List<Meter.Reading> with = Objects.requireNonNull(readings.get(version));
        var gains = new ArrayList<Double>();
        for (int round = 0; round < none.size(); round++) {
            gains.add(with.get(round).rate() / none.get(round).rate());
        }
        return median(gains);
    }

    static double median(List<Double> values) {
        return share(values, 0.5);
    }

    private static double share(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
    }
}

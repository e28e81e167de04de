package io.leeway.benchmarks.pipelining;

import io.leeway.benchmarks.results.Better;
import io.leeway.pipelining.AutoPipelining;
import io.leeway.pipelining.PipelineStatus.Phase;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.internal.agent.Changes;
import io.leeway.pipelining.flink.internal.chain.Chains;
import io.leeway.pipelining.flink.internal.host.FlinkHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/** A Flink job and queries after NEXMark's: as written, cut by hand, and with the agent. */
final class FlinkFigures {

    private static final LongAdder COUNT = new LongAdder();
    private static final int WINDOW = 2_000;
    private static final int ROUNDS = 16;
    /** Threads that run operators: tasks are called after their operators. */
    private static final Predicate<String> TASKS = name -> name.startsWith("Source: ")
            || name.startsWith("heavy")
            || name.startsWith("pipelining-heavy")
            || name.startsWith("pipelining-") && !name.contains("controller") && !name.contains("sampler");

    private FlinkFigures() {}

    /** A bid of an auction, after NEXMark. */
    public static final class Bid {
        public long auction;
        public long bidder;
        public long price;

        /** For Flink's serializer. */
        public Bid() {}
    }

    static void measure(PipeliningFigures.Sink sink) throws Exception {
        List<String> queries = List.of("job of two heavy operators", "Q1 (currency)", "Q2 (filter)", "Q5 (hot items)");
        Map<String, Meter.Reading> readings = new TreeMap<>();
        Map<String, Double> gains = new TreeMap<>();
        try (MiniCluster cluster = cluster()) {
            for (String query : queries) {
                // Once for the compiler: the first job of a process is interpreted for a while.
                run(cluster, query, false);
                readings.put(query + " none", run(cluster, query, false));
                readings.put(query + " by hand", run(cluster, query, true));
            }
            PipeliningOptions options = PipeliningOptions.of(Map.of(
                    "pipelining.start.delay", "1s",
                    "pipelining.profile.period", "1s",
                    "pipelining.evaluate.period", "700ms",
                    "pipelining.hand-over", "1us",
                    "pipelining.threads", "2"));
            Chains.configure(options);
            Changes.install(ByteBuddyAgent.install(), options);
            for (String query : queries) {
                readings.put(query + " agent without ports", run(cluster, query, false));
                Kept kept = runKept(cluster, query, options);
                readings.put(query + " same job", kept.none);
                readings.put(query + " automatic", kept.with);
                gains.put(query, kept.gain);
            }
        }
        for (String query : queries) {
            Meter.Reading written = Objects.requireNonNull(readings.get(query + " none"));
            sink.record(
                    "Flink, " + query + ", CPU of a record without threads",
                    written.total() / 1_000,
                    "µs",
                    null,
                    Better.LOWER,
                    "");
            for (String version : List.of("by hand", "agent without ports", "automatic")) {
                Meter.Reading with = Objects.requireNonNull(readings.get(query + " " + version));
                boolean auto = version.equals("automatic");
                Meter.Reading none = auto ? Objects.requireNonNull(readings.get(query + " same job")) : written;
                String peer = auto ? "the same running job without ports" : "as written, a run of its own";
                sink.record(
                        "Flink, " + query + ", by CPU of the busiest thread: " + version,
                        none.busiest() / with.busiest(),
                        "×",
                        auto ? 0.97 : null,
                        Better.HIGHER,
                        peer);
                sink.record(
                        "Flink, " + query + ", by throughput: " + version,
                        auto ? Objects.requireNonNull(gains.get(query)) : with.rate() / none.rate(),
                        "×",
                        auto ? 0.97 : null,
                        Better.HIGHER,
                        peer);
            }
        }
    }

    static MiniCluster cluster() throws Exception {
        var configuration = new Configuration();
        configuration.setString("rest.port", "0");
        configuration.setString("rest.bind-port", "0");
        configuration.setString("taskmanager.memory.network.min", "32m");
        configuration.setString("taskmanager.memory.network.max", "32m");
        configuration.setString("taskmanager.memory.managed.size", "32m");
        var cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .build());
        cluster.start();
        return cluster;
    }

    private static Meter.Reading run(MiniCluster cluster, String query, boolean byHand) throws Exception {
        JobGraph job = job(query, byHand);
        cluster.submitJob(job).get();
        TimeUnit.MILLISECONDS.sleep(2 * WINDOW);
        Meter.Reading reading = Meter.read(COUNT::sum, TASKS, WINDOW);
        end(cluster, job);
        return reading;
    }

    /**
     * A job without threads and with those that were kept.
     *
     * @param gain of throughput: in the middle of all rounds, each of which has both
     */
    private record Kept(Meter.Reading none, Meter.Reading with, double gain) {}

    private static Kept runKept(MiniCluster cluster, String query, PipeliningOptions options) throws Exception {
        JobGraph job = job(query, false);
        cluster.submitJob(job).get();
        TimeUnit.MILLISECONDS.sleep(WINDOW);
        try (var keeper = AutoPipelining.start(new FlinkHost(options), options)) {
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            while (keeper.status().phase() != Phase.SETTLED && System.nanoTime() < limit) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            System.out.println(keeper.text());
        }
        var host = new FlinkHost(options);
        Set<Integer> kept = host.ports();
        var none = new ArrayList<Meter.Reading>();
        var with = new ArrayList<Meter.Reading>();
        var gains = new ArrayList<Double>();
        // In turn and in both orders, so that what else runs on the machine meets both alike.
        for (int round = 0; round < ROUNDS; round++) {
            boolean isNoneFirst = round % 2 == 0;
            Meter.Reading first = read(host, isNoneFirst ? Set.of() : kept);
            Meter.Reading second = read(host, isNoneFirst ? kept : Set.of());
            none.add(isNoneFirst ? first : second);
            with.add(isNoneFirst ? second : first);
            gains.add(with.get(round).rate() / none.get(round).rate());
        }
        end(cluster, job);
        return new Kept(middle(none), middle(with), PipeliningFigures.median(gains));
    }

    private static Meter.Reading read(FlinkHost host, Set<Integer> ports) throws InterruptedException {
        host.place(ports);
        TimeUnit.MILLISECONDS.sleep(WINDOW / 10);
        return Meter.read(COUNT::sum, TASKS, WINDOW / 5);
    }

    private static Meter.Reading middle(List<Meter.Reading> readings) {
        return new Meter.Reading(
                PipeliningFigures.median(
                        readings.stream().map(Meter.Reading::rate).toList()),
                PipeliningFigures.median(
                        readings.stream().map(Meter.Reading::busiest).toList()),
                PipeliningFigures.median(
                        readings.stream().map(Meter.Reading::total).toList()));
    }

    /** What jobs do in so many milliseconds. */
    static Meter.Reading read(long millis) throws InterruptedException {
        return Meter.read(COUNT::sum, TASKS, millis);
    }

    private static void end(MiniCluster cluster, JobGraph job) throws Exception {
        cluster.cancelJob(job.getJobID()).get();
        cluster.requestJobResult(job.getJobID()).get();
    }

    static JobGraph job(String query, boolean byHand) {
        var env = StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        env.setParallelism(1);
        SingleOutputStreamOperator<Bid> bids = env.fromSequence(0, Long.MAX_VALUE - 1)
                .name("bids")
                .map(new Generate())
                .name("generate");
        SingleOutputStreamOperator<Bid> before;
        SingleOutputStreamOperator<Bid> after;
        switch (query) {
            case "Q1 (currency)" -> {
                before = bids;
                after = before.map(new Heavy(0)).name("heavy currency");
            }
            case "Q2 (filter)" -> {
                before = bids;
                after = before.filter(bid -> bid.auction % 123 < 60).name("heavy filter");
            }
            case "Q5 (hot items)" -> {
                before = bids.map(new Heavy(2_000)).name("heavy parse");
                after = DataStreamUtils.reinterpretAsKeyedStream(before, bid -> bid.auction, Types.LONG)
                        .process(new HotItems())
                        .name("heavy hot items");
            }
            default -> {
                before = bids.map(new Heavy(10_000)).name("heavy first");
                after = before.map(new Heavy(10_000)).name("heavy second");
            }
        }
        if (byHand) {
            after.startNewChain();
        }
        after.map(new Counted())
                .name("heavy count")
                .sinkTo(new DiscardingSink<>())
                .name("heavy sink");
        return env.getStreamGraph().getJobGraph();
    }

    private static final class Generate implements MapFunction<Long, Bid> {
        @Override
        public Bid map(Long number) {
            var bid = new Bid();
            bid.auction = number % 1_000;
            bid.bidder = number * 31 % 5_000;
            bid.price = number % 10_007;
            return bid;
        }
    }

    private static final class Heavy implements MapFunction<Bid, Bid> {
        private final int cost;

        Heavy(int cost) {
            this.cost = cost;
        }

        @Override
        public Bid map(Bid bid) {
            bid.price = Work.burn(bid.price * 908 / 1_000, cost);
            return bid;
        }
    }

    /** Counts of auctions, kept in state. */
    private static final class HotItems extends KeyedProcessFunction<Long, Bid, Bid> {
        private transient ValueState<Long> count;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        }

        @Override
        public void processElement(Bid bid, Context context, Collector<Bid> out) throws Exception {
            Long before = count.value();
            long now = before == null ? 1 : before + 1;
            count.update(now);
            bid.price = Work.burn(bid.price + now, 2_000);
            out.collect(bid);
        }
    }

    private static final class Counted implements MapFunction<Bid, Bid> {
        @Override
        public Bid map(Bid bid) {
            COUNT.increment();
            return bid;
        }
    }
}

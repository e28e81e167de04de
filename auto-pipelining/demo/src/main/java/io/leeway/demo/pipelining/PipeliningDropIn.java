package io.leeway.demo.pipelining;

import io.leeway.demo.Bars;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import io.leeway.pipelining.AutoPipelining;
import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineStatus;
import io.leeway.pipelining.PipelineStatus.Phase;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.internal.agent.Changes;
import io.leeway.pipelining.flink.internal.chain.Chains;
import io.leeway.pipelining.flink.internal.host.FlinkHost;
import io.leeway.pipelining.internal.view.GraphPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A Flink job whose four operators share one thread, until the agent comes while it runs. */
public final class PipeliningDropIn implements DropIn {

    private static final LongAdder RECORDS = new LongAdder();
    private static final int COST = 8_000;

    /** What {@code ./demo} starts. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new PipeliningDropIn(), arguments);
    }

    @Override
    public String name() {
        return "pipelining";
    }

    @Override
    public String title() {
        return "auto-pipelining: a running Flink job gets threads where they help";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Teller teller = context.teller();
        teller.text(
                "A Flink cluster starts, with a job of four heavy operators. Flink chains them: one thread runs them"
                        + " all, and the other cores have nothing to do.");
        teller.code("numbers -> parse -> enrich -> score -> store");
        var rates = new ArrayList<Bars.Bar>();
        try (MiniCluster cluster = cluster()) {
            JobGraph job = job();
            cluster.submitJob(job).get();
            awaitRecords();
            TimeUnit.SECONDS.sleep(context.shortOrLong(2, 5));
            double before = rate(context);
            rates.add(new Bars.Bar("as it was, one thread", before));

            teller.heading("The agent comes while the job runs");
            PipeliningOptions options = options(context);
            Chains.configure(options);
            Changes.install(ByteBuddyAgent.install(), options);
            PipelineStatus settled = keep(context, options);
            double after = rate(context);
            rates.add(new Bars.Bar("with the threads that it kept", after));
            tell(context, settled);
            teller.bars(new Bars("Records of the job, which was never stopped", "1/s", rates));
            teller.text("With %d cores, on which this demo runs too. What did not help was taken back."
                    .formatted(Runtime.getRuntime().availableProcessors()));
            cluster.cancelJob(job.getJobID()).get();
            cluster.requestJobResult(job.getJobID()).get();
        }
    }

    /** On a busy machine the job may take long to begin, and would seem to do nothing. */
    private static void awaitRecords() throws InterruptedException {
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (RECORDS.sum() == 0) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException("the job has not begun in two minutes");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static PipelineStatus keep(DemoContext context, PipeliningOptions options) throws Exception {
        try (var keeper = AutoPipelining.start(new FlinkHost(options), options)) {
            long patience = TimeUnit.SECONDS.toNanos(context.shortOrLong(30, 90));
            long begin = System.nanoTime();
            while (keeper.status().phase() != Phase.SETTLED && System.nanoTime() - begin < patience) {
                context.teller()
                        .progress(
                                keeper.status().phase().name().toLowerCase(Locale.ROOT),
                                Math.min(1, (System.nanoTime() - begin) / (double) patience));
                TimeUnit.MILLISECONDS.sleep(200);
            }
            return keeper.status();
        }
    }

    private static void tell(DemoContext context, PipelineStatus status) throws IOException {
        var rows = new ArrayList<List<String>>();
        for (PipelineDecision decision : status.decisions()) {
            rows.add(List.of(
                    String.join(
                            ", ",
                            decision.ports().stream().map(status.graph()::name).toList()),
                    String.format(Locale.ROOT, "%.2f×", decision.predictedGain()),
                    String.format(Locale.ROOT, "%.2f×", decision.measuredGain()),
                    String.format(Locale.ROOT, "%.3f ms", decision.pauseNanos() / 1e6),
                    decision.outcome().name().toLowerCase(Locale.ROOT)));
        }
        context.teller()
                .table(new Table(
                        "Its decisions",
                        List.of("a thread before", "predicted, at most", "measured", "change took", "outcome"),
                        rows));
        Path page = context.directory().resolve("pipelining-graph.html");
        Files.writeString(page, GraphPage.of(status));
        context.teller().page("The graph with its threads", page);
    }

    private static double rate(DemoContext context) throws InterruptedException {
        long first = RECORDS.sum();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(context.shortOrLong(2, 5));
        return (RECORDS.sum() - first) * 1e9 / (System.nanoTime() - begin);
    }

    private static PipeliningOptions options(DemoContext context) {
        return PipeliningOptions.of(Map.of(
                "pipelining.start.delay", "1s",
                "pipelining.profile.period", context.isShort() ? "1s" : "3s",
                "pipelining.evaluate.period", context.isShort() ? "1s" : "3s"));
    }

    private static MiniCluster cluster() throws Exception {
        var configuration = new Configuration();
        configuration.setString("rest.port", "0");
        configuration.setString("rest.bind-port", "0");
        configuration.setString("taskmanager.memory.network.min", "32m");
        configuration.setString("taskmanager.memory.network.max", "32m");
        configuration.setString("taskmanager.memory.managed.size", "32m");
        var cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .build());
        cluster.start();
        return cluster;
    }

    private static JobGraph job() {
        var configuration = new Configuration();
        configuration.setString("execution.checkpointing.interval", "500 ms");
        var env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        env.fromSequence(0, Long.MAX_VALUE - 1)
                .name("numbers")
                .map(new Heavy())
                .name("parse")
                .map(new Heavy())
                .name("enrich")
                .map(new Heavy())
                .name("score")
                .map(new Stored())
                .name("store")
                .sinkTo(new DiscardingSink<>())
                .name("sink");
        return env.getStreamGraph().getJobGraph();
    }

    private static long burn(long value) {
        long burnt = value;
        for (int i = 0; i < COST; i++) {
            burnt = burnt * 6364136223846793005L + 1442695040888963407L;
        }
        return burnt;
    }

    private static final class Heavy implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) {
            return burn(number);
        }
    }

    private static final class Stored implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) {
            RECORDS.increment();
            return burn(number);
        }
    }
}

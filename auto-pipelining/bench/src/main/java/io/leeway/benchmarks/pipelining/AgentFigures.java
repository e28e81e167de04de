package io.leeway.benchmarks.pipelining;

import io.leeway.benchmarks.results.Better;
import io.leeway.pipelining.AutoPipelining;
import io.leeway.pipelining.PipelineStatus.Phase;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.internal.agent.Changes;
import io.leeway.pipelining.flink.internal.chain.Chains;
import io.leeway.pipelining.flink.internal.host.FlinkHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;

/**
 * Jobs too light for threads, with the agent once it has settled against the same without it, each in a JVM of its own: in
 * one JVM the compiler remembers what ran before, and judges calls by that.
 */
final class AgentFigures {

    private static final int ROUNDS = 3;
    private static final int SECONDS = 10;
    private static final String READING = "reading ";

    private AgentFigures() {}

    static void measure(PipeliningFigures.Sink sink) throws Exception {
        for (String query : List.of("Q1 (currency)", "Q2 (filter)")) {
            Map<String, List<Meter.Reading>> readings = new TreeMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (String version : round % 2 == 0 ? List.of("none", "agent") : List.of("agent", "none")) {
                    readings.computeIfAbsent(version, any -> new ArrayList<>()).add(inProcess(query, version));
                }
            }
            String name = "Flink, " + query + ", with the agent, settled, by ";
            List<Meter.Reading> none = Objects.requireNonNull(readings.get("none"));
            List<Meter.Reading> agent = Objects.requireNonNull(readings.get("agent"));
            String peer = "without the agent; processes of their own, " + ROUNDS + " each";
            sink.record(
                    name + "CPU of the busiest thread",
                    PipeliningFigures.median(
                                    none.stream().map(Meter.Reading::busiest).toList())
                            / PipeliningFigures.median(
                                    agent.stream().map(Meter.Reading::busiest).toList()),
                    "×",
                    0.97,
                    Better.HIGHER,
                    peer);
            sink.record(
                    name + "throughput",
                    PipeliningFigures.median(
                                    agent.stream().map(Meter.Reading::rate).toList())
                            / PipeliningFigures.median(
                                    none.stream().map(Meter.Reading::rate).toList()),
                    "×",
                    0.97,
                    Better.HIGHER,
                    peer);
        }
    }

    private static Meter.Reading inProcess(String query, String version) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                AgentFigures.class.getName(),
                query,
                version);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(READING)) {
                    String[] words = line.substring(READING.length()).split(" ");
                    System.out.println("  " + query + ", " + version + ": " + line);
                    return new Meter.Reading(
                            Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
                }
            }
        } finally {
            process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
        }
        throw new IllegalStateException("no reading of " + query + ", " + version);
    }

    /** One job, in a process of its own. */
    public static void main(String[] arguments) throws Exception {
        String query = arguments[0];
        boolean isAgent = arguments[1].equals("agent");
        PipeliningOptions options = PipeliningOptions.of(Map.of(
                "pipelining.start.delay", "1s",
                "pipelining.profile.period", "1s",
                "pipelining.evaluate.period", "700ms",
                "pipelining.threads", "2"));
        if (isAgent) {
            Chains.configure(options);
            Changes.install(ByteBuddyAgent.install(), options);
        }
        try (MiniCluster cluster = FlinkFigures.cluster()) {
            JobGraph job = FlinkFigures.job(query, false);
            cluster.submitJob(job).get();
            if (isAgent) {
                try (var keeper = AutoPipelining.start(new FlinkHost(options), options)) {
                    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
                    while (keeper.status().phase() != Phase.SETTLED && System.nanoTime() < limit) {
                        TimeUnit.MILLISECONDS.sleep(50);
                    }
                    read();
                }
            } else {
                TimeUnit.SECONDS.sleep(SECONDS);
                read();
            }
        }
        System.exit(0); // Flink's threads are not all daemons.
    }

    private static void read() throws InterruptedException {
        Meter.Reading reading = FlinkFigures.read(SECONDS * 1_000L);
        System.out.println(READING + reading.rate() + " " + reading.busiest() + " " + reading.total());
    }
}

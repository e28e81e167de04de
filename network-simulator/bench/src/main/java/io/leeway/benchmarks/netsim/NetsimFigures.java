package io.leeway.benchmarks.netsim;

import com.sun.management.OperatingSystemMXBean;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.netsim.Experiment;
import io.leeway.netsim.Report;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Agreement with the published tables, the paper's orderings, and speed: {@code speed}, {@code training}, {@code jobs}. */
public final class NetsimFigures {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "."));
    private static final List<String> ORDER =
            List.of("aggregation", "multicast", "both", "ring", "ring-multicast", "butterfly");

    private final Recorder recorder;

    private NetsimFigures(String part) {
        recorder = Recorder.of("netsim", "build/bench io.leeway.benchmarks.netsim.NetsimFigures " + part);
    }

    /** Runs the named parts, or all. */
    public static void main(String[] arguments) throws Exception {
        List<String> parts = arguments.length > 0 ? List.of(arguments) : List.of("speed", "training", "jobs");
        for (String part : parts) {
            NetsimFigures figures = new NetsimFigures(part);
            switch (part) {
                case "speed" -> figures.speed();
                case "training" -> figures.training();
                case "jobs" -> figures.jobs();
                default -> throw new IllegalArgumentException("no part " + part + "; there are speed, training, jobs");
            }
        }
    }

    private static Report run(String yaml) throws Exception {
        return Experiment.parse(yaml, ROOT).run(share -> {});
    }

    private static Report shipped(String name) throws Exception {
        return run(Files.readString(ROOT.resolve("network-simulator/experiments/" + name + ".yaml")));
    }

    private static double cpuSeconds() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system.getProcessCpuTime() / 1e9;
    }

    /** CPU of the whole process, so compiler and collector too; after one run that warms up. */
    private void speed() throws Exception {
        String yaml = """
                study: jobs
                topology: %s
                rate: 40Gbps
                sizes: fbhd
                messages: 20
                jobs: %d
                load: 0.6
                msr: 1
                seconds: 10
                transports: [dctcp-es]
                """;
        run(yaml.formatted("fat-tree 12", 200));
        double before = cpuSeconds();
        Report fatTree = run(yaml.formatted("fat-tree 12", 1_000));
        double cpu = cpuSeconds() - before;
        recorder.record(
                "fat-tree of 12, 432 hosts, DCTCP, FBHD, load 0.6: events a CPU second",
                fatTree.events() / cpu / 1e6,
                "M/s",
                3.0,
                Better.HIGHER,
                "htsim 1.6 to 3.7, ns-3 0.1 (published runs on other machines)");
        recorder.record(
                "fat-tree of 12, 432 hosts, DCTCP, FBHD, load 0.6: packets delivered a CPU second",
                fatTree.packets() / cpu / 1e3,
                "k/s",
                150.0,
                Better.HIGHER,
                "htsim 75 to 119 (published runs on other machines)");
        before = cpuSeconds();
        Report tiers = run(yaml.formatted("three-tier-192", 600));
        cpu = cpuSeconds() - before;
        recorder.record(
                "192 hosts in three tiers, DCTCP, FBHD, load 0.6: events a CPU second",
                tiers.events() / cpu / 1e6,
                "M/s",
                3.0,
                Better.HIGHER,
                "");
    }

    private void training() throws Exception {
        Report report = shipped("training-speedups");
        double[][] published = {
            {1.34, 1.69, 3.28, 3.35, 3.41, 3.41},
            {1.89, 1.94, 22.0, 24.6, 24.6, 11.3},
            {1.65, 1.79, 6.07, 6.55, 6.71, 6.46},
            {1.65, 1.85, 6.7, 6.75, 6.76, 6.79}
        };
        List<String> models = List.of("inception-v3", "vgg-16", "resnet-101", "resnet-200");
        double worst = 0;
        for (int i = 0; i < models.size(); i++) {
            for (int j = 0; j < ORDER.size(); j++) {
                double value = report.value("speedup", models.get(i), ORDER.get(j));
                worst = Math.max(worst, Math.abs(value / published[i][j] - 1));
                recorder.record(
                        "table 4.4, " + models.get(i) + ", " + ORDER.get(j) + ": speed-up",
                        value,
                        "×",
                        null,
                        Better.HIGHER,
                        "published: " + published[i][j]);
            }
        }
        recorder.record(
                "table 4.4: largest deviation from the published speed-ups",
                worst * 100,
                "%",
                15.0,
                Better.LOWER,
                "24 figures");
        Report processors = shipped("training-processors");
        for (String speed : List.of("1", "2", "3", "4", "6", "8")) {
            for (String mechanism : List.of("both", "ring", "butterfly")) {
                recorder.record(
                        "ResNet-200, processors " + speed + " times as fast, " + mechanism + ": speed-up",
                        processors.value("speedup", "resnet-200", mechanism, "32", "25", speed),
                        "×",
                        null,
                        Better.HIGHER,
                        "");
            }
        }
    }

    private void jobs() throws Exception {
        for (String name : List.of("all-to-all-fbkv", "all-to-all-fbhd", "incast-fbkv", "exact-beside")) {
            Report report = shipped(name);
            for (List<String> row : report.rows()) {
                String start = name + ", " + row.get(0) + ", MSR " + row.get(1) + ": ";
                for (String column :
                        List.of("time ms", "exact ms", "loss", "size ratio", "queue packets", "unfinished")) {
                    double value = report.value(column, row.get(0), row.get(1));
                    if (!Double.isNaN(value)) {
                        recorder.record(
                                start + column, value, column.endsWith("ms") ? "ms" : "", null, Better.LOWER, "");
                    }
                }
            }
        }
    }
}

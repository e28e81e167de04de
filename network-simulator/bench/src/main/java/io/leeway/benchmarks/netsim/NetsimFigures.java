package io.leeway.benchmarks.netsim;

import com.sun.management.OperatingSystemMXBean;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.netsim.Experiment;
import io.leeway.netsim.Report;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Agreement with the published tables and figures and with other simulators, speed, and a whole second of 192 hosts:
 * {@code speed}, {@code training}, {@code jobs}, {@code peers}, {@code second}.
 */
public final class NetsimFigures {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "."));
    private static final Path EXPERIMENTS = ROOT.resolve("network-simulator/experiments");
    /** {@code speedup{model=vgg-16, mechanism=ring} ~ 24.6 within 5 %}. */
    private static final Pattern PUBLISHED =
            Pattern.compile("(.+?)(?:\\{(.*)\\})?(?: \\* ([\\d.]+))? ~ ([\\d.]+)(?: within [\\d.]+ %)?");

    /** {@code goodput Gbps{group=S2} ~ 0.471 within 5 %} or {@code p99 ms{transport=atp} <= 2.5}. */
    private static final Pattern PEER = Pattern.compile("(.+?)\\{(.*)\\} (~|<=|>=) ([\\d.]+)(?: within [\\d.]+ %)?");

    private static final Pattern FIRST_NUMBER = Pattern.compile("([-\\d.e+]+) .*");

    private static final Pattern MEASURED = Pattern.compile("([-\\d.e+]+) \\([-+][\\d.]+ %\\)");

    private final Recorder recorder;

    private NetsimFigures(String part) {
        recorder = Recorder.of("netsim", "build/bench io.leeway.benchmarks.netsim.NetsimFigures " + part);
    }

    /** Runs the named parts, or all. */
    public static void main(String[] arguments) throws Exception {
        List<String> parts =
                arguments.length > 0 ? List.of(arguments) : List.of("speed", "training", "jobs", "peers", "second");
        for (String part : parts) {
            NetsimFigures figures = new NetsimFigures(part);
            String[] words = part.split(":", 2);
            switch (words[0]) {
                case "speed" -> figures.speed();
                case "training" -> figures.training();
                case "jobs" -> figures.jobs();
                case "peers" -> figures.peers();
                case "second" -> figures.second(words.length > 1 ? words[1] : "1");
                default ->
                    throw new IllegalArgumentException(
                            "no part " + part + "; there are speed, training, jobs, peers, second");
            }
        }
    }

    private static Report run(String yaml) throws Exception {
        return Experiment.parse(yaml, ROOT).run(share -> {});
    }

    private static double cpuSeconds() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system.getProcessCpuTime() / 1e9;
    }

    private static String hadoop(String topology, int jobs, double seconds) {
        return """
            study: jobs
            topology: %s
            rate: 40Gbps
            sizes: fbhd
            messages: 20
            jobs: %d
            load: 0.6
            msr: 1
            seconds: %s
            transports: [dctcp-es]
            """.formatted(topology, jobs, seconds);
    }

    /** CPU of the whole process, so compiler and collector too; after one run that warms up. */
    private void speed() throws Exception {
        run(hadoop("fat-tree 12", 200, 10));
        double before = cpuSeconds();
        Report fatTree = run(hadoop("fat-tree 12", 1_000, 10));
        double cpu = cpuSeconds() - before;
        String name = "fat-tree of 12, 432 hosts, DCTCP, FBHD, load 0.6: ";
        recorder.record(
                name + "events a CPU second",
                fatTree.events() / cpu / 1e6,
                "M/s",
                3.0,
                Better.HIGHER,
                "htsim 1.6 to 3.7, ns-3 0.1 (published runs on other machines)");
        recorder.record(
                name + "packets delivered a CPU second",
                fatTree.packets() / cpu / 1e3,
                "k/s",
                150.0,
                Better.HIGHER,
                "htsim 75 to 119 (published runs on other machines)");
        before = cpuSeconds();
        Report tiers = run(hadoop("three-tier-192", 600, 10));
        cpu = cpuSeconds() - before;
        recorder.record(
                "192 hosts in three tiers, DCTCP, FBHD, load 0.6: events a CPU second",
                tiers.events() / cpu / 1e6,
                "M/s",
                3.0,
                Better.HIGHER,
                "");
    }

    /** One simulated second, or as much of it as {@code second:0.05} says; as many jobs as start in it. */
    private void second(String seconds) throws Exception {
        double before = cpuSeconds();
        Report report = run(hadoop("fat-tree-192", 100_000_000, Double.parseDouble(seconds)));
        double cpu = cpuSeconds() - before;
        String name = "fat-tree of 192 hosts, 40 Gbit/s, DCTCP, FBHD, load 0.6, " + seconds + " simulated seconds: ";
        recorder.record(name + "CPU minutes", cpu / 60, "min", null, Better.LOWER, "");
        recorder.record(name + "packets delivered", report.packets() / 1e6, "M", null, Better.HIGHER, "");
        recorder.record(name + "events", report.events() / 1e9, "G", null, Better.HIGHER, "");
        recorder.record(name + "events a CPU second", report.events() / cpu / 1e6, "M/s", 3.0, Better.HIGHER, "");
        long used = Runtime.getRuntime().totalMemory();
        recorder.record(name + "heap at the end", used / 1e6, "MB", null, Better.LOWER, "");
    }

    private static List<Path> shipped(String folder) throws IOException {
        try (var files = Files.list(EXPERIMENTS.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    private static Report run(Path file) throws Exception {
        return Experiment.parse(Files.readString(file), file.resolveSibling("."))
                .run(share -> {});
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).replace(".yaml", "");
    }

    private void training() throws Exception {
        double worst = 0;
        int held = 0;
        int all = 0;
        for (Path file : shipped("training")) {
            Report report = run(file);
            for (Report.Verdict verdict : report.verdicts()) {
                all++;
                held += verdict.holds() ? 1 : 0;
                Matcher claim = PUBLISHED.matcher(verdict.claim());
                Matcher measured = MEASURED.matcher(verdict.measured());
                if (claim.matches() && measured.matches()) {
                    double value = Double.parseDouble(measured.group(1));
                    double published = Double.parseDouble(claim.group(4));
                    if (name(file).equals("table-4.4")) {
                        worst = Math.max(worst, Math.abs(value / published - 1));
                    }
                    String of = claim.group(2) == null ? "" : ", " + values(claim.group(2));
                    recorder.record(
                            name(file) + of + ": " + claim.group(1),
                            value,
                            claim.group(1).equals("seconds") ? "s" : "×",
                            null,
                            Better.LOWER,
                            "published: " + claim.group(4) + (verdict.holds() ? "" : "; " + verdict.outcome()));
                }
            }
        }
        recorder.record(
                "table 4.4: largest deviation from the published speed-ups",
                worst * 100,
                "%",
                15.0,
                Better.LOWER,
                "24 figures");
        recorder.record(
                "the chapter's tables and figures: statements that hold",
                held,
                "of " + all,
                null,
                Better.HIGHER,
                "the others have their reason in the experiment's file");
    }

    private static String values(String cells) {
        return cells.replaceAll("(model|mechanism|transport)=", "").replace("=", " ");
    }

    /** What other simulators publish for the same runs. */
    private void peers() throws Exception {
        int held = 0;
        int all = 0;
        for (Path file : shipped("peers")) {
            // Several may have published the same.
            Map<String, Double> measured = new LinkedHashMap<>();
            Map<String, String> published = new LinkedHashMap<>();
            for (Report.Verdict verdict : run(file).verdicts()) {
                all++;
                held += verdict.holds() ? 1 : 0;
                Matcher claim = PEER.matcher(verdict.claim());
                Matcher number = FIRST_NUMBER.matcher(verdict.measured());
                if (claim.matches() && number.matches()) {
                    String name = name(file) + ", " + values(claim.group(2)) + ": " + claim.group(1);
                    measured.put(name, Double.parseDouble(number.group(1)));
                    String bound =
                            claim.group(3).equals("~") ? "" : claim.group(3).equals("<=") ? "at most " : "at least ";
                    published.merge(
                            name,
                            "published: " + bound + claim.group(4) + (verdict.holds() ? "" : "; " + verdict.outcome()),
                            (one, other) -> one + "; " + other);
                }
            }
            for (var entry : measured.entrySet()) {
                String column = entry.getKey();
                String unit = column.endsWith(" ms") ? "ms" : column.endsWith(" Gbps") ? "Gbit/s" : "";
                recorder.record(
                        column,
                        entry.getValue(),
                        unit,
                        null,
                        unit.equals("ms") ? Better.LOWER : Better.HIGHER,
                        published.getOrDefault(column, ""));
            }
        }
        recorder.record(
                "other simulators' published figures: statements that hold",
                held,
                "of " + all,
                null,
                Better.HIGHER,
                "the others have their reason in the experiment's file");
    }

    private void jobs() throws Exception {
        int held = 0;
        int all = 0;
        for (Path file : shipped("jobs")) {
            Report report = run(file);
            for (Report.Verdict verdict : report.verdicts()) {
                all++;
                held += verdict.holds() ? 1 : 0;
            }
            if (report.columns().contains("time ms")) {
                for (List<String> row : report.rows()) {
                    recordRow(name(file), report.columns(), row);
                }
            }
        }
        recorder.record(
                "the paper's figures: statements that hold in all cases",
                held,
                "of " + all,
                null,
                Better.HIGHER,
                "the others have their reason in the experiment's file");
    }

    private void recordRow(String experiment, List<String> columns, List<String> row) throws IOException {
        String start = experiment + ", " + row.get(0) + ", MSR " + row.get(1) + ", load " + row.get(2)
                + (row.get(3).equals("0") ? "" : ", exact share " + row.get(3))
                + (experiment.contains("fairness") ? ", beside " + row.get(4) : "") + ": ";
        for (String column : List.of("exact ms", "loss", "queue packets", "size distance", "size ratio", "time ms")) {
            String cell = row.get(columns.indexOf(column));
            if (!cell.equals("-")) {
                recorder.record(
                        start + column.replace(" ms", ""),
                        Double.parseDouble(cell),
                        column.endsWith("ms") ? "ms" : "",
                        null,
                        Better.LOWER,
                        "");
            }
        }
    }
}

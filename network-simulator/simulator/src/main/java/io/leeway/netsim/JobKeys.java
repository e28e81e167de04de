package io.leeway.netsim;

import static io.leeway.netsim.ExperimentFile.between;
import static io.leeway.netsim.ExperimentFile.whole;

import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.workload.Arrivals;
import io.leeway.netsim.internal.workload.Background;
import io.leeway.netsim.internal.workload.FlowTrace;
import io.leeway.netsim.internal.workload.Sizes;
import io.leeway.netsim.internal.workload.Workload;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What the keys of jobs and of the network mean. */
final class JobKeys {

    private static final Pattern BESIDE =
            Pattern.compile("(\\w+) x ([1-9]\\d{0,5}), msr (0?\\.\\d{1,4}|1), load ((?:0|1)?(?:\\.\\d{1,4})?)");

    private JobKeys() {}

    static FabricConfig network(ExperimentFile file) {
        double rate = file.one(ExperimentKey.RATE, 40e9, Experiment::rate);
        long delay = file.one(ExperimentKey.DELAY, 1_000_000L, Experiment::delay);
        return FabricConfig.netApprox(rate, delay)
                .buffered(file.one(ExperimentKey.BUFFER, 1_500_000, whole(100_000, 1_000_000_000)))
                .marking((long) FabricConfig.MTU * file.one(ExperimentKey.MARK, 65, whole(1, 100_000)));
    }

    static Topology topology(ExperimentFile file) {
        return file.one(ExperimentKey.TOPOLOGY, Topology.star(16), JobKeys::topology);
    }

    /** The workload of a study of jobs, for shares, loads and the like that are swept. */
    static Workload workload(ExperimentFile file, Path directory, Topology topology) {
        List<FlowTrace.Job> trace = trace(file, directory, topology.hosts());
        Workload workload = new Workload(
                file.one(ExperimentKey.PATTERN, Workload.Pattern.ALL_TO_ALL, JobKeys::pattern),
                file.one(ExperimentKey.SIZES, new Sizes.Fixed(1), Sizes::of),
                file.one(ExperimentKey.ARRIVALS, new Arrivals.Together(), Arrivals::of),
                file.one(ExperimentKey.MESSAGES, 1, whole(1, 1_000_000)),
                file.one(ExperimentKey.JOBS, 1, whole(1, 100_000_000)),
                1,
                0,
                0,
                file.one(ExperimentKey.AFTER, 0L, Experiment::delay),
                file.all(ExperimentKey.BESIDE, JobKeys::beside),
                background(file, topology),
                trace);
        if (workload.pattern() == Workload.Pattern.PERMUTATION && topology.hosts() % 2 != 0) {
            file.problem(
                    NetsimError.NS06,
                    file.lineOf(ExperimentKey.PATTERN),
                    "a permutation needs an even number of hosts, not " + topology.hosts()
                            + "; change the topology or the pattern");
        }
        return workload;
    }

    /** One job from host 1 to host 0. */
    static Workload followed(ExperimentFile file, Topology topology) {
        return new Workload(
                Workload.Pattern.PAIR,
                file.one(ExperimentKey.SIZES, new Sizes.Fixed(1), Sizes::of),
                file.one(ExperimentKey.ARRIVALS, new Arrivals.Together(), Arrivals::of),
                file.one(ExperimentKey.MESSAGES, 1, whole(1, 1_000_000)),
                1,
                1,
                0,
                0,
                file.one(ExperimentKey.AFTER, 0L, Experiment::delay),
                List.of(),
                background(file, topology),
                List.of());
    }

    private static List<Background.Phase> background(ExperimentFile file, Topology topology) {
        List<Background.Phase> phases = file.all(ExperimentKey.BACKGROUND, Background.Phase::of);
        for (int i = 1; i < phases.size(); i++) {
            if (phases.get(i).at() <= phases.get(i - 1).at()) {
                file.problem(
                        NetsimError.NS06,
                        file.lineOf(ExperimentKey.BACKGROUND),
                        "the times of background do not grow; sort its lines by time");
            }
        }
        int senders = phases.stream().mapToInt(Background.Phase::senders).max().orElse(0);
        if (senders >= topology.hosts()) {
            file.problem(
                    NetsimError.NS06,
                    file.lineOf(ExperimentKey.BACKGROUND),
                    "that much background comes from " + senders + " hosts beside host 0, and the topology has "
                            + topology.hosts() + " in all; take a larger one, or less background");
        }
        return phases;
    }

    private static Optional<Workload.Beside> beside(String text) {
        Matcher match = BESIDE.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        double msr = Double.parseDouble(match.group(3));
        double load = Double.parseDouble(match.group(4));
        return Sizes.of(match.group(1))
                .filter(sizes -> msr > 0 && load > 0)
                .map(sizes -> new Workload.Beside(sizes, Integer.parseInt(match.group(2)), msr, load));
    }

    private static List<FlowTrace.Job> trace(ExperimentFile file, Path directory, int hosts) {
        List<FlowTrace.Job> jobs = new ArrayList<>();
        for (String name : file.all(ExperimentKey.FLOWS, Optional::of)) {
            if (name.equals("none")) {
                continue;
            }
            int line = file.lineOf(ExperimentKey.FLOWS);
            for (ExperimentKey instead : List.of(
                    ExperimentKey.PATTERN,
                    ExperimentKey.SIZES,
                    ExperimentKey.ARRIVALS,
                    ExperimentKey.MESSAGES,
                    ExperimentKey.JOBS,
                    ExperimentKey.LOAD)) {
                if (file.has(instead)) {
                    file.problem(
                            NetsimError.NS06,
                            file.lineOf(instead),
                            instead.key() + " says nothing when jobs come from a file; leave it or flows out");
                }
            }
            lines(file, directory.resolve(name), name)
                    .ifPresent(lines -> jobs.addAll(FlowTrace.read(
                            lines,
                            (where, what) ->
                                    file.problem(NetsimError.NS05, line, name + " line " + where + ": " + what))));
            for (FlowTrace.Job job : jobs) {
                if (Math.max(job.from(), job.to()) >= hosts) {
                    file.problem(
                            NetsimError.NS06,
                            line,
                            name + " has host " + Math.max(job.from(), job.to()) + ", and the topology has " + hosts
                                    + "; take a larger one");
                    break;
                }
            }
        }
        return jobs;
    }

    /** The lines of a file of jobs; empty, and the experiment is refused, if it cannot be read. */
    private static Optional<List<String>> lines(ExperimentFile file, Path path, String name) {
        int line = file.lineOf(ExperimentKey.FLOWS);
        try {
            if (Files.isRegularFile(path)) {
                return Optional.of(Files.readAllLines(path));
            }
            file.problem(
                    NetsimError.NS05, line, "there is no file " + name + "; write a path from the experiment's file");
        } catch (MalformedInputException e) {
            file.problem(NetsimError.NS05, line, name + " is no text in UTF-8; save it as that");
        } catch (IOException e) {
            file.problem(NetsimError.NS05, line, name + " cannot be read; check the rights of the file");
        }
        return Optional.empty();
    }

    private static Optional<Workload.Pattern> pattern(String text) {
        return Optional.of(
                Workload.Pattern.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')));
    }

    private static Optional<Topology> topology(String text) {
        String[] words = text.split(" ");
        double[] numbers = IntStream.range(1, words.length)
                .mapToDouble(i -> Double.parseDouble(words[i]))
                .toArray();
        for (double number : numbers) {
            if (number != Math.rint(number) || number < 1 || number > 2_000) {
                return Optional.empty();
            }
        }
        int[] sizes =
                IntStream.range(0, numbers.length).map(i -> (int) numbers[i]).toArray();
        return made(words[0], sizes).filter(made -> made.hosts() >= 2);
    }

    private static Optional<Topology> made(String kind, int... sizes) {
        boolean spine = kind.equals("leaf-spine")
                && sizes.length >= 3
                && (long) sizes[0] * sizes[2] <= 20_000
                && sizes[1] <= 200;
        if (kind.equals("star") && sizes.length == 1) {
            return Optional.of(Topology.star(sizes[0]));
        } else if (kind.equals("dumbbell") && (sizes.length == 2 || sizes.length == 3)) {
            return Optional.of(Topology.dumbbell(sizes[0], sizes[1], sizes.length == 3 ? sizes[2] : 1));
        } else if (spine && sizes.length <= 4) {
            return Optional.of(Topology.leafSpine(sizes[0], sizes[1], sizes[2], sizes.length == 4 ? sizes[3] : 1));
        } else if (kind.equals("fat-tree") && sizes.length == 1 && sizes[0] <= 32) {
            return Optional.of(Topology.fatTree(sizes[0]));
        } else if (kind.equals("fat-tree-192") && sizes.length == 0) {
            return Optional.of(Topology.fatTree192());
        } else if (kind.equals("three-tier-192") && sizes.length == 0) {
            return Optional.of(Topology.threeTier192());
        }
        return Optional.empty();
    }

    /** The checks of an experiment with these columns. */
    static List<Check> checks(ExperimentFile file, List<String> columns) {
        return file.each(ExperimentKey.CHECKS, (text, line) -> {
            try {
                return Optional.of(Check.of(text, columns));
            } catch (IllegalArgumentException e) {
                file.problem(NetsimError.NS03, line, "check cannot be " + text + ": " + e.getMessage());
                return Optional.empty();
            }
        });
    }

    static List<Double> shares(ExperimentFile file) {
        return file.swept(ExperimentKey.MSR, between(0.001, 1));
    }
}

package io.leeway.benchmarks.eppi;

import io.leeway.benchmarks.eppi.EppiBenchmark.Figures;
import io.leeway.benchmarks.results.Better;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.attack.Attacks;
import io.leeway.eppi.internal.attack.Baselines;
import io.leeway.eppi.internal.attack.Lists;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.simulate.Simulation;
import io.leeway.eppi.internal.simulate.Simulation.Computed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real collection: the sources of HBase's client (hbase-client, classifier sources). A source file is a provider, a word
 * in it a person; wishes are drawn at random, as the paper does with its documents.
 */
final class Documents {

    private static final Pattern WORD = Pattern.compile("[A-Za-z]{4,}");
    private static final double[] WISHES = {0.25, 0.5, 0.75, 0.9};

    private Documents() {}

    static void run(Figures figures) {
        List<Set<String>> files = files();
        Map<String, Integer> words = new TreeMap<>();
        files.forEach(file -> file.forEach(word -> words.putIfAbsent(word, words.size())));
        // Numbered in the order of the alphabet, so that the same jar gives the same network.
        int next = 0;
        for (Map.Entry<String, Integer> each : words.entrySet()) {
            each.setValue(next++);
        }
        var members = new ArrayList<BitSet>();
        for (Set<String> file : files) {
            var row = new BitSet(words.size());
            file.forEach(word -> row.set(words.getOrDefault(word, 0)));
            members.add(row);
        }
        figures.record("documents: providers (source files of hbase-client)", members.size(), "files");
        figures.record("documents: persons (words)", words.size(), "words");
        Lists truth = Simulation.lists(members, words.size());
        for (Policy policy : List.of(
                new Policy.Basic(), new Policy.Incremented(0.02), new Policy.Chernoff(0.9), new Policy.Exact(0.9))) {
            construct(figures, policy, members, truth);
        }
    }

    private static void construct(Figures figures, Policy policy, List<BitSet> members, Lists truth) {
        var random = new Random(11);
        double[] wishes = random.ints(truth.size(), 0, WISHES.length)
                .mapToDouble(i -> WISHES[i])
                .toArray();
        ConstructionPlan plan = Simulation.plan(wishes, policy, members.size());
        var simulation = new Simulation(plan, Profile.HONEST_MAJORITY, 3, new byte[16], 0);
        Computed computed = simulation.compute(members, 1);
        Lists published = Simulation.lists(simulation.rows(members, computed.outcome()), truth.size());
        int[] thresholds = new int[truth.size()];
        int counted = 0;
        int satisfied = 0;
        int missing = 0;
        double cost = 0;
        for (int person = 0; person < truth.size(); person++) {
            thresholds[person] = policy.commonFrom(members.size(), wishes[person]);
            var lost = (BitSet) truth.of(person).clone();
            lost.andNot(published.of(person));
            missing += lost.cardinality();
            cost += published.of(person).cardinality();
            if (truth.of(person).cardinality() < thresholds[person]) {
                counted++;
                double confidence = Attacks.primary(truth, published, person).confidence();
                satisfied += confidence <= 1 - wishes[person] + 1e-9 ? 1 : 0;
            }
        }
        boolean isPromised = policy instanceof Policy.Chernoff || policy instanceof Policy.Exact;
        String name = "documents: " + policy.text() + ", ";
        figures.record(
                name + "success of words that are not common",
                (double) satisfied / counted,
                "of lists",
                isPromised ? 0.88 : null,
                Better.HIGHER,
                "");
        figures.record(name + "memberships that are not listed", missing, "memberships", 0.0, Better.LOWER, "");
        figures.record(name + "providers to ask, mean", cost / truth.size(), "providers");
        Attacks.Result common = Attacks.commonFromLists(truth, published, thresholds);
        figures.record(
                name + "attack on common words, confidence", common.confidence(), "of claims", null, Better.LOWER, "");
        if (policy instanceof Policy.Exact) {
            Lists groups = Baselines.grouping(truth, members.size() / 5, random);
            figures.record(
                    "documents: grouping, groups of 5, attack on common words, confidence",
                    Attacks.commonFromLists(truth, groups, thresholds).confidence(),
                    "of claims");
            long met = java.util.stream.IntStream.range(0, truth.size())
                    .filter(person -> Attacks.primary(truth, groups, person).confidence() <= 1 - wishes[person])
                    .count();
            figures.record(
                    "documents: grouping, groups of 5, success",
                    (double) met / truth.size(),
                    "of lists",
                    null,
                    Better.HIGHER,
                    "");
        }
    }

    private static List<Set<String>> files() {
        String jar = java.util.Arrays.stream(
                        System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .filter(each -> each.contains("hbase-client") && each.endsWith("-sources.jar"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the sources of hbase-client are not on the class path"));
        var files = new ArrayList<Set<String>>();
        try (var sources = new JarFile(jar)) {
            for (var entry : sources.stream()
                    .filter(each -> each.getName().endsWith(".java"))
                    .toList()) {
                String text = new String(sources.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
                var words = new TreeSet<String>();
                Matcher matcher = WORD.matcher(text);
                while (matcher.find()) {
                    words.add(matcher.group().toLowerCase(Locale.ROOT));
                }
                files.add(words);
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.leeway.autotune.internal.deploy;

import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Orchestrator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds which MRs hurt when they are reduced (AutoTune §2.3.1): random groups are stressed together, groups that hurt are
 * split at random until single MRs are left. Where most MRs do not matter that takes far fewer trials than one by one.
 */
final class Stress {

    /**
     * What a stress did.
     *
     * @param impacts ratio of latencies for each MR, of its group if that was harmless
     * @param harmless MRs whose reduction does not hurt, the NIMRs
     */
    record Outcome(Map<Mr, Double> impacts, List<Mr> harmless) {}

    private final Settings settings;
    private final Random random;

    Stress(Settings settings, long iteration) {
        this.settings = settings;
        this.random = new Random(settings.seed() * 31 + iteration);
    }

    /** Stresses all; {@code compared} deploys a candidate and compares it with the reference. */
    Outcome all(
            List<Mr> candidates,
            Function<List<Mr>, Deployment> reduced,
            Function<Deployment, Comparison.Result> compared) {
        var impacts = new TreeMap<Mr, Double>((a, b) -> a.toString().compareTo(b.toString()));
        var harmless = new ArrayList<Mr>();
        for (List<Mr> group : split(candidates)) {
            examine(group, reduced, compared, impacts, harmless);
        }
        return new Outcome(impacts, harmless);
    }

    private void examine(
            List<Mr> group,
            Function<List<Mr>, Deployment> reduced,
            Function<Deployment, Comparison.Result> compared,
            Map<Mr, Double> impacts,
            List<Mr> harmless) {
        Comparison.Result result = compared.apply(reduced.apply(group));
        boolean hurts = !result.isWithin(settings.stressTolerance());
        // What loses requests hurts more than any latency says.
        double impact = result.healthy() ? result.ratio() : 1_000 + result.ratio();
        if (!hurts || group.size() == 1) {
            group.forEach(mr -> impacts.put(mr, impact));
            if (!hurts) {
                harmless.addAll(group);
            }
            return;
        }
        for (List<Mr> part : split(group)) {
            examine(part, reduced, compared, impacts, harmless);
        }
    }

    private List<List<Mr>> split(List<Mr> mrs) {
        var shuffled = new ArrayList<>(mrs);
        Collections.shuffle(shuffled, random);
        int parts = Math.min(settings.partitions(), shuffled.size());
        var groups = new ArrayList<List<Mr>>();
        for (int i = 0; i < parts; i++) {
            groups.add(
                    new ArrayList<>(shuffled.subList(shuffled.size() * i / parts, shuffled.size() * (i + 1) / parts)));
        }
        return groups;
    }

    /** All MRs of an application that can be limited. */
    static List<Mr> mrs(Orchestrator orchestrator) {
        var mrs = new ArrayList<Mr>();
        orchestrator
                .floors()
                .keySet()
                .forEach(instance -> orchestrator.tunable().stream()
                        .sorted()
                        .forEach(resource -> mrs.add(new Mr(instance, resource))));
        return mrs;
    }
}

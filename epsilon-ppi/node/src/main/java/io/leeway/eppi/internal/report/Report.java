package io.leeway.eppi.internal.report;

import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.index.IndexEntry;
import io.leeway.eppi.internal.index.PpiIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What privacy an index gives and what a search costs, as everybody can compute it who has the index.
 *
 * @param epoch of the index
 * @param persons how many it has
 * @param providers how many it has
 * @param policy that it was made with
 * @param classes of wishes
 */
public record Report(long epoch, int persons, int providers, String policy, List<OfClass> classes) {

    /** What is to be said where {@link OfClass#isCrowded()}. */
    public static final String CROWDED = "Where a whole class is published everywhere, more of it are common than the"
            + " others can hide: that somebody is common cannot be hidden there.";

    /**
     * A class of wishes.
     *
     * @param epsilon the wished share of false entries
     * @param persons of the class
     * @param everywhere how many of them are published at all providers: the common, and those who hide them
     * @param known how many have a frequency that is known and not 0; of the others nobody can say what they got
     * @param got the share of false entries, on average over those who are known
     * @param satisfied the share of these who got what they wished
     * @param medianCost providers to ask for a person, in the middle
     * @param meanCost providers to ask for a person, on average
     */
    public record OfClass(
            double epsilon,
            int persons,
            int everywhere,
            int known,
            double got,
            double satisfied,
            int medianCost,
            double meanCost) {

        /** Whether there are wishes to be met of which somebody can say whether they are. */
        public boolean isKnown() {
            return known > 0 && epsilon > 0 && epsilon < 1;
        }

        /** Whether so many are common that all are published everywhere: λ would be above 1, and nobody hides them. */
        public boolean isCrowded() {
            return everywhere == persons && epsilon > 0 && epsilon < 1;
        }
    }

    /** The report of an index. */
    public static Report of(PpiIndex index) {
        Map<Double, List<IndexEntry>> byClass = new TreeMap<>();
        for (int i = 0; i < index.size(); i++) {
            IndexEntry entry = index.entry(i);
            byClass.computeIfAbsent(entry.epsilon(), each -> new ArrayList<>()).add(entry);
        }
        var classes = new ArrayList<OfClass>();
        byClass.forEach((epsilon, entries) -> classes.add(ofClass(epsilon, entries)));
        return new Report(
                index.header().epoch(),
                index.size(),
                index.header().providers().size(),
                index.header().policy(),
                classes);
    }

    private static OfClass ofClass(double epsilon, List<IndexEntry> entries) {
        int[] costs =
                entries.stream().mapToInt(each -> each.listed().length).sorted().toArray();
        int everywhere = 0;
        int known = 0;
        int satisfied = 0;
        double got = 0;
        for (IndexEntry entry : entries) {
            everywhere += entry.frequency() == Outcome.EVERYWHERE ? 1 : 0;
            if (entry.frequency() > 0) {
                known++;
                double share = falseShare(entry);
                got += share;
                satisfied += share >= epsilon - 1e-9 ? 1 : 0;
            }
        }
        return new OfClass(
                epsilon,
                entries.size(),
                everywhere,
                known,
                known == 0 ? 0 : got / known,
                known == 0 ? 1 : (double) satisfied / known,
                costs[costs.length / 2],
                Arrays.stream(costs).average().orElse(0));
    }

    /** The share of a person's listed providers that hold nothing, if the frequency is known. */
    public static double falseShare(IndexEntry entry) {
        int listed = entry.listed().length;
        return listed == 0 || entry.frequency() < 0 ? 0 : Math.max(0, 1 - (double) entry.frequency() / listed);
    }

    /** What a person got, in words. */
    public static String inWords(IndexEntry entry, int providers) {
        if (entry.frequency() == Outcome.EVERYWHERE) {
            return "published at all " + providers
                    + " providers, so that nobody can tell whether common or only hiding those who are";
        }
        if (entry.frequency() == Outcome.EXACT) {
            return "the exact list, as wished";
        }
        return String.format(
                java.util.Locale.ROOT,
                "%.0f %% of the list is noise, %.0f %% were wished",
                100 * falseShare(entry),
                100 * entry.epsilon());
    }
}

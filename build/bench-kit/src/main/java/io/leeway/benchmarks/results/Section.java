package io.leeway.benchmarks.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Figures that belong together: those of one part of a benchmark, if their command names it, or else those whose names
 * begin alike, up to the first comma or colon. Where few begin alike, they go with others of their kind.
 *
 * @param title the heading
 * @param prefix what all names begin with and need not say again; may be empty
 */
record Section(String title, String prefix, List<Result> results) {

    private static final int FEW = 3;
    private static final String OTHERS = "Other figures";
    private static final String ALL = "All figures";
    private static final Pattern PART = Pattern.compile("\\S+ \\S+ (.+)");
    private static final Pattern BEGINNING = Pattern.compile("(.+?)(, |: ).*");

    /** All figures in sections, those of few figures last. */
    static List<Section> of(List<Result> results) {
        var byTitle = new TreeMap<String, Section>(NaturalOrder.OF_NAMES);
        results.forEach(result -> add(byTitle, begin(result), result));
        var sections = new ArrayList<Section>();
        var others = new ArrayList<Result>();
        for (Section section : byTitle.values()) {
            if (section.results().size() > FEW || section.prefix().isEmpty()) {
                sections.add(section);
            } else {
                others.addAll(section.results());
            }
        }
        if (!others.isEmpty()) {
            sections.add(new Section(sections.isEmpty() ? ALL : OTHERS, "", others));
        }
        return sections;
    }

    /** The name of one of its figures without what all begin with. */
    String shortened(String name) {
        return name.length() > prefix.length() && name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }

    private static void add(Map<String, Section> byTitle, Section section, Result result) {
        byTitle.computeIfAbsent(section.title(), none -> section).results().add(result);
    }

    /** The section of a figure, empty. */
    private static Section begin(Result result) {
        Matcher part = PART.matcher(result.command());
        if (part.matches()) {
            return new Section("Part `" + part.group(1) + "`", "", new ArrayList<>());
        }
        Matcher beginning = BEGINNING.matcher(result.name());
        return beginning.matches()
                ? new Section(capital(beginning.group(1)), beginning.group(1) + beginning.group(2), new ArrayList<>())
                : new Section(capital(result.name()), result.name(), new ArrayList<>());
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}

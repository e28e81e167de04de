package io.leeway.privoxy.internal.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Renumbers a template's variables in the order of first occurrence and drops those that say nothing. */
final class Canonicaliser {

    private final Template template;
    private final Map<Integer, Integer> occurrences = new HashMap<>();
    private final Set<Integer> compared = new HashSet<>();
    private final Map<Integer, Integer> numbers = new HashMap<>();

    Canonicaliser(Template template) {
        this.template = template;
        for (Pattern pattern : template.patterns()) {
            if (pattern instanceof Pattern.Variable variable) {
                occurrences.merge(variable.index(), 1, Integer::sum);
            }
        }
        for (PatternComparison comparison : template.comparisons()) {
            noteCompared(comparison.left());
            noteCompared(comparison.right());
        }
    }

    private void noteCompared(Pattern pattern) {
        if (pattern instanceof Pattern.Variable variable) {
            compared.add(variable.index());
        }
    }

    Template canonical() {
        List<Pattern> arguments = rename(template.arguments());
        TreeMap<String, Pattern> context = new TreeMap<>();
        template.context().forEach((name, pattern) -> context.put(name, rename(pattern)));
        List<Premise> premises = new ArrayList<>();
        for (Premise premise : template.premises()) {
            premises.add(new Premise(premise.query(), rename(premise.arguments()), rename(premise.row())));
        }
        return new Template(template.goal(), arguments, context, premises, notNull(), comparisons());
    }

    /** A comparison says already that its sides are not null. */
    private List<Integer> notNull() {
        Set<Integer> renamed = new TreeSet<>();
        for (int variable : template.notNull()) {
            if (!compared.contains(variable)) {
                renamed.add(number(variable));
            }
        }
        return List.copyOf(renamed);
    }

    private List<PatternComparison> comparisons() {
        return template.comparisons().stream()
                .map(comparison -> new PatternComparison(
                        comparison.operator(), bound(comparison.left()), bound(comparison.right())))
                .distinct()
                .toList();
    }

    private Pattern bound(Pattern pattern) {
        return pattern instanceof Pattern.Variable variable ? new Pattern.Variable(number(variable.index())) : pattern;
    }

    private int number(int variable) {
        Integer number = numbers.get(variable);
        if (number == null) {
            throw new IllegalArgumentException("a demand names a variable that stands nowhere");
        }
        return number;
    }

    private List<Pattern> rename(List<Pattern> patterns) {
        List<Pattern> renamed = new ArrayList<>(patterns.size());
        for (Pattern pattern : patterns) {
            renamed.add(rename(pattern));
        }
        return renamed;
    }

    private Pattern rename(Pattern pattern) {
        if (!(pattern instanceof Pattern.Variable variable)) {
            return pattern;
        }
        if (saysNothing(variable.index())) {
            return Pattern.ANY;
        }
        return new Pattern.Variable(numbers.computeIfAbsent(variable.index(), absent -> numbers.size()));
    }

    private boolean saysNothing(int variable) {
        return occurrences.getOrDefault(variable, 0) == 1
                && !compared.contains(variable)
                && !template.notNull().contains(variable);
    }
}

package io.leeway.privoxy.internal.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Renumbers a template's variables in the order of first occurrence and drops those that say nothing.
 *
 * <p>Two proofs of the same kind of request have to give the same template: the store compares them, files of reviewed
 * templates name them by their content, and a person who reads one should not meet variables that mean nothing.
 */
final class Canonicaliser {

    private final Template template;
    /** Over all patterns: a variable that occurs once and is neither compared nor demanded ties nothing to anything. */
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

    /**
     * The order arguments, context, premises is that in which matching binds variables, so a demand can only name what
     * was bound before.
     */
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
            // Said once, or two templates that demand the same would differ.
            if (!compared.contains(variable)) {
                renamed.add(number(variable));
            }
        }
        return List.copyOf(renamed);
    }

    /** Two that came out the same by renaming are one. */
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
            // Loaded files get here, too; a demand on nothing would be one that every request fulfils.
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

    /** Its one place fits every value. */
    private boolean saysNothing(int variable) {
        return occurrences.getOrDefault(variable, 0) == 1
                && !compared.contains(variable)
                && !template.notNull().contains(variable);
    }
}

package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** All templates that say one thing less than a given one. */
final class Weaker {

    private static final int FRESH = 1000;

    private final Template template;

    Weaker(Template template) {
        this.template = template;
    }

    List<Template> all() {
        List<Template> all = new ArrayList<>();
        for (int i = 0; i < template.premises().size(); i++) {
            List<Premise> fewer = new ArrayList<>(template.premises());
            fewer.remove(i);
            addIfSound(
                    all, template.arguments(), template.context(), fewer, template.notNull(), template.comparisons());
        }
        for (int i = 0; i < template.notNull().size(); i++) {
            List<Integer> fewer = new ArrayList<>(template.notNull());
            fewer.remove(i);
            addIfSound(
                    all, template.arguments(), template.context(), template.premises(), fewer, template.comparisons());
        }
        for (int i = 0; i < template.comparisons().size(); i++) {
            List<PatternComparison> fewer = new ArrayList<>(template.comparisons());
            fewer.remove(i);
            addIfSound(all, template.arguments(), template.context(), template.premises(), template.notNull(), fewer);
        }
        int places = template.patterns().size();
        for (int i = 0; i < places; i++) {
            if (!(template.patterns().get(i) instanceof Pattern.Any)) {
                addFreed(all, i);
            }
        }
        return all;
    }

    /** The place says nothing any more. */
    private void addFreed(List<Template> all, int place) {
        int[] next = {0};
        UnaryOperator<Pattern> freed = pattern -> next[0]++ == place ? new Pattern.Variable(FRESH) : pattern;
        List<Pattern> arguments = template.arguments().stream().map(freed).toList();
        TreeMap<String, Pattern> context = new TreeMap<>();
        template.context().forEach((name, pattern) -> context.put(name, freed.apply(pattern)));
        List<Premise> premises = new ArrayList<>();
        for (Premise premise : template.premises()) {
            List<Pattern> premiseArguments =
                    premise.arguments().stream().map(freed).toList();
            premises.add(new Premise(
                    premise.query(),
                    premiseArguments,
                    premise.row().stream().map(freed).toList()));
        }
        addIfSound(all, arguments, context, premises, template.notNull(), template.comparisons());
    }

    private void addIfSound(
            List<Template> all,
            List<Pattern> arguments,
            java.util.Map<String, Pattern> context,
            List<Premise> premises,
            List<Integer> notNull,
            List<PatternComparison> comparisons) {
        UnionQuery goal = template.goal();
        try {
            all.add(Template.canonical(goal, arguments, context, premises, notNull, comparisons));
        } catch (IllegalArgumentException demandsWithoutPlace) {
            // The variable of a demand stood only where something was taken away: that is another demand's business.
        }
    }
}

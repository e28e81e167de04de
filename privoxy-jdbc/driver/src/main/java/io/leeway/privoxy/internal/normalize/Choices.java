package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import java.util.ArrayList;
import java.util.List;

/** Turns {@link Choice}s into conditions. */
final class Choices {

    private final Work work;

    Choices(Work work) {
        this.work = work;
    }

    /**
     * One question for each value: the choice becomes an equality with an argument that is each value in turn. Sound
     * because the rows with {@code x IN (a, b)} are those with {@code x = a} and those with {@code x = b}, and which
     * value a row belongs to is known from the question that it answers. It needs the choice to be the only
     * alternative.
     */
    Conjunct separated(Conjunct conjunct) {
        List<Condition> conditions = new ArrayList<>();
        for (Choice choice : conjunct.choices()) {
            conditions.add(choice.with(work.arguments.add(choice.slot())));
        }
        return conjunct.withoutChoices(conditions);
    }

    /** All values in one question. */
    List<Conjunct> expanded(List<Conjunct> conjuncts, int position) {
        if (conjuncts.stream().allMatch(conjunct -> conjunct.choices().isEmpty())) {
            return conjuncts;
        }
        Dnf all = Dnf.FALSE;
        for (Conjunct conjunct : conjuncts) {
            Dnf one = Dnf.of(List.of(conjunct.withoutChoices(List.of())));
            for (Choice choice : conjunct.choices()) {
                List<Conjunct> options = new ArrayList<>();
                for (Condition condition : choice.otherwise()) {
                    options.add(Conjunct.of(List.of(condition)));
                }
                // The product of all lists of a conjunction: two lists of 20 are 400 alternatives, which the form's
                // bound refuses. As questions of their own (above) they are no more than 20 by 20 values of one proof.
                one = one.and(Dnf.of(options), work, position);
            }
            all = all.or(one, work, position);
        }
        return all.conjuncts();
    }
}

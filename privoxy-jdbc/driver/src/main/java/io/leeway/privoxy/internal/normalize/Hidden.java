package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A value, or the truth of a condition, that is no term over the rows at hand: an aggregate, a sub-query's result, the
 * absence of rows. It is a function of {@code reads} in all rows of the block and of what {@code pendings} reveal for
 * each row; so a block that has it must reveal both, with keys to tell which row is meant.
 *
 * <p>The soundness argument is functional: if two databases agree on what was read, they agree on the value, whatever
 * function it is. Nothing about the function has to be known, which is why aggregates, windows and sub-queries of any
 * kind are allowed at all.
 */
record Hidden(List<Term> reads, List<Pending> pendings) implements Operand {

    /** Known without any row, as the next value of a sequence or a column of a relation that is revealed by itself. */
    static final Hidden NOTHING = new Hidden(List.of(), List.of());

    Hidden {
        reads = List.copyOf(reads);
        pendings = List.copyOf(pendings);
    }

    static Hidden of(Pending pending) {
        return new Hidden(List.of(), List.of(pending));
    }

    /** What is a function of all these operands. */
    static Hidden over(List<? extends Operand> operands) {
        Set<Term> reads = new LinkedHashSet<>();
        Set<Pending> pendings = new LinkedHashSet<>();
        for (Operand operand : operands) {
            if (operand instanceof Hidden hidden) {
                reads.addAll(hidden.reads);
                pendings.addAll(hidden.pendings);
            } else {
                reads.add(((Operand.Plain) operand).term());
            }
        }
        // What is the same in every row (a constant, a parameter) tells nothing by being read.
        return new Hidden(Terms.informative(reads), List.copyOf(pendings));
    }
}

package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Set;

/**
 * What a proof needed: the premises and conditions of a template. Every problem with the same goal in which these rows
 * were returned, and in which these operands are equal, non-null or fixed, is compliant too.
 *
 * <p>Only a guess of a template until it is proved in general form ({@code SolverTemplates}).
 *
 * @param facts numbers of the facts needed
 * @param groups what must hold of values; an operand in no group may be any value
 */
public record SmtCore(Set<Integer> facts, List<Group> groups) {

    public SmtCore {
        facts = Set.copyOf(facts);
        groups = List.copyOf(groups);
    }

    /**
     * Operands that must be one value.
     *
     * @param operands the places, at least one
     * @param value the value they have in the problem that was proved
     * @param isFixed whether they must have just this value
     * @param isNotNull whether they must not be null
     */
    public record Group(Set<Operand> operands, Value value, boolean isFixed, boolean isNotNull) {
        public Group {
            operands = Set.copyOf(operands);
        }
    }
}

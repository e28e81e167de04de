package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Finds what the atoms of a query have in common. */
final class Joints {

    private Joints() {}

    static List<CompiledTerm> of(Shape shape) {
        List<CompiledTerm> joints = new ArrayList<>();
        for (CompiledCondition condition : shape.conditions) {
            List<CompiledTerm> columns = new ArrayList<>();
            collect(condition.left, columns);
            for (CompiledTerm term : condition.right) {
                collect(term, columns);
            }
            BitSet atoms = new BitSet();
            columns.forEach(column -> atoms.set(column.atom));
            if (atoms.cardinality() > 1) {
                joints.addAll(columns);
            }
        }
        return List.copyOf(joints);
    }

    private static void collect(CompiledTerm term, List<CompiledTerm> columns) {
        if (term.isVariable()) {
            columns.add(term);
        }
        for (CompiledTerm argument : term.arguments) {
            collect(argument, columns);
        }
    }
}

package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.View;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A policy view with its disjuncts compiled. */
final class CompiledView {

    final View view;
    final Shape[] disjuncts;
    /** What all disjuncts say alike, or null if their tables differ. */
    final @Nullable Shape common;
    /** Context parameters without which the view shows nothing. */
    final Set<String> contextNames;

    CompiledView(View view, Shape[] disjuncts, CompiledPolicy policy) {
        this.view = view;
        this.disjuncts = disjuncts;
        // Nothing for a single disjunct: the disjunct itself is what is common.
        this.common = disjuncts.length > 1 ? CommonPart.of(disjuncts, policy) : null;
        Set<String> names = new HashSet<>();
        for (Shape disjunct : disjuncts) {
            names.addAll(disjunct.contextNames);
        }
        this.contextNames = Set.copyOf(names);
    }
}

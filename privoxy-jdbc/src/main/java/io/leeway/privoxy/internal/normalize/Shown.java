package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a branch gives away, sorted by where it comes from. A term over the branch's own rows is returned as it is. A
 * term that reads an optional part is taken apart into its columns, and each is returned where its row is.
 */
final class Shown {

    /** Terms over the branch's rows. */
    final Set<Term> own = new LinkedHashSet<>();
    /** Sub-queries that must be revealed for each row. */
    final List<Pending> pendings = new ArrayList<>();
    /** Whether all is in {@link #own}, term by term. */
    boolean plain = true;

    private final Map<OptionalPart, Set<Term>> byPart = new HashMap<>();
    private final List<OptionalPart> parts;

    Shown(List<Operand> operands, List<OptionalPart> parts) {
        this.parts = parts;
        for (Operand operand : operands) {
            add(operand);
        }
    }

    /** Columns of an optional part. */
    Set<Term> of(OptionalPart part) {
        return byPart.getOrDefault(part, Set.of());
    }

    /** Adds something read elsewhere, as the condition of an outer join. */
    void add(Operand operand) {
        if (operand instanceof Hidden hidden) {
            plain = false;
            hidden.reads().forEach(this::add);
            pendings.addAll(hidden.pendings());
        } else {
            add(((Operand.Plain) operand).term());
        }
    }

    private void add(Term term) {
        Set<Term.Variable> columns = Terms.columns(term);
        if (columns.stream().allMatch(column -> owner(column) == null)) {
            own.add(term);
            return;
        }
        plain = false;
        for (Term.Variable column : columns) {
            OptionalPart part = owner(column);
            if (part == null) {
                own.add(column);
            } else {
                byPart.computeIfAbsent(part, key -> new LinkedHashSet<>()).add(column);
            }
        }
    }

    private @Nullable OptionalPart owner(Term.Variable column) {
        for (OptionalPart part : parts) {
            if (part.owns(column.index())) {
                return part;
            }
        }
        return null;
    }
}

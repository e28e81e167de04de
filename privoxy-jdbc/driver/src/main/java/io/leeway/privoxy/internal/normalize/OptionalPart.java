package io.leeway.privoxy.internal.normalize;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nullable side of an outer join: rows that join when the filters hold, and NULLs when no such rows exist. Compared
 * by identity. A part inside another part is present only where the outer one is.
 *
 * <p>By identity, as the same text may be read several times, each time with rows of its own: two parts that look alike
 * are the nullable sides of two joins.
 */
final class OptionalPart {

    final int position;
    final List<Use> uses;
    // What it joins by: ON, with the conditions of queries that were put in their place inside it.
    final List<Filter> filters;
    /** Whether an opaque query takes part: how many rows match is then not in the rows alone. */
    final boolean opaque;

    final List<OptionalPart> children = new ArrayList<>();

    @Nullable
    OptionalPart parent;

    OptionalPart(List<Use> uses, List<Filter> filters, int position, boolean opaque) {
        this.uses = List.copyOf(uses);
        this.filters = List.copyOf(filters);
        this.position = position;
        this.opaque = opaque;
    }

    /**
     * Puts a part of the nullable side inside this one.
     *
     * <p>The first to adopt is the innermost: joins are put together from the leaves, and a child that has a parent
     * already lies deeper.
     */
    void adopt(OptionalPart child) {
        if (child.parent == null) {
            child.parent = this;
            children.add(child);
        }
    }

    boolean owns(int variable) {
        for (Use use : uses) {
            if (use.owns(variable)) {
                return true;
            }
        }
        return false;
    }

    /** Whether this is {@code other} or inside it. */
    boolean isWithin(OptionalPart other) {
        for (OptionalPart part = this; part != null; part = part.parent) {
            if (part == other) {
                return true;
            }
        }
        return false;
    }
}

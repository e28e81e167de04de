package io.leeway.privoxy.internal.normalize;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which optional parts are taken to have no row. Their columns are read as NULL. Immutable.
 *
 * <p>An outer join has rows of two kinds: those where the nullable side matched and those where it did not. A condition
 * means something else in each, since SQL's three-valued logic gives UNKNOWN for a comparison with NULL and TRUE for
 * {@code IS NULL}. So conditions and outputs are not read once but anew for each choice, and this is the choice.
 * {@link Branching} makes the choices; every reader is handed one.
 */
final class Absence {

    static final Absence NONE = new Absence(Set.of());

    private final Set<OptionalPart> parts;

    private Absence(Set<OptionalPart> parts) {
        this.parts = parts;
    }

    /**
     * Whether the part's columns are NULL in this reading. Asked where a column is read ({@link ValueReader}): nowhere
     * else does it matter that a row is missing.
     */
    boolean has(OptionalPart part) {
        return parts.contains(part);
    }

    /**
     * With one more part absent, and all inside it: in {@code a LEFT JOIN (b LEFT JOIN c ON …) ON …} there is no c
     * where there is no b, so a reading with c there and b not would speak of rows that no database gives.
     */
    Absence plus(OptionalPart part) {
        Set<OptionalPart> more = new LinkedHashSet<>(parts);
        add(part, more);
        return new Absence(more);
    }

    /**
     * With a part, and all inside it, not taken to be absent. For the question which rows <em>do</em> have a match: it
     * is asked about the rows of a branch in which the part is absent, but its own condition has to be read with the
     * part there, or it would be NULL throughout and match nobody.
     */
    Absence minus(OptionalPart part) {
        Set<OptionalPart> fewer = new LinkedHashSet<>(parts);
        fewer.removeIf(other -> other.isWithin(part));
        return new Absence(fewer);
    }

    private static void add(OptionalPart part, Set<OptionalPart> parts) {
        parts.add(part);
        for (OptionalPart child : part.children) {
            add(child, parts);
        }
    }
}

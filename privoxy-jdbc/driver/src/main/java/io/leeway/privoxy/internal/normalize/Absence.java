package io.leeway.privoxy.internal.normalize;

import java.util.LinkedHashSet;
import java.util.Set;

/** Which optional parts are taken to have no row. Their columns are read as NULL. Immutable. */
final class Absence {

    static final Absence NONE = new Absence(Set.of());

    private final Set<OptionalPart> parts;

    private Absence(Set<OptionalPart> parts) {
        this.parts = parts;
    }

    boolean has(OptionalPart part) {
        return parts.contains(part);
    }

    /** With one more part absent, and all inside it. */
    Absence plus(OptionalPart part) {
        Set<OptionalPart> more = new LinkedHashSet<>(parts);
        add(part, more);
        return new Absence(more);
    }

    /** With a part, and all inside it, not taken to be absent. */
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

package io.leeway.privoxy.internal.model;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a text does to its session and its transaction besides reading and writing rows: concluded from the statements
 * that were read, with names as the database takes them, and nowhere from how the text is written. What is not certain is
 * what costs most.
 *
 * @param kinds what it does, or may do
 * @param level the isolation that it chooses, if it does that and nothing else; null if it chooses none or it is not
 *     certain which
 */
public record SessionEffects(Set<Kind> kinds, @Nullable Level level) {

    /** It leaves the session as it is. */
    public static final SessionEffects NONE = new SessionEffects(Set.of(), null);

    /** It may do anything. */
    public static final SessionEffects ANY =
            new SessionEffects(EnumSet.complementOf(EnumSet.of(Kind.RESETS_ALL)), null);

    public SessionEffects {
        kinds = Set.copyOf(kinds);
    }

    /** What a text may do. */
    public enum Kind {
        /** Chooses a level of isolation. */
        CHOOSES_ISOLATION,
        /** Takes over a snapshot that somebody else has taken (PostgreSQL). */
        TAKES_SNAPSHOT_OVER,
        /** Commits what is open, of which the driver does not hear (H2). */
        COMMITS,
        /** Prepares a transaction for whoever ends it, or ends such a one. */
        PREPARES,
        /** Certainly resets all settings, those of the application's own too. */
        RESETS_ALL,
        /** May change settings of the application's own, nobody knows which. */
        MAY_SET_OWN
    }

    /**
     * A level of isolation.
     *
     * @param words as the database words it
     * @param isLasting whether for the session's transactions to come, and not for one
     */
    public record Level(String words, boolean isLasting) {}

    /** It does one thing. */
    public static SessionEffects of(Kind kind) {
        return new SessionEffects(Set.of(kind), null);
    }

    /** It chooses a level, and it is certain which. */
    public static SessionEffects choosing(Level level) {
        return new SessionEffects(Set.of(Kind.CHOOSES_ISOLATION), level);
    }

    /** Whether it does that, or may. */
    public boolean may(Kind kind) {
        return kinds.contains(kind);
    }

    /** What several statements of a text do. Which of them was in which transaction is not followed, so no level is certain. */
    public SessionEffects and(SessionEffects other) {
        if (kinds.isEmpty()) {
            return other;
        }
        if (other.kinds.isEmpty()) {
            return this;
        }
        Set<Kind> all = EnumSet.copyOf(kinds);
        all.addAll(other.kinds);
        return new SessionEffects(all, null);
    }

    /** The same without a level that would be certain. */
    public SessionEffects uncertain() {
        return level == null ? this : new SessionEffects(kinds, null);
    }
}

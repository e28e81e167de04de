package io.leeway.hindex;

import java.util.EnumSet;
import java.util.Set;

/**
 * The life of an index.
 *
 * <pre>{@code
 * BUILDING <-> ACTIVE <-> PAUSED <-> BUILDING
 * BUILDING, ACTIVE, PAUSED -> DISABLED -> BUILDING
 * }</pre>
 *
 * <p>Every state but DROPPING may become DROPPING. What was not written for a while must be built again: from DISABLED
 * only BUILDING leads back.
 *
 * @since 0.1
 */
public enum IndexState {
    /** Kept up to date by writes; entries of older data are being added; not read. */
    BUILDING(true, false),
    /** Kept up to date and read. */
    ACTIVE(true, true),
    /** Kept up to date, not read; a build rests. */
    PAUSED(true, false),
    /** Neither kept up to date nor read. */
    DISABLED(false, false),
    /** Being removed. */
    DROPPING(false, false);

    private final boolean written;
    private final boolean readable;

    IndexState(boolean written, boolean readable) {
        this.written = written;
        this.readable = readable;
    }

    /** Whether writes of the base table keep it up to date. */
    public boolean isWritten() {
        return written;
    }

    /** Whether queries may be answered from it. */
    public boolean isReadable() {
        return readable;
    }

    /** Whether an index in this state may go into another. */
    public boolean mayBecome(IndexState next) {
        return successors().contains(next);
    }

    /**
     * Goes into another state.
     *
     * @throws IllegalStateException naming the states that are allowed
     */
    public IndexState become(IndexState next) {
        if (!mayBecome(next)) {
            throw new IllegalStateException(
                    "an index that is " + this + " cannot become " + next + "; it may become " + successors());
        }
        return next;
    }

    private Set<IndexState> successors() {
        return switch (this) {
            case BUILDING -> EnumSet.of(ACTIVE, PAUSED, DISABLED, DROPPING);
            case ACTIVE -> EnumSet.of(BUILDING, PAUSED, DISABLED, DROPPING);
            // Whether the build was complete is kept beside; the one who resumes knows it.
            case PAUSED -> EnumSet.of(BUILDING, ACTIVE, DISABLED, DROPPING);
            case DISABLED -> EnumSet.of(BUILDING, DROPPING);
            case DROPPING -> EnumSet.noneOf(IndexState.class);
        };
    }
}

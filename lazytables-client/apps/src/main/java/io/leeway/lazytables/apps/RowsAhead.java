package io.leeway.lazytables.apps;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.Refresh;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How rows are asked for before they are read: by the program, by LazyTables on its own, or not. */
public enum RowsAhead {
    /** They are not. */
    NONE(null),
    /** The program asks, at the beginning of a clock, for what it could not read otherwise. */
    CONSERVATIVE(Refresh.CONSERVATIVE),
    /** The program asks, at the beginning of a clock, for all that may be newer. */
    AGGRESSIVE(Refresh.AGGRESSIVE),
    /** By how stale rows are when they are read. */
    AUTOMATIC(null),
    /** By what was read in the clock before. */
    LEARNED(null),
    /** Servers send what was read once, whenever it changes. */
    PUSHED(null);

    private static final int REQUESTS = 1 << 12;

    private final @Nullable Refresh guided;

    RowsAhead(@Nullable Refresh guided) {
        this.guided = guided;
    }

    static RowsAhead parse(String text) {
        for (RowsAhead each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        throw new BadInputException("--prefetch is " + text + "; there are "
                + Arrays.stream(values()).map(RowsAhead::text).collect(Collectors.joining(", ")));
    }

    /** As it is typed. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How the program asks; null if it does not. */
    @Nullable
    Refresh guided() {
        return guided;
    }

    /** What LazyTables does on its own. */
    Prefetch byItself() {
        return switch (this) {
            case NONE, CONSERVATIVE, AGGRESSIVE -> Prefetch.NONE;
            case AUTOMATIC -> Prefetch.automatic(REQUESTS, 1);
            case LEARNED -> Prefetch.learned();
            case PUSHED -> Prefetch.pushed();
        };
    }
}

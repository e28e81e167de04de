package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Addition;
import java.util.List;

/**
 * Where a statement leaves it to the database in which order it takes rows, and that order shows: in its result, or in
 * which rows a limit lets pass. Of no interest where all that rows might be sorted by is shown anyway.
 *
 * <p>Made when the statement is read; whether it matters is known only with the policy, as rows that a view shows whole
 * may come in any order. So it is handed on and judged there ({@code OrderTells}), and additions are made only if they
 * are needed.
 *
 * @param additions what to add to the text so that the order is one of keys or of what is shown
 * @param loose where nothing can be added
 */
public record Unordered(List<Addition> additions, List<Loose> loose) {

    /** Nowhere. */
    public static final Unordered NOWHERE = new Unordered(List.of(), List.of());

    public Unordered {
        additions = List.copyOf(additions);
        loose = List.copyOf(loose);
    }

    /** Whether there is no such place. */
    public boolean isNowhere() {
        return additions.isEmpty() && loose.isEmpty();
    }

    /**
     * A place where nothing can be added.
     *
     * @param construct what to refuse, with the remedy
     * @param position in the text
     */
    public record Loose(String construct, int position) {}
}

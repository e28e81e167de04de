package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.StatementPlan;
import java.util.Set;

/**
 * Which tables a statement may read in more than one state of the database, because of where it stands. What it locks or
 * writes itself is no matter of this.
 *
 * @param all every row may be of another state
 * @param written tables of which rows of a later state may stand beside those of the snapshot that is read
 */
public record States(boolean all, Set<String> written) {

    /** All rows are of one state. */
    public static final States ONE = new States(false, Set.of());

    /** Each row may be of a state of its own. */
    public static final States MANY = new States(true, Set.of());

    public States {
        written = Set.copyOf(written);
    }

    /** The state of a snapshot but for these tables. */
    public static States besides(Set<String> written) {
        return written.isEmpty() ? ONE : new States(false, written);
    }

    /** Whether rows of a table may be of another state than the rest. */
    public boolean mayDiffer(String table) {
        return all || written.contains(table) || written.contains(StatementPlan.ANYTHING);
    }

    /** Whether there is only one. */
    public boolean isOne() {
        return !all && written.isEmpty();
    }
}

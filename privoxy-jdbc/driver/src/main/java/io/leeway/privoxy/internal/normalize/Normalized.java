package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.StatementPlan;
import java.util.List;

/**
 * A statement as the checker sees it.
 *
 * @param plan what must be compliant, and what is learnt
 * @param changesSession whether the statement changes how later text is read, so that the session's state must be read
 *     anew after it (and once more when a transaction ends in which it was run: the change may be taken back)
 * @param changesMeaning whether what rows mean may have changed, for views of the database that ask for a setting
 * @param demands what the values of its slots must be for it to be allowed at all
 * @param added names of columns that rows which are there get
 */
public record Normalized(
        StatementPlan plan, boolean changesSession, boolean changesMeaning, List<Demand> demands, List<String> added) {
    public Normalized {
        demands = List.copyOf(demands);
        added = List.copyOf(added);
    }

    Normalized(StatementPlan plan, boolean changesSession) {
        this(plan, changesSession, List.of());
    }

    Normalized(StatementPlan plan, boolean changesSession, List<Demand> demands) {
        this(plan, changesSession, false, demands, List.of());
    }

    Normalized changingMeaning(boolean changes) {
        return new Normalized(plan, changesSession, changes, demands, added);
    }

    /** The same for a statement that adds columns to rows that are there. */
    Normalized adding(List<String> columns) {
        return new Normalized(plan, changesSession, changesMeaning, demands, columns);
    }
}

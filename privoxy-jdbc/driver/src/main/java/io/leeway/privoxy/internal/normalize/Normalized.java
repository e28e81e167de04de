package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.StatementPlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A statement as the checker sees it. The flags about settings are apart because they have different effects: the first
 * makes the session's state be read anew; the second ends what is known of rows; the last two are held against the
 * policy, whose views may ask for the time or a setting, by who knows the policy.
 *
 * @param plan what must be compliant, and what is learnt
 * @param changesSession whether the statement changes how later text is read, so that the session's state must be read
 *     anew after it (and once more when a transaction ends in which it was run: the change may be taken back)
 * @param changesMeaning whether what rows mean may have changed, for views of the database that ask for a setting
 * @param setsMeaning whether it sets what gives values and times their meaning, or a setting of the application's own
 * @param setsAny whether it sets anything that a view may ask for by name
 * @param demands what the values of its slots must be for it to be allowed at all
 * @param added names of columns that rows which are there get
 * @param effects what it does to the session besides
 * @param unordered where the order in which the database takes rows shows
 */
public record Normalized(
        StatementPlan plan,
        boolean changesSession,
        boolean changesMeaning,
        boolean setsMeaning,
        boolean setsAny,
        List<Demand> demands,
        List<String> added,
        SessionEffects effects,
        Unordered unordered) {
    public Normalized {
        demands = List.copyOf(demands);
        added = List.copyOf(added);
    }

    Normalized(StatementPlan plan, boolean changesSession) {
        this(plan, changesSession, List.of());
    }

    Normalized(StatementPlan plan, boolean changesSession, List<Demand> demands) {
        this(plan, changesSession, false, false, false, demands, List.of(), SessionEffects.NONE, Unordered.NOWHERE);
    }

    Normalized changingMeaning(boolean changes, boolean sets, boolean setsAnything) {
        return new Normalized(plan, changesSession, changes, sets, setsAnything, demands, added, effects, unordered);
    }

    Normalized with(Unordered found) {
        return new Normalized(
                plan, changesSession, changesMeaning, setsMeaning, setsAny, demands, added, effects, found);
    }

    /** The same with further demands. */
    Normalized demanding(Collection<Demand> more) {
        List<Demand> all = new ArrayList<>(demands);
        all.addAll(more);
        return new Normalized(
                plan, changesSession, changesMeaning, setsMeaning, setsAny, all, added, effects, unordered);
    }

    /** The same for a statement that adds columns to rows that are there. */
    Normalized adding(List<String> columns) {
        return new Normalized(
                plan, changesSession, changesMeaning, setsMeaning, setsAny, demands, columns, effects, unordered);
    }

    /** The same with what it does to the session. */
    Normalized affecting(SessionEffects affected) {
        return new Normalized(
                plan, changesSession, changesMeaning, setsMeaning, setsAny, demands, added, affected, unordered);
    }
}

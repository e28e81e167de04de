package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.SplitObligation;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.normalize.Demand;
import io.leeway.privoxy.internal.sql.Addition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of all texts with one skeleton: the plan of its statements, with questions compiled. Immutable.
 *
 * <p>Texts that differ in literals only share one: applications that write values into their texts would else have
 * each of them planned anew.
 *
 * @param name for messages
 * @param plan the statements' plan; of several statements the sum
 * @param demands what its slots must hold for it to be allowed at all
 * @param questions the plan's obligations
 * @param splits those of them whose rows are of several references to tables, with these told apart
 * @param layout how rows are recorded, or null if nothing is learnt from them
 * @param tellable JDBC indexes of all result columns from which some policy might learn, in order; {@code layout} has
 *     those that this policy does
 * @param contextCommand the context command that the text is, or null
 * @param effects what else changes for later texts
 * @param additions what is added to the text before it is sent; all of the above is about the text with it
 */
record PlannedText(
        QueryName name,
        StatementPlan plan,
        List<Demand> demands,
        List<Question> questions,
        List<Split> splits,
        CheckedRows.@Nullable Layout layout,
        List<Integer> tellable,
        @Nullable ContextCommand contextCommand,
        Effects effects,
        List<Addition> additions) {

    PlannedText {
        demands = List.copyOf(demands);
        questions = List.copyOf(questions);
        splits = List.copyOf(splits);
        tellable = List.copyOf(tellable);
        additions = List.copyOf(additions);
    }

    /**
     * An obligation, compiled.
     *
     * <p>The mode is worked out once, as it depends on the tables alone.
     *
     * @param mode what happens if it is refused
     */
    record Question(Obligation obligation, Goal goal, PrivoxyMode mode) {}

    /**
     * An obligation with its references to tables told apart.
     *
     * @param mode what happens if it is refused
     */
    record Split(SplitObligation obligation, PrivoxyMode mode) {}

    /**
     * What changes for texts that come later.
     *
     * <p>Of the text as a whole: which of several statements does it, no driver tells.
     *
     * @param reading whether they may be read otherwise
     * @param meaning whether rows may mean something else
     * @param transaction whether a transaction begins or ends, or a part of one
     * @param session what it does to the session besides
     */
    record Effects(boolean reading, boolean meaning, boolean transaction, SessionEffects session) {

        static final Effects NONE = new Effects(false, false, false, SessionEffects.NONE);
    }
}

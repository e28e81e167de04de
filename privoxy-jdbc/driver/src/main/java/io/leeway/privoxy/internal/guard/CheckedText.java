package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.SplitObligation;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.normalize.Demand;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.States;
import io.leeway.privoxy.internal.sql.Addition;
import io.leeway.privoxy.internal.sql.SlotSource;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One text under one policy and schema: decides on its executions. Immutable, thread-safe.
 *
 * <p>The work that depends on the text is done; what is left depends on the values, the request and what it has
 * read.
 */
final class CheckedText implements GuardedStatement {

    private final TextSource source;
    private final Epoch epoch;
    private final String sql;
    private final SessionState session;
    private final PlannedText planned;
    private final List<SlotSource> sources;
    private final List<Addition.Placed> additions;
    /** The text with these: the same object each time, of which drivers need not count the hash again. */
    private final String toRun;

    private final TrafficTap tap;

    CheckedText(
            TextSource source,
            Epoch epoch,
            String sql,
            SessionState session,
            PlannedText planned,
            List<SlotSource> sources,
            List<Addition.Placed> additions,
            TrafficTap tap) {
        this.source = source;
        this.epoch = epoch;
        this.sql = sql;
        this.session = session;
        this.planned = planned;
        this.sources = List.copyOf(sources);
        this.additions = List.copyOf(additions);
        this.toRun = Addition.put(sql, this.additions);
        this.tap = tap;
    }

    /** What is known of the text. */
    PlannedText planned() {
        return planned;
    }

    @Override
    public List<Addition.Placed> additions() {
        return additions;
    }

    @Override
    public String toRun(String text) {
        return text.equals(sql) ? toRun : Addition.put(text, additions);
    }

    /**
     * Asked before each execution of a prepared statement: it may have been prepared before a change of policy or
     * schema.
     */
    @Override
    public boolean isCurrent() {
        return source.isInForce(epoch);
    }

    @Override
    public StatementPlan.Kind kind() {
        return planned.plan().kind();
    }

    @Override
    public int columns() {
        return planned.plan().columns();
    }

    @Override
    public @Nullable ContextCommand contextCommand() {
        return planned.contextCommand();
    }

    @Override
    public boolean changesSession() {
        return planned.effects().reading();
    }

    @Override
    public boolean changesMeaning() {
        return planned.effects().meaning();
    }

    @Override
    public boolean controlsTransaction() {
        return planned.effects().transaction();
    }

    @Override
    public SessionEffects effects() {
        return planned.effects().session();
    }

    /** Without questions neither facts nor modes matter, so the driver spares the look at the request. */
    @Override
    public StatementPlan.Held held() {
        return planned.plan().held();
    }

    @Override
    public Set<String> outsideSnapshots() {
        return planned.plan().outsideSnapshots();
    }

    @Override
    public Set<String> writes() {
        return planned.plan().writes();
    }

    @Override
    public boolean asks() {
        return !planned.questions().isEmpty();
    }

    @Override
    public Ruling check(Request request, Parameters parameters) {
        // Measured here, once for each execution, whatever came of it.
        long start = System.nanoTime();
        BoundSlots slots = new BoundSlots(sources, planned.plan().slots(), parameters);
        Verdict verdict = new Verdict(request, slots);
        TrafficTap.Execution execution = tap.isActive()
                ? new TrafficTap.Execution(sql, session, planned.name(), sources, request, parameters)
                : null;
        Denial denial = verdict.decide();
        long nanos = System.nanoTime() - start;
        if (denial != null) {
            Outcome outcome = denial.outcome();
            // No stage has decided what is undecided.
            Stage stage = outcome == Outcome.UNDECIDED ? Stage.NONE : verdict.stage;
            epoch.tracker().checked(stage, outcome, nanos);
            if (execution != null) {
                tap.decided(execution, denial, stage, nanos, false, null, null);
            }
            return denial;
        }
        epoch.tracker().checked(verdict.stage, Outcome.ALLOW, nanos);
        Denial audited = verdict.audited;
        // Rows that the policy does not show are no facts: a proof from them would let through more than audit mode
        // is meant to.
        RowRecorder recorder = audited != null ? null : recorder(request, slots);
        if (execution != null) {
            List<Integer> columns = planned.layout() == null ? null : planned.tellable();
            recorder = tap.decided(execution, audited, verdict.stage, nanos, true, columns, recorder);
        }
        return new CheckedPermit(planned.plan(), slots, request, recorder);
    }

    /** The tables that it reads or writes. */
    Set<String> tables() {
        Set<String> tables = new HashSet<>(planned.plan().reads());
        tables.addAll(writes());
        return tables;
    }

    private @Nullable RowRecorder recorder(Request request, BoundSlots slots) {
        CheckedRows.Layout layout = planned.layout();
        // Nothing is remembered of nobody, as there is no end at which it would be forgotten.
        if (layout == null || !request.hasContext()) {
            return null;
        }
        Recording recording = planned.plan().recording();
        if (mayMixStates(recording, request.standpoint().states())) {
            return null;
        }
        List<List<Value>> arguments = new ArrayList<>(recording.parts().size());
        for (Recording.Part part : recording.parts()) {
            List<Value> values = new ArrayList<>(part.arguments().size());
            // A list or an array is no single value, and which of its elements selected a row is not known.
            for (Slot slot : part.arguments()) {
                // A row that was selected by NULL says nothing of what would have selected it by a value.
                if (!(slot instanceof Slot.One one) || slots.mayBeNull(one.slot())) {
                    return null;
                }
                values.add(slots.value(one.slot()));
            }
            arguments.add(values);
        }
        return CheckedRows.open(layout, recording, arguments, request.known());
    }

    /** Whether a row may be put together of rows that were never there at the same time: that is no fact. */
    private boolean mayMixStates(Recording recording, States states) {
        return (planned.plan().locks() || !states.isOne())
                && recording.parts().stream()
                        .anyMatch(part -> part.query().atoms().size() > 1);
    }

    /** The decision on one execution. */
    private final class Verdict {
        private final Request request;
        private final BoundSlots slots;
        private Stage stage = Stage.NONE;
        /** Why it would have been refused, if it passes because of audit mode. */
        private @Nullable Denial audited;

        Verdict(Request request, BoundSlots slots) {
            this.request = request;
            this.slots = slots;
        }

        /** Returns null if it may be sent. */
        @Nullable
        Denial decide() {
            StatementPlan.Kind kind = planned.plan().kind();
            if ((kind == StatementPlan.Kind.WRITE || kind == StatementPlan.Kind.DDL) && epoch.refusesWrites()) {
                return told(new Refused.NoWrites());
            }
            // Some texts are allowed for some values only, as a parameter in SET foreign_key_checks for 1.
            for (Demand demand : planned.demands()) {
                if (!demand.isMetBy(slots.value(demand.slot()))) {
                    return Denial.of(UnsupportedQueryException.sql(demand.construct()));
                }
            }
            if (planned.questions().isEmpty()) {
                return null;
            }
            epoch.tracker().traceSize(request.trace().size(), request.trace().cells());
            Map<String, Value> context = epoch.context(request);
            for (PlannedText.Question question : planned.questions()) {
                // A question is refused by the strictest mode of its tables; other questions of the statement may
                // have other modes.
                if (question.mode() != PrivoxyMode.OFF) {
                    Refused refused = decide(question, context);
                    Denial denial = refused == null ? null : told(refused);
                    if (denial != null && !epoch.audit().passes(denial, question.mode())) {
                        return denial;
                    }
                    // All tables of the question are in audit mode: rows may pass, but are no facts.
                    audited = audited == null ? denial : audited;
                }
            }
            return ofStates(context);
        }

        /** The same where rows may be of several states of the database. */
        private @Nullable Denial ofStates(Map<String, Value> context) {
            States states = request.standpoint().states();
            for (PlannedText.Split split : planned.splits()) {
                if (split.mode() != PrivoxyMode.OFF && SeveralStates.concern(split.obligation(), states)) {
                    Refused refused = decide(split.obligation(), states, context);
                    Denial denial = refused == null ? null : told(refused);
                    if (denial != null && !epoch.audit().passes(denial, split.mode())) {
                        return denial;
                    }
                    audited = audited == null ? denial : audited;
                }
            }
            return null;
        }

        private @Nullable Refused decide(SplitObligation split, States states, Map<String, Value> context) {
            List<List<Value>> choices = Alternatives.of(split.obligation().arguments(), slots);
            if (choices == null) {
                return new Refused.UnknownValues(split.obligation());
            }
            for (List<Value> arguments : choices) {
                Decision decision = epoch.states().decide(split, states, arguments, context, request.known());
                if (decision instanceof Refused refused) {
                    stage = refused.stage();
                    return refused;
                }
            }
            return null;
        }

        private @Nullable Refused decide(PlannedText.Question question, Map<String, Value> context) {
            List<List<Value>> choices = Alternatives.of(question.obligation().arguments(), slots);
            if (choices == null) {
                return new Refused.UnknownValues(question.obligation());
            }
            for (List<Value> arguments : choices) {
                Decision decision = epoch.decider()
                        .decide(question.obligation(), question.goal(), arguments, context, request.known());
                epoch.listener().decided(question.obligation(), arguments, context, request.trace(), decision);
                // The first refusal is enough; the others are not looked for.
                if (decision instanceof Refused refused) {
                    stage = refused.stage();
                    return refused;
                }
                Stage needed = decision.stage();
                // For metrics: a statement took the dearest stage that any of its questions took.
                stage = needed.compareTo(stage) > 0 || stage == Stage.NONE ? needed : stage;
            }
            return null;
        }

        /** In words only here, when it is certain that somebody is told. */
        private Denial told(Refused refused) {
            return epoch.refusals().refuse(planned.name(), refused, request);
        }
    }
}

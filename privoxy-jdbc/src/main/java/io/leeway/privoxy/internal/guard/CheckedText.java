package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.sql.SlotSource;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One text under one policy and schema: decides on its executions. Immutable, thread-safe. */
final class CheckedText implements GuardedStatement {

    private final PolicyGuard guard;
    private final Epoch epoch;
    private final PlannedText planned;
    private final List<SlotSource> sources;

    CheckedText(PolicyGuard guard, Epoch epoch, PlannedText planned, List<SlotSource> sources) {
        this.guard = guard;
        this.epoch = epoch;
        this.planned = planned;
        this.sources = List.copyOf(sources);
    }

    @Override
    public boolean isCurrent() {
        return guard.isInForce(epoch);
    }

    @Override
    public StatementPlan.Kind kind() {
        return planned.plan().kind();
    }

    @Override
    public @Nullable ContextCommand contextCommand() {
        return planned.contextCommand();
    }

    @Override
    public boolean changesSession() {
        return planned.changesSession();
    }

    @Override
    public Permit check(Request request, Parameters parameters) throws SQLException {
        long start = System.nanoTime();
        BoundSlots slots = new BoundSlots(sources, planned.plan().slots(), parameters);
        Verdict verdict = new Verdict(request, slots);
        try {
            verdict.decide();
        } catch (UndecidedQueryException undecided) {
            epoch.tracker().checked(Stage.NONE, Outcome.UNDECIDED, System.nanoTime() - start);
            throw undecided;
        } catch (SQLException denied) {
            epoch.tracker().checked(verdict.stage, Outcome.DENY, System.nanoTime() - start);
            throw denied;
        }
        epoch.tracker().checked(verdict.stage, Outcome.ALLOW, System.nanoTime() - start);
        return new CheckedPermit(planned.plan(), request, verdict.passedUnproved ? null : recorder(request, slots));
    }

    /** The tables that it reads or writes. */
    Set<String> tables() {
        Set<String> tables = new HashSet<>(planned.plan().reads());
        tables.addAll(planned.plan().writes());
        return tables;
    }

    private @Nullable RowRecorder recorder(Request request, BoundSlots slots) {
        CheckedRows.Layout layout = planned.layout();
        if (layout == null || !request.hasContext()) {
            return null;
        }
        Recording recording = planned.plan().recording();
        List<List<Value>> arguments = new ArrayList<>(recording.parts().size());
        for (Recording.Part part : recording.parts()) {
            List<Value> values = new ArrayList<>(part.arguments().size());
            for (Slot slot : part.arguments()) {
                if (!(slot instanceof Slot.One one)) {
                    return null;
                }
                values.add(slots.value(one.slot()));
            }
            arguments.add(values);
        }
        return CheckedRows.open(layout, recording, arguments, request.trace());
    }

    /** The decision on one execution. */
    private final class Verdict {
        private final Request request;
        private final BoundSlots slots;
        private Stage stage = Stage.NONE;
        private boolean passedUnproved;

        Verdict(Request request, BoundSlots slots) {
            this.request = request;
            this.slots = slots;
        }

        void decide() throws SQLException {
            if (planned.plan().kind() == StatementPlan.Kind.WRITE && epoch.refusesWrites()) {
                throw new PolicyViolationException(
                        PrivoxyErrorCode.WRITE_REFUSED,
                        Refusal.of(planned.name().id(), planned.name().text(), "Writes are refused by configuration."));
            }
            if (planned.questions().isEmpty()) {
                return;
            }
            Map<String, Value> context = epoch.context(request);
            for (PlannedText.Question question : planned.questions()) {
                if (question.mode() != PrivoxyMode.OFF) {
                    decide(question, context);
                }
            }
        }

        private void decide(PlannedText.Question question, Map<String, Value> context) throws SQLException {
            List<List<Value>> choices = Alternatives.of(question.obligation().arguments(), slots);
            if (choices == null) {
                refuse(
                        question,
                        new UndecidedQueryException(Refusal.of(
                                planned.name().id(),
                                planned.name().text(),
                                "A list of values is not known or too long to decide on "
                                        + question.obligation().reason() + ".")));
                return;
            }
            for (List<Value> arguments : choices) {
                Decision decision = epoch.decider()
                        .decide(question.obligation(), question.goal(), arguments, context, request.trace());
                if (decision instanceof Decision.Refused refused) {
                    stage = refused.verdict() == null ? Stage.TEMPLATE : Stage.CHASE;
                    refuse(question, epoch.refusals().refuse(planned.name(), refused));
                    return;
                }
                Stage needed = ((Decision.Allowed) decision).stage();
                stage = needed.compareTo(stage) > 0 || stage == Stage.NONE ? needed : stage;
            }
        }

        /** Throws, unless all tables of the question are in audit mode: then rows may pass, but are no facts. */
        private void refuse(PlannedText.Question question, SQLException refusal) throws SQLException {
            if (question.mode() == PrivoxyMode.ENFORCE) {
                throw refusal;
            }
            passedUnproved = true;
            epoch.audit(refusal);
        }
    }
}

package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.SplitObligation;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.StatementPlan.Held;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.normalize.Demand;
import io.leeway.privoxy.internal.normalize.Normalized;
import io.leeway.privoxy.internal.normalize.Normalizer;
import io.leeway.privoxy.internal.normalize.Unordered;
import io.leeway.privoxy.internal.schema.Reach;
import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Addition;
import io.leeway.privoxy.internal.sql.ParsedSql;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Plans texts: reads their statements and compiles the questions under the policy in force. Thread-safe. */
final class Planner {

    /** Type of a slot of which a statement knows nothing. */
    private static final ColumnType UNTYPED = ColumnType.exact(ValueKind.OPAQUE, "");

    private final Normalizer normalizer;
    private final TableSource tables;

    Planner(Normalizer normalizer, TableSource tables) {
        this.normalizer = normalizer;
        this.tables = tables;
    }

    /**
     * Plans a text.
     *
     * @throws UnsupportedSqlException if it is not understood
     */
    PlannedText plan(Epoch epoch, String sql, Skeleton skeleton, SessionState session) {
        ParsedSql parsed = skeleton.parse();
        List<Addition> additions = List.of();
        QueryName name = QueryName.of(SqlText.withoutLiterals(skeleton.key()));
        ContextCommand command = ContextCommands.of(parsed.statements());
        if (command != null) {
            StatementPlan nothing = new StatementPlan(
                    StatementPlan.Kind.SESSION, List.of(), Recording.NONE, List.of(), Set.of(), List.of());
            return new PlannedText(
                    name,
                    nothing,
                    List.of(),
                    List.of(),
                    List.of(),
                    null,
                    List.of(),
                    command,
                    PlannedText.Effects.NONE,
                    additions);
        }
        List<Normalized> read = read(parsed, sql, session);
        boolean asOften = read.stream()
                .flatMap(one -> one.plan().obligations().stream())
                .anyMatch(obligation -> obligation.reason().equals(Obligation.ROWS_AS_OFTEN));
        if (epoch.determinesOrder()) {
            additions = additions(epoch, read, sql);
            if (!additions.isEmpty()) {
                // What is sent is what is decided on: the text with what is added to it.
                Skeleton ordered = skeleton.with(additions);
                read = read(ordered.parse(), ordered.sql(), session);
            }
        }
        for (Normalized one : read) {
            for (String column : one.added()) {
                // The rows that are there would get a value in it that a condition of the policy asks for.
                if (epoch.comparesColumn(column)) {
                    throw UnsupportedSqlException.at(
                            "a new column " + column + " for rows that are there, which the policy compares", sql, 0);
                }
            }
        }
        boolean changesAnswer = epoch.asksSession() && read.stream().anyMatch(Normalized::setsMeaning)
                || epoch.asksSettings() && read.stream().anyMatch(Normalized::setsAny);
        // A view over now() or a setting would show what the session makes of it (PolicyMeaningIT).
        if (changesAnswer) {
            throw UnsupportedSqlException.at(
                    "a setting on which views of the policy depend (give it in the URL, or to the account)", sql, 0);
        }
        boolean changesSession = read.stream().anyMatch(Normalized::changesSession);
        // The statements behind it were read under the settings of before it (SettingsCasesIT).
        if (changesSession && read.size() > 1) {
            throw UnsupportedSqlException.at(
                    "a statement that changes how SQL is read, together with others in one text", sql, 0);
        }
        List<Demand> demands =
                read.stream().flatMap(one -> one.demands().stream()).toList();
        PlannedText.Effects effects = new PlannedText.Effects(
                changesSession,
                read.stream().anyMatch(Normalized::changesMeaning),
                read.stream().anyMatch(one -> one.plan().kind() == StatementPlan.Kind.TRANSACTION),
                effects(read));
        return compiled(epoch, name, sum(read), demands, effects, additions, asOften);
    }

    private static SessionEffects effects(List<Normalized> read) {
        SessionEffects all = read.stream().map(Normalized::effects).reduce(SessionEffects.NONE, SessionEffects::and);
        return read.size() > 1 ? all.uncertain() : all;
    }

    /** Each statement of the text by itself, under one state of the session. */
    private List<Normalized> read(ParsedSql parsed, String sql, SessionState session) {
        List<Normalized> read = new ArrayList<>();
        for (Statement statement : parsed.statements()) {
            read.add(normalizer.normalize(
                    statement, parsed.slots(), sql, session.searchPath(), session.user(), session.asksNumbers()));
        }
        return read;
    }

    /** What to add to the text so that no order of rows tells what is not shown; refuses where nothing can be added. */
    private List<Addition> additions(Epoch epoch, List<Normalized> read, String sql) {
        List<Addition> additions = new ArrayList<>();
        for (Normalized one : read) {
            Unordered unordered = one.unordered();
            if (unordered.isNowhere()) {
                continue;
            }
            one.plan().obligations().stream()
                    .flatMap(obligation -> obligation.query().disjuncts().stream())
                    // Keys are looked at to find out whether the order tells anything.
                    .forEach(disjunct -> makeKnown(disjunct, epoch.policy()));
            if (new OrderTells(epoch.policy(), epoch.modes()).in(one.plan())) {
                for (Unordered.Loose loose : unordered.loose()) {
                    // Where no ORDER BY can be put (inside an aggregate, a window) the author has to.
                    throw UnsupportedSqlException.at(loose.construct(), sql, loose.position());
                }
                additions.addAll(unordered.additions());
            }
        }
        return additions;
    }

    private PlannedText compiled(
            Epoch epoch,
            QueryName name,
            StatementPlan plan,
            List<Demand> demands,
            PlannedText.Effects effects,
            List<Addition> additions,
            boolean asOften) {
        CompiledPolicy policy = epoch.policy();
        List<PlannedText.Question> questions = new ArrayList<>();
        for (Obligation obligation : plan.obligations()) {
            obligation.query().disjuncts().forEach(disjunct -> makeKnown(disjunct, policy));
            // The reason is for people: a question for rows and one for their number are one question to them.
            Obligation asked = asOften && obligation.reason().equals(Obligation.ROWS)
                    ? new Obligation(obligation.query(), obligation.arguments(), Obligation.ROWS_AS_OFTEN)
                    : obligation;
            questions.add(new PlannedText.Question(
                    asked, policy.goal(asked.query()), epoch.modes().of(asked.query())));
        }
        List<PlannedText.Split> splits = plan.splits().stream()
                .map(split -> new PlannedText.Split(
                        split, epoch.modes().of(split.obligation().query())))
                .toList();
        for (PlannedText.Split split : splits) {
            split.obligation().obligation().query().disjuncts().forEach(disjunct -> makeKnown(disjunct, policy));
        }
        Recording recording = interned(plan.recording(), epoch);
        StatementPlan interned = new StatementPlan(
                plan.kind(),
                plan.obligations(),
                plan.splits(),
                plan.held(),
                recording,
                plan.slots(),
                plan.reads(),
                plan.outsideSnapshots(),
                reaching(plan.changes()),
                plan.columns());
        CheckedRows.Layout layout = recording.parts().isEmpty()
                ? null
                : new CheckedRows.Layout(recording, new HeadTypes(policy.schema()), policy::table);
        return new PlannedText(
                name,
                interned,
                demands,
                questions,
                splits,
                layout,
                tellable(plan.recording()),
                null,
                effects,
                additions);
    }

    /** With what the database itself changes besides. */
    private List<Change> reaching(List<Change> changes) {
        Set<Change> all = new LinkedHashSet<>();
        for (Change change : changes) {
            String table = change.table();
            Reach reach = table.equals(StatementPlan.ANYTHING) ? Reach.EVERYTHING : tables.reach(table);
            if (reach.everything()) {
                // A trigger, or what the account is not shown, may change any table.
                return List.of(new Change.Any(StatementPlan.ANYTHING));
            }
            // In a table that cascades into itself, or has partitions, more rows change than the statement names.
            all.add(reach.alone() ? with(reach.moving(), change) : new Change.Any(table));
            reach.tables().stream()
                    .filter(other -> !other.equals(table))
                    .forEach(other -> all.add(new Change.Any(other)));
        }
        return List.copyOf(all);
    }

    /**
     * With the columns that change whenever a row does.
     *
     * <p>A generated column, or the time of an update, changes with each row.
     */
    private Change with(Set<String> moving, Change change) {
        if (!(change instanceof Change.Updated updated) || moving.isEmpty()) {
            return change;
        }
        Relation relation = tables.known(change.table());
        if (relation == null) {
            return new Change.Any(change.table());
        }
        Set<Integer> columns = new TreeSet<>(updated.columns());
        moving.forEach(name -> columns.add(relation.table().indexOf(name)));
        return new Change.Updated(change.table(), columns, updated.where());
    }

    /** For recordings, which may be replayed under another policy that learns from more columns. */
    private static List<Integer> tellable(Recording recording) {
        Set<Integer> columns = new TreeSet<>();
        for (Recording.Part part : recording.parts()) {
            part.resultColumns().forEach(column -> columns.add(column + 1));
            if (part.guard() >= 0) {
                columns.add(part.guard() + 1);
            }
        }
        return List.copyOf(columns);
    }

    /** Telling parts with the policy's own instance of each query, by which traces are indexed. */
    private Recording interned(Recording recording, Epoch epoch) {
        CompiledPolicy policy = epoch.policy();
        List<Recording.Part> parts = new ArrayList<>();
        for (Recording.Part whole : recording.parts()) {
            makeKnown(whole.query(), policy);
            // What can never help a proof is not even read from the driver.
            Recording.Part part = epoch.tellingColumns().of(whole);
            parts.add(new Recording.Part(
                    policy.shape(part.query()).query(), part.arguments(), part.resultColumns(), part.guard()));
        }
        return new Recording(parts, recording.complete());
    }

    /**
     * Adds the query's tables to what the policy knows.
     *
     * <p>Tables come into the policy's schema as statements name them, so a policy of ten tables does not load a
     * schema of a thousand.
     */
    void makeKnown(ConjunctiveQuery query, CompiledPolicy policy) {
        for (Atom atom : query.atoms()) {
            Relation relation = tables.known(atom.table());
            if (relation != null) {
                policy.addTable(relation.table());
            }
        }
    }

    /**
     * The plan of several statements sent as one text: all their questions; their rows are not told apart.
     *
     * <p>Rows of which result belong to which statement is the driver's affair, and drivers differ, so nothing is
     * learnt from such a text.
     */
    private static StatementPlan sum(List<Normalized> read) {
        if (read.size() == 1) {
            return read.get(0).plan();
        }
        StatementPlan.Kind kind = StatementPlan.Kind.SESSION;
        List<Obligation> obligations = new ArrayList<>();
        List<SplitObligation> splits = new ArrayList<>();
        boolean locks = read.stream().anyMatch(one -> one.plan().locks());
        Set<String> reads = new TreeSet<>();
        Set<String> outsideSnapshots = new LinkedHashSet<>();
        List<Change> changes = new ArrayList<>();
        for (Normalized normalized : read) {
            StatementPlan plan = normalized.plan();
            kind = Kinds.stricter(kind, plan.kind());
            obligations.addAll(plan.obligations());
            for (SplitObligation split : plan.splits()) {
                // What stands before may have written or waited: all are taken for held.
                splits.add(locks ? split.held() : split);
            }
            reads.addAll(plan.reads());
            outsideSnapshots.addAll(plan.outsideSnapshots());
            changes.addAll(plan.changes());
        }
        return new StatementPlan(
                kind,
                obligations,
                splits,
                locks ? Held.SOME : Held.NOTHING,
                Recording.NONE,
                slots(read),
                reads,
                outsideSnapshots,
                changes,
                StatementPlan.ANY_NUMBER);
    }

    /** Each slot is in one of the statements, which knows its type; the others know nothing of it. */
    private static List<ColumnType> slots(List<Normalized> read) {
        List<ColumnType> types = new ArrayList<>();
        for (Normalized one : read) {
            List<ColumnType> own = one.plan().slots();
            for (int slot = 0; slot < own.size(); slot++) {
                if (slot == types.size()) {
                    types.add(own.get(slot));
                } else if (types.get(slot).equals(UNTYPED)) {
                    types.set(slot, own.get(slot));
                }
            }
        }
        return types;
    }
}

package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.cache.Fingerprint;
import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.normalize.AllowedFunctions;
import io.leeway.privoxy.internal.normalize.LiveTables;
import io.leeway.privoxy.internal.normalize.Normalizer;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.schema.SchemaVersion;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides as the driver would, with nothing sent to a database and nothing recorded: for tools that explain decisions,
 * or try them under another policy. Not thread-safe.
 */
public final class Trial {

    private final Dialect dialect;
    private final Planner planner;
    private final Epoch epoch;
    private final TrafficTap tap;
    private final Map<Key, CheckedText> texts = new HashMap<>();
    private final List<Answer> answers = new ArrayList<>();

    private record Key(String sql, SessionState session) {}

    private Trial(PrivoxyConfig config, LoadedPolicy loaded, TableSource tables, Dialect dialect) {
        this.dialect = dialect;
        AllowedFunctions functions = AllowedFunctions.of(config.get(PrivoxyOptions.FUNCTIONS), dialect);
        this.planner = new Planner(new Normalizer(dialect, new LiveTables(tables), false, functions), tables);
        this.tap = TrafficTap.none(config, dialect);
        this.epoch = new EpochFactory(config, SchemaVersion.FIXED, tables, tap, this::decided).create(loaded, 0);
    }

    /**
     * Prepares to decide.
     *
     * @param config as for a connection; its policy, URL and recording are not looked at
     * @param loaded the policy
     * @param tables the schema that it was loaded with
     * @throws IllegalArgumentException if the functions that the configuration allows cannot be read
     */
    public static Trial of(PrivoxyConfig config, LoadedPolicy loaded, TableSource tables, Dialect dialect) {
        return new Trial(config, loaded, tables, dialect);
    }

    /**
     * What was decided on one statement.
     *
     * @param plan what the statement is and asks; null if it was not understood
     * @param queryId short name of the query
     * @param query the text without literals
     * @param answers what was asked, up to the first refusal
     * @param refusal why it is refused; null if it is compliant
     * @param permit if it is compliant
     */
    public record Result(
            @Nullable StatementPlan plan,
            String queryId,
            String query,
            List<Answer> answers,
            @Nullable Denial refusal,
            @Nullable Permit permit) {
        public Result {
            answers = List.copyOf(answers);
        }

        /** Whether it may be sent. */
        public boolean isCompliant() {
            return refusal == null;
        }

        /** The last stage that was needed. */
        public Stage stage() {
            Stage stage = Stage.NONE;
            for (Answer answer : answers) {
                Stage needed = answer.stage();
                if (needed != Stage.NONE && (stage == Stage.NONE || needed.compareTo(stage) > 0)) {
                    stage = needed;
                }
            }
            return stage;
        }
    }

    /**
     * One question, asked of one choice of arguments.
     *
     * @param known what the request had read
     * @param stage what decided; NONE if nothing could prove it
     */
    public record Answer(
            Obligation obligation,
            List<Value> arguments,
            Map<String, Value> context,
            List<TraceEntry> known,
            boolean isCompliant,
            Stage stage) {
        public Answer {
            arguments = List.copyOf(arguments);
            context = Map.copyOf(context);
            known = List.copyOf(known);
        }
    }

    /** Decides on one execution; if it is compliant, the permit takes its rows into the request's trace. */
    public Result run(String sql, SessionState session, Request request, Parameters parameters) {
        answers.clear();
        CheckedText text;
        try {
            text = read(sql, session);
        } catch (UnsupportedSqlException unsupported) {
            QueryName name = QueryName.of(SqlText.withoutLiterals(sql));
            Denial refusal = Denial.of(PolicyGuard.refusal(unsupported));
            return new Result(null, name.id(), name.text(), List.of(), refusal, null);
        }
        QueryName name = text.planned().name();
        Ruling ruling = text.check(request, parameters);
        return new Result(
                text.planned().plan(),
                name.id(),
                name.text(),
                answers,
                ruling instanceof Denial denial ? denial : null,
                ruling instanceof Permit permit ? permit : null);
    }

    /**
     * Whether a question that was asked elsewhere, under another policy with the same schema, is answered here.
     *
     * <p>Questions of one policy are asked under another, to see what a change of the policy would refuse.
     */
    public boolean isCompliant(Answer asked) {
        CompiledPolicy policy = epoch.policy();
        asked.obligation().query().disjuncts().forEach(query -> planner.makeKnown(query, policy));
        for (TraceEntry entry : asked.known()) {
            planner.makeKnown(entry.query(), policy);
        }
        Decision decision = epoch.decider()
                .anew(
                        asked.obligation(),
                        policy.goal(asked.obligation().query()),
                        asked.arguments(),
                        asked.context(),
                        asked.known());
        return decision.isCompliant();
    }

    /** The templates that decisions here led to. */
    public List<StoredTemplate> templates() {
        return epoch.decider().templates();
    }

    /** What templates are bound to: the policy, and the tables that these name. */
    public Fingerprint fingerprint(List<Template> templates) {
        return Fingerprint.of(epoch.policy(), templates);
    }

    /** Whether a template holds under the policy. */
    public boolean proves(Template template) {
        CompiledPolicy policy = epoch.policy();
        template.goal().disjuncts().forEach(query -> planner.makeKnown(query, policy));
        template.premises().forEach(premise -> planner.makeKnown(premise.query(), policy));
        return epoch.decider().proves(template.problem(policy));
    }

    /** The tables of the policy, and of all queries so far. */
    public Schema schema() {
        return epoch.policy().schema();
    }

    private CheckedText read(String sql, SessionState session) {
        Key key = new Key(sql, session);
        CheckedText known = texts.get(key);
        if (known == null) {
            Skeleton skeleton = Skeleton.of(sql, SessionOptions.of(dialect, session));
            PlannedText planned = planner.plan(epoch, sql, skeleton, session);
            known = new CheckedText(
                    // Policy and schema do not change under a trial.
                    any -> true,
                    epoch,
                    sql,
                    session,
                    planned,
                    skeleton.slots(),
                    skeleton.placed(planned.additions()),
                    tap);
            texts.put(key, known);
        }
        return known;
    }

    private void decided(
            Obligation obligation, List<Value> arguments, Map<String, Value> context, Trace trace, Decision decision) {
        Stage stage = decision.isCompliant() ? decision.stage() : Stage.NONE;
        answers.add(new Answer(obligation, arguments, context, trace.entries(), decision.isCompliant(), stage));
    }
}

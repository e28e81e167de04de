package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.metrics.MetricsTrackers;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.SchemaVersion;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.util.List;
import java.util.Set;

/** Makes what belongs to one version of policy and schema. Thread-safe. */
final class EpochFactory {

    private static final System.Logger LOG = System.getLogger(EpochFactory.class.getName());

    /**
     * Rows of a trace that one decision looks at.
     *
     * <p>A chase's cost grows with its rows; the newest are the likeliest to be needed.
     */
    private static final int MAX_FACTS = 400;

    private final PrivoxyConfig config;
    private final SchemaVersion schema;
    private final TableSource tables;
    private final TrafficTap tap;
    private final DecisionListener listener;

    EpochFactory(
            PrivoxyConfig config, SchemaVersion schema, TableSource tables, TrafficTap tap, DecisionListener listener) {
        this.config = config;
        this.schema = schema;
        this.tables = tables;
        this.tap = tap;
        this.listener = listener;
    }

    Epoch create(LoadedPolicy loaded, long schemaVersion) {
        tap.policy(loaded);
        CompiledPolicy policy = CompiledPolicy.of(withoutVoidAssertions(loaded.policy()));
        PrivoxyMetricsTracker tracker = MetricsTrackers.of(config);
        ChaseEngine chase = new ChaseEngine(policy, Budget.ofEffort(config.get(PrivoxyOptions.EFFORT)));
        SolverStage solver = Solvers.stage(config, policy, tracker);
        Facts facts = new Facts(policy, chase, MAX_FACTS);
        TemplateStage templates = StoredTemplates.open(config, policy, chase, facts, solver, tables, tracker);
        Counterexamples counterexamples = new Counterexamples(policy, chase, config.get(PrivoxyOptions.VALUES));
        Decider decider = new Decider(chase, templates, counterexamples::find, solver, facts);
        Refusals refusals = new Refusals(policy, config, counterexamples);
        return new Epoch(
                loaded,
                schemaVersion,
                schema,
                policy,
                decider,
                new SeveralStates(config, policy, MAX_FACTS),
                refusals,
                config,
                tracker,
                listener,
                new TableModes(config, this::meaning));
    }

    /**
     * The table that a name without schema leads to.
     *
     * <p>Looked up as a statement would look it up, so that a mode belongs to a table and not to a name.
     */
    private String meaning(String name) {
        Relation relation = tables.find(List.of(name), tables.searchPath());
        return relation == null ? "" : relation.table().name();
    }

    /** Void ones say nothing: with a row that is there all the same, all would follow. */
    private static Policy withoutVoidAssertions(Policy policy) {
        Set<String> names = CompiledPolicy.of(policy).voidAssertions();
        if (names.isEmpty()) {
            return policy;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "assertions without effect, as with them some table could have no row at all, or as they ask for the time"
                        + " or for settings of the session: {0}",
                names);
        List<Inclusion> rest = policy.inclusions().stream()
                .filter(inclusion -> !names.contains(inclusion.name()))
                .toList();
        // Again, as the rest may still leave a table without rows.
        return withoutVoidAssertions(new Policy(policy.schema(), policy.context(), policy.views(), rest));
    }
}

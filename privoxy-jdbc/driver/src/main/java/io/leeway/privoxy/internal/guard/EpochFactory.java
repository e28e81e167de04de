package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.metrics.MetricsTrackers;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.schema.SchemaVersion;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;

/** Makes what belongs to one version of policy and schema. Thread-safe. */
final class EpochFactory {

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
        CompiledPolicy policy = CompiledPolicy.of(loaded.policy());
        PrivoxyMetricsTracker tracker = MetricsTrackers.of(config);
        ChaseEngine chase = new ChaseEngine(policy, Budget.ofEffort(config.get(PrivoxyOptions.EFFORT)));
        SolverStage solver = Solvers.stage(config, policy, tracker);
        TemplateStage templates = StoredTemplates.open(config, policy, chase, solver, tables, tracker);
        Counterexamples counterexamples = new Counterexamples(policy, chase, config.get(PrivoxyOptions.VALUES));
        Decider decider = new Decider(policy, chase, templates, counterexamples, solver);
        Refusals refusals = new Refusals(policy, config, counterexamples);
        return new Epoch(loaded, schemaVersion, schema, policy, decider, refusals, config, tracker, listener);
    }
}

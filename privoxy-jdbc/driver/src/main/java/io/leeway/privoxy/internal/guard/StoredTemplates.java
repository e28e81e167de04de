package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.cache.Generaliser;
import io.leeway.privoxy.internal.cache.PremiseCheck;
import io.leeway.privoxy.internal.cache.StoreSettings;
import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.cache.TemplateListener;
import io.leeway.privoxy.internal.cache.TemplateStore;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Standpoint;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.TemplateEvent;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Templates in a store shared by all connections; made from proofs unless the options forbid it. Thread-safe. */
final class StoredTemplates implements TemplateStage {

    private final TemplateStore store;
    private final Generaliser generaliser;
    private final Facts facts;
    private final boolean reviewedOnly;

    private StoredTemplates(TemplateStore store, Generaliser generaliser, Facts facts, boolean reviewedOnly) {
        this.facts = facts;
        this.store = store;
        this.generaliser = generaliser;
        this.reviewedOnly = reviewedOnly;
    }

    /** The stage that the options ask for. */
    static TemplateStage open(
            PrivoxyConfig config,
            CompiledPolicy policy,
            ChaseEngine chase,
            Facts facts,
            SolverStage solver,
            TableSource tables,
            PrivoxyMetricsTracker tracker) {
        PrivoxyOptions.TemplateUse use = config.get(PrivoxyOptions.TEMPLATE_USE);
        if (use == PrivoxyOptions.TemplateUse.NONE) {
            return NONE;
        }
        boolean reviewedOnly = use == PrivoxyOptions.TemplateUse.REVIEWED;
        StoreSettings settings = new StoreSettings(
                config.get(PrivoxyOptions.TEMPLATE_LIMIT), StoreSettings.DEFAULT.perGoal(), reviewedOnly);
        TemplateStore store = new TemplateStore(policy, settings, event -> tell(tracker, event));
        // Solvers are loaded only if the file has a template that the chase does not prove.
        TemplateFiles.load(
                config,
                store,
                // A template whose premises cannot hold together proves nothing, so it must not be loaded as if it
                // did.
                problem -> chase.canHold(problem)
                        && (chase.decide(problem).isCompliant() || solver.proves(problem.withoutFacts())),
                tables);
        return new StoredTemplates(store, Generaliser.of(policy, chase), facts, reviewedOnly);
    }

    /** Templates that are learnt, and neither loaded nor counted. */
    static TemplateStage unshared(PrivoxyConfig config, CompiledPolicy policy, ChaseEngine chase, Facts facts) {
        if (config.get(PrivoxyOptions.TEMPLATE_USE) == PrivoxyOptions.TemplateUse.NONE) {
            return NONE;
        }
        StoreSettings settings =
                new StoreSettings(config.get(PrivoxyOptions.TEMPLATE_LIMIT), StoreSettings.DEFAULT.perGoal(), false);
        TemplateStore store = new TemplateStore(policy, settings, event -> {});
        return new StoredTemplates(store, Generaliser.of(policy, chase), facts, false);
    }

    /** Replaced and evicted are one to operators: gone. */
    private static void tell(PrivoxyMetricsTracker tracker, TemplateListener.Event event) {
        tracker.template(
                switch (event) {
                    case CREATED -> TemplateEvent.CREATED;
                    case LOADED -> TemplateEvent.LOADED;
                    case REPLACED, EVICTED -> TemplateEvent.EVICTED;
                    case REJECTED -> TemplateEvent.REJECTED;
                });
    }

    /** With the trace as it may be used from where the statement stands ({@code Standpoint}). */
    @Override
    public boolean covers(Goal goal, List<Value> arguments, Map<String, Value> context, Standpoint.View known) {
        return store.find(goal, arguments.toArray(Value[]::new), context, known::entriesOf, new Grounds(context))
                != null;
    }

    @Override
    public void learn(Problem proved) {
        learn(() -> generaliser.generalise(proved));
    }

    @Override
    public void learn(Supplier<@Nullable Template> maker) {
        // What is learnt would not be kept, so it is not made.
        if (!reviewedOnly) {
            Template template = maker.get();
            if (template != null) {
                store.add(template);
            }
        }
    }

    /** With reviewed templates only, no other proof is looked for. */
    @Override
    public boolean isExclusive() {
        return reviewedOnly;
    }

    @Override
    public List<StoredTemplate> templates() {
        return store.templates();
    }

    /**
     * What a template's premises stand on in one context.
     *
     * <p>One for each look-up, as facts stand together under one context.
     */
    private final class Grounds implements PremiseCheck {
        private final Map<String, Value> context;

        Grounds(Map<String, Value> context) {
            this.context = context;
        }

        @Override
        public boolean needsAssertions(Template template) {
            return facts.needsAssertions(template);
        }

        @Override
        public boolean canHold(TraceEntry[] entries, int[] rows) {
            return facts.canHold(entries, rows, context);
        }

        @Override
        public boolean canBeAnswered(Template template, @Nullable Value[] arguments) {
            return facts.canBeAnswered(template, arguments, context);
        }
    }
}

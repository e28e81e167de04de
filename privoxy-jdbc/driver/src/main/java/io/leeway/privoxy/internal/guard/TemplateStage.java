package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Standpoint;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decisions made before, in general form. Thread-safe. */
interface TemplateStage {

    /** Whether a template covers the goal for these arguments, context and facts. */
    boolean covers(Goal goal, List<Value> arguments, Map<String, Value> context, Standpoint.View known);

    /** A problem that was proved: its general form may be kept. */
    void learn(Problem proved);

    /**
     * A problem was proved elsewhere: its general form may be kept.
     *
     * @param maker makes it, at some cost; null if there is none
     */
    void learn(Supplier<@Nullable Template> maker);

    /** Whether only templates decide. */
    boolean isExclusive();

    /** Those that were learnt or loaded. */
    default List<StoredTemplate> templates() {
        return List.of();
    }

    /**
     * No templates: every question is decided anew.
     *
     * <p>For configurations that want each decision proved anew, as tests do.
     */
    TemplateStage NONE = new TemplateStage() {
        @Override
        public boolean covers(Goal goal, List<Value> arguments, Map<String, Value> context, Standpoint.View known) {
            return false;
        }

        @Override
        public void learn(Problem proved) {
            // Forgotten at once.
        }

        @Override
        public void learn(Supplier<@Nullable Template> maker) {
            // Not even made.
        }

        @Override
        public boolean isExclusive() {
            return false;
        }
    };
}

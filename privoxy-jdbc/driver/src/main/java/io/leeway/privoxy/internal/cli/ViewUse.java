package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.console.ProgressLine;
import io.leeway.privoxy.internal.guard.ChaseRedundancy;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which views recorded decisions need: those without which a question that was answered could not be answered any
 * more. Of each kind of question some are tried. Not thread-safe.
 */
final class ViewUse {

    /** Questions of one kind, which differ in values only, that are tried. */
    private static final int SAMPLES = 10;

    private final List<Trial.Answer> answered = new ArrayList<>();
    private final Map<UnionQuery, Integer> kinds = new HashMap<>();

    /**
     * A view and its use.
     *
     * @param needed how many of the questions need it
     * @param isRedundant whether other views show all that it shows
     */
    record Use(View view, int needed, boolean isRedundant) {}

    void add(Trial.Result result) {
        for (Trial.Answer answer : result.answers()) {
            if (answer.isCompliant() && kinds.merge(answer.obligation().query(), 1, Integer::sum) <= SAMPLES) {
                answered.add(answer);
            }
        }
    }

    /** How many questions are tried. */
    int questions() {
        return answered.size();
    }

    List<Use> uses(Workspace workspace, PrivoxyConfig config, LoadedPolicy loaded, ProgressLine progress) {
        List<Use> uses = new ArrayList<>();
        Policy policy = loaded.policy();
        var redundancy = new ChaseRedundancy(policy);
        for (View view : policy.views()) {
            progress.at(uses.size(), policy.views().size());
            List<View> others = new ArrayList<>(policy.views());
            others.remove(view);
            var rest = new Policy(policy.schema(), policy.context(), others, policy.inclusions());
            Trial without = workspace.trial(
                    config,
                    new LoadedPolicy(
                            rest,
                            loaded.hash(),
                            loaded.positions(),
                            List.of(),
                            loaded.missingTables(),
                            loaded.compared(),
                            loaded.asksSession(),
                            loaded.asksSettings()));
            int needed = (int) answered.stream()
                    .filter(answer -> !without.isCompliant(answer))
                    .count();
            uses.add(new Use(view, needed, needed == 0 && redundancy.isCovered(view, others)));
        }
        return uses;
    }
}

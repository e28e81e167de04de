package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.console.CommandException;
import io.leeway.privoxy.internal.guard.ChaseRedundancy;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.policy.InvalidPolicyException;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.policy.SourceText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy that grows: whenever it refuses a statement, views are drafted, written as text, read back and tried, until
 * one answers it. Not thread-safe.
 */
final class Suggestions {

    /** Questions of one statement for which views are added. */
    private static final int ROUNDS = 8;

    private final Workspace workspace;
    private final PrivoxyConfig config;
    private final List<SourceText> sources;
    private final ViewText writer;
    private final List<Suggestion> views = new ArrayList<>();
    private final Set<String> hopeless = new HashSet<>();
    private Trial trial;
    private LoadedPolicy loaded;
    private int counter;

    /**
     * A suggested view.
     *
     * @param text as it belongs into a policy file
     * @param queries for which it was suggested: text by short name
     */
    record Suggestion(String name, String text, Map<String, String> queries) {}

    Suggestions(Workspace workspace, PrivoxyConfig config, List<SourceText> sources) throws CommandException {
        this.workspace = workspace;
        this.config = config;
        this.sources = List.copyOf(sources);
        this.writer = new ViewText(workspace.tables(), workspace.dialect());
        LoadedPolicy start = load(List.of());
        if (start == null) {
            throw new CommandException("the policy cannot be used");
        }
        this.loaded = start;
        this.trial = workspace.trial(config, start);
    }

    List<Suggestion> views() {
        return List.copyOf(views);
    }

    /** Decides with the policy as it is by now. */
    Trial trial() {
        return trial;
    }

    /** Decides on a statement, with more views if that helps. */
    Trial.Result decide(Replay.Statement statement) {
        Trial.Result result = statement.under(trial);
        for (int round = 0; round < ROUNDS && !result.isCompliant() && extend(result); round++) {
            result = statement.under(trial);
        }
        return result;
    }

    /** Adds views for the question that was refused; whether some were found. */
    private boolean extend(Trial.Result result) {
        if (result.answers().isEmpty() || hopeless.contains(result.queryId())) {
            return false;
        }
        Trial.Answer open = result.answers().get(result.answers().size() - 1);
        if (open.isCompliant()) {
            return false;
        }
        var drafter = new Drafter(trial.schema());
        List<List<ConjunctiveQuery>> drafts = new ArrayList<>();
        for (ConjunctiveQuery disjunct : open.obligation().query().disjuncts()) {
            drafts.add(drafter.drafts(disjunct, open));
        }
        int most = drafts.stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < most; i++) {
            List<ConjunctiveQuery> chosen = new ArrayList<>();
            for (List<ConjunctiveQuery> each : drafts) {
                chosen.add(each.get(Math.min(i, each.size() - 1)));
            }
            if (adopt(chosen, open, result)) {
                return true;
            }
        }
        hopeless.add(result.queryId());
        return false;
    }

    /** Adds the drafts if the policy with them answers the question. */
    private boolean adopt(List<ConjunctiveQuery> drafts, Trial.Answer open, Trial.Result result) {
        List<Suggestion> more = new ArrayList<>(views);
        for (ConjunctiveQuery draft : drafts) {
            String name = name(draft);
            String text = writer.view(name, draft);
            if (text == null) {
                return false;
            }
            Map<String, String> queries = new LinkedHashMap<>();
            queries.put(result.queryId(), result.query());
            more.add(new Suggestion(name, text, queries));
        }
        LoadedPolicy candidate = load(more);
        if (candidate == null) {
            return false;
        }
        Trial next = workspace.trial(config, candidate);
        if (!next.isCompliant(open)) {
            return false;
        }
        use(more, candidate);
        return true;
    }

    private String name(ConjunctiveQuery draft) {
        String table = draft.atoms().isEmpty()
                ? "rows"
                : SchemaCommand.parts(draft.atoms().get(0).table()).stream()
                        .reduce((schema, name) -> name)
                        .orElse("rows");
        counter++;
        return "suggested_" + counter + "_" + table.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    }

    private void use(List<Suggestion> more, LoadedPolicy policy) {
        views.clear();
        views.addAll(more);
        loaded = policy;
        trial = workspace.trial(config, policy);
    }

    /** Drops suggestions that later ones, with the policy, make superfluous. */
    void dropNeedless() {
        var redundancy = new ChaseRedundancy(loaded.policy());
        List<View> kept = new ArrayList<>(loaded.policy().views());
        List<Suggestion> remaining = new ArrayList<>(views);
        for (Suggestion suggestion : views) {
            View view = kept.stream()
                    .filter(each -> each.name().equals(suggestion.name()))
                    .findFirst()
                    .orElse(null);
            List<View> others = new ArrayList<>(kept);
            if (view != null && others.remove(view) && redundancy.isCovered(view, others)) {
                kept = others;
                remaining.remove(suggestion);
            }
        }
        LoadedPolicy rest = load(remaining);
        if (rest != null) {
            use(remaining, rest);
        }
    }

    /** The policy with these views, or null if one cannot be read. */
    private @Nullable LoadedPolicy load(List<Suggestion> more) {
        List<SourceText> all = new ArrayList<>(sources);
        more.forEach(view -> all.add(new SourceText(view.name(), view.text())));
        try {
            return workspace.load(all);
        } catch (InvalidPolicyException unreadable) {
            return null;
        }
    }
}

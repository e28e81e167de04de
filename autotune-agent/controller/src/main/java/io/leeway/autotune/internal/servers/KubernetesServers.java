package io.leeway.autotune.internal.servers;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.kubernetes.KubernetesApi;
import io.leeway.autotune.internal.kubernetes.Quantity;
import io.leeway.autotune.internal.kubernetes.Workload;
import io.leeway.autotune.internal.kubernetes.Workload.Amounts;
import io.leeway.autotune.internal.kubernetes.Workload.Change;
import io.leeway.autotune.internal.kubernetes.Workload.State;
import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deployments of Kubernetes as an orchestrator. A server is a node; an instance a deployment, whose pods have the
 * instance's allocation in equal parts, as requests and limits alike, and are bound to the node by its label.
 *
 * <p>Invariants: a deployment is changed only if nobody else changed its specification since it was read; one is
 * changed only where it differs from what is wanted, so that as little as possible is restarted; a deployment has come
 * about when all its pods are new, available, and have what was asked for. What was there before is kept in an
 * annotation of each deployment, written by the same request as the first change, so that a run that was killed can be
 * taken back from anywhere ({@link #restore}); the annotation also says whose run it is, and another one is refused.
 *
 * <p>Pods are replaced without a surplus while it runs: a full node has no room for the old and the new one together.
 * For one thread.
 */
public final class KubernetesServers implements Servers {

    private static final double MEGABYTE = 1 << 20;
    private static final String BEFORE = "leeway.io/autotune-before";
    private static final String RUN = "leeway.io/autotune-run";
    private static final Map<Resource, String> NAMES = Map.of(Resource.CPU, "cpu", Resource.MEMORY, "memory");

    private final Application application;
    private final Application.Cluster cluster;
    private final Trials trials;
    private final String run;
    private final Consumer<String> log;
    private final Map<String, Workload> workloads = new LinkedHashMap<>();
    private final Map<String, Workload> rehearsals = new LinkedHashMap<>();
    private @Nullable Deployment present;

    /**
     * Servers of a cluster.
     *
     * @param run whose it is: the same for a run that goes on after it was killed
     */
    public KubernetesServers(
            Application application, Application.Cluster cluster, Trials trials, String run, Consumer<String> log) {
        this.application = application;
        this.cluster = cluster;
        this.trials = trials;
        this.run = run;
        this.log = log;
        try {
            KubernetesApi api = KubernetesApi.of(cluster.api(), false);
            KubernetesApi dry = KubernetesApi.of(cluster.api(), true);
            for (Application.Instance instance : application.instances()) {
                workloads.put(instance.name(), workload(api, instance));
                rehearsals.put(instance.name(), workload(dry, instance));
            }
        } catch (IOException e) {
            throw AutoTuneError.BAD_REQUEST.because("the cluster cannot be reached: " + e.getMessage(), e);
        }
    }

    private Workload workload(KubernetesApi api, Application.Instance instance) {
        return new Workload(api, cluster.namespace(), instance.deployment(), instance.container());
    }

    @Override
    public Map<String, Allocation> floors() {
        var floors = new TreeMap<String, Allocation>();
        application.instances().forEach(instance -> floors.put(instance.name(), instance.floor()));
        return floors;
    }

    @Override
    public Allocation capacity() {
        return application.capacity();
    }

    @Override
    public List<Constraint> constraints() {
        return application.constraints();
    }

    @Override
    public Set<Resource> tunable() {
        return application.tunable();
    }

    @Override
    public Trial measure() {
        return trials.run();
    }

    @Override
    public void deploy(Deployment deployment) {
        if (deployment.equals(present)) {
            return;
        }
        Deployment before = present;
        try {
            bringAbout(deployment);
            present = deployment;
        } catch (IOException | AutoTuneException e) {
            back(before, e);
            throw e instanceof AutoTuneException known
                    ? known
                    : AutoTuneError.REFUSED.because("the deployment did not come about: " + e.getMessage(), e);
        }
    }

    private void back(@Nullable Deployment before, Exception cause) {
        try {
            if (before == null) {
                close();
            } else {
                bringAbout(before);
            }
        } catch (IOException | AutoTuneException e) {
            present = null;
            cause.addSuppressed(e);
        }
    }

    /** All are changed before the first is waited for: pods that change places need each other's room. */
    private void bringAbout(Deployment deployment) throws IOException {
        var changed = new ArrayList<Workload>();
        for (Map.Entry<String, Workload> entry : workloads.entrySet()) {
            Workload workload = entry.getValue();
            State state = workload.read();
            List<Change> changes = changes(entry.getKey(), workload, state, deployment);
            if (!changes.isEmpty()) {
                workload.change(state, changes);
                changed.add(workload);
            }
        }
        for (Workload workload : changed) {
            await(workload);
        }
    }

    /** What is to be changed of a deployment; nothing if it is as wanted. */
    private List<Change> changes(String name, Workload workload, State state, Deployment wanted) throws IOException {
        Optional<String> owner = state.annotation(RUN);
        if (owner.isPresent() && !owner.get().equals(run)) {
            throw AutoTuneError.LEASED.because(workload.name() + " is changed by the run " + owner.get()
                    + "; once that is over, --restore with its file takes it back");
        }
        int server = wanted.placement().getOrDefault(name, 0);
        if (server >= cluster.nodes().size()) {
            throw AutoTuneError.BAD_REQUEST.because("there is no node for server " + server);
        }
        String node = cluster.nodes().get(server);
        var amounts = new TreeMap<String, String>();
        for (Resource resource : application.tunable()) {
            double each = wanted.get(name, resource) / Math.max(1, state.replicas());
            amounts.put(
                    NAMES.getOrDefault(resource, ""),
                    resource == Resource.CPU ? Quantity.cores(each) : Quantity.bytes(Math.floor(each) * MEGABYTE));
        }
        Amounts there = workload.amounts(state);
        boolean isThere = owner.isPresent()
                && state.node(cluster.label()).filter(node::equals).isPresent()
                && isIn(amounts, there.limits())
                && isIn(amounts, there.requests());
        if (isThere) {
            return List.of();
        }
        var changes = new ArrayList<Change>();
        changes.add(Workload.amounts(Amounts.alike(amounts)));
        changes.add(Workload.node(cluster.label(), node));
        if (owner.isEmpty()) {
            changes.add(Workload.annotation(RUN, run));
            changes.add(Workload.annotation(
                    BEFORE, before(workload, state, amounts.keySet()).toString()));
            if (Json.text(state.strategy(), "type", "").equals("RollingUpdate")) {
                changes.add(Workload.strategy(withoutSurplus()));
            }
        }
        return changes;
    }

    private static boolean isIn(Map<String, String> wanted, Map<String, @Nullable String> there) {
        return wanted.entrySet().stream().allMatch(entry -> {
            String amount = there.get(entry.getKey());
            return amount != null && Quantity.isSame(amount, entry.getValue());
        });
    }

    private static JsonObject withoutSurplus() {
        var rolling = new JsonObject();
        rolling.addProperty("maxSurge", 0);
        rolling.addProperty("maxUnavailable", 1);
        var strategy = new JsonObject();
        strategy.addProperty("type", "RollingUpdate");
        strategy.add("rollingUpdate", rolling);
        return strategy;
    }

    /** All that a run changes, as it was; null for what was not there. */
    private JsonObject before(Workload workload, State state, Set<String> resources) throws IOException {
        Amounts amounts = workload.amounts(state);
        var before = new JsonObject();
        before.add("limits", only(resources, amounts.limits()));
        before.add("requests", only(resources, amounts.requests()));
        before.addProperty("label", cluster.label());
        before.add(
                "node",
                state.node(cluster.label())
                        .<com.google.gson.JsonElement>map(com.google.gson.JsonPrimitive::new)
                        .orElse(JsonNull.INSTANCE));
        before.add("strategy", state.strategy());
        return before;
    }

    private static JsonObject only(Set<String> resources, Map<String, @Nullable String> amounts) {
        var json = new JsonObject();
        for (String resource : resources) {
            json.addProperty(resource, amounts.get(resource));
        }
        return json;
    }

    private void await(Workload workload) throws IOException {
        long end = System.nanoTime() + (long) (cluster.rolloutSeconds() * 1e9);
        while (true) {
            State state = workload.read();
            Optional<String> unfinished;
            try {
                unfinished = state.unfinished();
            } catch (IOException e) {
                throw new IOException(workload.name() + ": " + e.getMessage(), e);
            }
            if (unfinished.isEmpty()) {
                List<String> differences = workload.differences(state);
                if (differences.isEmpty()) {
                    return;
                }
                unfinished = Optional.of(String.join(", ", differences));
            }
            if (System.nanoTime() > end) {
                throw AutoTuneError.NOT_OBSERVED.because(workload.name() + " after " + cluster.rolloutSeconds() + " s: "
                        + unfinished.orElse("not ready"));
            }
            try {
                TimeUnit.NANOSECONDS.sleep((long) (cluster.pollSeconds() * 1e9));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (CancellationException)
                        new CancellationException("while " + workload.name() + " changed").initCause(e);
            }
        }
    }

    /** The API server checks the first deployment's requests, permissions and quotas among them, and changes nothing. */
    @Override
    public void rehearse() {
        rehearsals.forEach((name, workload) -> {
            try {
                State state = workload.read();
                List<Change> changes = changes(name, workload, state, application.first());
                State after = workload.change(state, changes);
                log.accept(workload.name() + ": would get "
                        + workload.amounts(after).limits() + " for each of "
                        + after.replicas() + " pods on "
                        + after.node(cluster.label()).orElse("any node")
                        + "; the API server takes it");
                workload.differences(state);
            } catch (IOException e) {
                throw AutoTuneError.REFUSED.because(workload.name() + ": " + e.getMessage(), e);
            }
        });
    }

    /** Puts back what was there before the run. */
    @Override
    public void close() {
        workloads.forEach((name, workload) -> {
            try {
                restore(workload);
            } catch (IOException | AutoTuneException e) {
                log.accept(name + " stays as it is: " + e.getMessage());
            }
        });
        present = null;
    }

    private void restore(Workload workload) throws IOException {
        State state = workload.read();
        Optional<String> kept = state.annotation(BEFORE);
        if (kept.isEmpty() || !state.annotation(RUN).filter(run::equals).isPresent()) {
            return;
        }
        JsonObject before = Json.object(kept.get());
        var changes = new ArrayList<>(List.of(
                Workload.amounts(new Amounts(texts(before, "limits"), texts(before, "requests"))),
                Workload.node(Json.text(before, "label"), text(before, "node")),
                Workload.annotation(BEFORE, null),
                Workload.annotation(RUN, null)));
        if (Json.object(before, "strategy").has("type")) {
            changes.add(Workload.strategy(Json.object(before, "strategy")));
        }
        workload.change(state, changes);
        log.accept(workload.name() + " is as it was before");
    }

    private static Map<String, @Nullable String> texts(JsonObject before, String field) {
        var texts = new TreeMap<String, @Nullable String>();
        JsonObject amounts = Json.object(before, field);
        amounts.keySet().forEach(resource -> texts.put(resource, text(amounts, resource)));
        return texts;
    }

    private static @Nullable String text(JsonObject from, String field) {
        return Objects.requireNonNullElse(from.get(field), JsonNull.INSTANCE).isJsonNull()
                ? null
                : Json.text(from, field);
    }
}

package io.leeway.autotune.internal.kubernetes;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A deployment and one of its containers. What is read is a {@link State}; what is changed is changed only if nobody
 * else changed the deployment's specification since that was read. For one thread.
 */
public final class Workload {

    /**
     * Amounts of a container, as Kubernetes writes them; null removes what is there.
     *
     * @param limits by resource
     * @param requests by resource
     */
    public record Amounts(Map<String, @Nullable String> limits, Map<String, @Nullable String> requests) {

        /** The same limit and request of each, so that a server never gives away more than it has. */
        public static Amounts alike(Map<String, String> amounts) {
            return new Amounts(new TreeMap<>(amounts), new TreeMap<>(amounts));
        }
    }

    /**
     * A deployment as it is.
     *
     * @param json as the API server sent it
     */
    public record State(JsonObject json) {

        JsonObject metadata() {
            return Json.object(json, "metadata");
        }

        JsonObject spec() {
            return Json.object(json, "spec");
        }

        private JsonObject pod() {
            return Json.object(Json.object(spec(), "template"), "spec");
        }

        /** How many pods are wanted. */
        public int replicas() {
            return (int) Json.number(spec(), "replicas", 1);
        }

        /** An annotation's text. */
        public Optional<String> annotation(String name) {
            JsonObject annotations = Json.object(metadata(), "annotations");
            return annotations.has(name) ? Optional.of(Json.text(annotations, name)) : Optional.empty();
        }

        /** Where its pods may run, by label. */
        public Optional<String> node(String label) {
            JsonObject selector = Json.object(pod(), "nodeSelector");
            return selector.has(label) ? Optional.of(Json.text(selector, label)) : Optional.empty();
        }

        /** How pods are replaced. */
        public JsonObject strategy() {
            return Json.object(spec(), "strategy");
        }

        /**
         * What is to come before all pods are as they should be; nothing once they are.
         *
         * @throws IOException if it will not come, with the reason that Kubernetes gives
         */
        public Optional<String> unfinished() throws IOException {
            JsonObject status = Json.object(json, "status");
            if (Json.number(status, "observedGeneration", 0) < Json.number(metadata(), "generation", 0)) {
                return Optional.of("its controller has not seen the change");
            }
            // Only now do the conditions speak of this change.
            for (JsonElement element : Json.array(status, "conditions")) {
                JsonObject condition = element.getAsJsonObject();
                String type = Json.text(condition, "type", "");
                boolean isTrue = Json.text(condition, "status", "").equals("True");
                if (type.equals("Progressing") && !isTrue || type.equals("ReplicaFailure") && isTrue) {
                    throw new IOException(Json.text(condition, "reason", type) + ": "
                            + Json.text(condition, "message", "no message"));
                }
            }
            int wanted = replicas();
            for (String count : List.of("updatedReplicas", "replicas", "availableReplicas")) {
                double present = Json.number(status, count, 0);
                if (present != wanted) {
                    return Optional.of(count + " is " + (long) present + " of " + wanted);
                }
            }
            return Optional.empty();
        }
    }

    private static final String NAME = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?";
    private static final int ATTEMPTS = 10;

    private final KubernetesApi api;
    private final String namespace;
    private final String name;
    private final String container;

    /**
     * A deployment of a namespace.
     *
     * @param container its name, empty for the first
     */
    public Workload(KubernetesApi api, String namespace, String name, String container) {
        for (String part : List.of(namespace, name)) {
            if (!part.matches(NAME)) {
                throw AutoTuneError.BAD_REQUEST.because("no name of Kubernetes: " + part);
            }
        }
        this.api = api;
        this.namespace = namespace;
        this.name = name;
        this.container = container;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Whether changes are only checked. */
    public boolean isDryRun() {
        return api.isDryRun();
    }

    private String path() {
        return "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name;
    }

    /** Reads it. */
    public State read() throws IOException {
        return new State(api.get(path()));
    }

    /** Amounts of the container in a state. */
    public Amounts amounts(State state) throws IOException {
        JsonObject resources = Json.object(found(state.pod()), "resources");
        return new Amounts(texts(Json.object(resources, "limits")), texts(Json.object(resources, "requests")));
    }

    private static Map<String, @Nullable String> texts(JsonObject amounts) {
        var texts = new TreeMap<String, @Nullable String>();
        amounts.keySet().forEach(resource -> texts.put(resource, Json.text(amounts, resource)));
        return texts;
    }

    private JsonObject found(JsonObject pod) throws IOException {
        for (JsonElement element : Json.array(pod, "containers")) {
            JsonObject each = element.getAsJsonObject();
            if (container.isEmpty() || container.equals(Json.text(each, "name"))) {
                return each;
            }
        }
        throw new IOException(name + " has no container " + container);
    }

    /** A change of how many pods there are. */
    public static Change replicas(int replicas) {
        return (workload, state, patch) -> child(patch, "spec").addProperty("replicas", replicas);
    }

    /** A part of a change: what it adds to the patch of a deployment. */
    @FunctionalInterface
    public interface Change {
        /** Adds to a patch, whose {@code spec}, {@code template} and {@code metadata} are there. */
        void addTo(Workload workload, State state, JsonObject patch) throws IOException;
    }

    /** A change of the container's amounts. */
    public static Change amounts(Amounts amounts) {
        return (workload, state, patch) -> {
            var resources = new JsonObject();
            resources.add("limits", json(amounts.limits()));
            resources.add("requests", json(amounts.requests()));
            var each = new JsonObject();
            // Containers are merged by their names.
            each.addProperty("name", Json.text(workload.found(state.pod()), "name"));
            each.add("resources", resources);
            var containers = new JsonArray();
            containers.add(each);
            pod(patch).add("containers", containers);
        };
    }

    private static JsonObject json(Map<String, @Nullable String> amounts) {
        var json = new JsonObject();
        amounts.forEach((resource, amount) -> {
            if (amount == null) {
                json.add(resource, JsonNull.INSTANCE);
            } else {
                json.addProperty(resource, amount);
            }
        });
        return json;
    }

    private static JsonObject pod(JsonObject patch) {
        return child(child(child(patch, "spec"), "template"), "spec");
    }

    private static JsonObject child(JsonObject parent, String field) {
        if (!parent.has(field)) {
            parent.add(field, new JsonObject());
        }
        return parent.getAsJsonObject(field);
    }

    /** Pods only where this label has this value; null for wherever they like. */
    public static Change node(String label, @Nullable String value) {
        return (workload, state, patch) -> set(child(pod(patch), "nodeSelector"), label, value);
    }

    /** An annotation of the deployment, not of its pods, so that nothing is restarted for it; null removes it. */
    public static Change annotation(String annotation, @Nullable String text) {
        return (workload, state, patch) -> set(child(child(patch, "metadata"), "annotations"), annotation, text);
    }

    private static void set(JsonObject object, String field, @Nullable String text) {
        if (text == null) {
            object.add(field, JsonNull.INSTANCE);
        } else {
            object.addProperty(field, text);
        }
    }

    /** How pods are replaced, in the place of what is there. */
    public static Change strategy(JsonObject strategy) {
        return (workload, state, patch) -> {
            JsonObject whole = strategy.deepCopy();
            var kept = new JsonArray();
            strategy.keySet().forEach(kept::add);
            whole.add("$retainKeys", kept);
            child(patch, "spec").add("strategy", whole);
        };
    }

    /**
     * Makes changes to what was read. Where only the status has moved since, it is tried again.
     *
     * @throws IOException if it is refused
     * @throws io.leeway.autotune.AutoTuneException if somebody else changed the specification meanwhile
     */
    public State change(State read, List<Change> changes) throws IOException {
        State state = read;
        for (int i = 1; ; i++) {
            var patch = new JsonObject();
            // The API server refuses the patch if this is not any more what is there.
            child(patch, "metadata").addProperty("resourceVersion", Json.text(state.metadata(), "resourceVersion"));
            child(patch, "spec");
            for (Change change : changes) {
                change.addTo(this, state, patch);
            }
            try {
                return new State(api.patch(path(), patch));
            } catch (KubernetesApi.Refusal e) {
                if (!e.isConflict()) {
                    throw e;
                }
                State now = read();
                if (generation(now) != generation(read)) {
                    throw AutoTuneError.CHANGED_MEANWHILE.because(name + ", by " + lastWriter(now), e);
                }
                if (i == ATTEMPTS) {
                    throw e;
                }
                state = now;
            }
        }
    }

    private static double generation(State state) {
        return Json.number(state.metadata(), "generation", 0);
    }

    private static String lastWriter(State state) {
        return Json.array(state.metadata(), "managedFields").stream()
                .map(JsonElement::getAsJsonObject)
                // The status is its controller's business.
                .filter(manager -> Json.text(manager, "subresource", "").isEmpty())
                .max(Comparator.comparing(manager -> Json.text(manager, "time", "")))
                .map(manager -> Json.text(manager, "manager", "somebody"))
                .orElse("somebody");
    }

    /**
     * What differs in the pods that run from what was asked for: a webhook or a range of the namespace may have changed
     * them on their way. Pods that are on their way out do not count.
     */
    public List<String> differences(State state) throws IOException {
        Amounts wanted = amounts(state);
        JsonObject selector = Json.object(state.pod(), "nodeSelector");
        String labels = Json.object(Json.object(state.spec(), "selector"), "matchLabels").entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue().getAsString())
                .collect(Collectors.joining(","));
        JsonObject pods = api.get("/api/v1/namespaces/" + namespace + "/pods?labelSelector="
                + URLEncoder.encode(labels, StandardCharsets.UTF_8));
        var differences = new ArrayList<String>();
        for (JsonElement element : Json.array(pods, "items")) {
            JsonObject pod = element.getAsJsonObject();
            JsonObject metadata = Json.object(pod, "metadata");
            if (metadata.has("deletionTimestamp")) {
                continue;
            }
            String who = Json.text(metadata, "name");
            JsonObject spec = Json.object(pod, "spec");
            JsonObject limits = Json.object(Json.object(found(spec), "resources"), "limits");
            wanted.limits().forEach((resource, amount) -> {
                String present = Json.text(limits, resource, "none");
                if (amount != null && !Quantity.isSame(amount, present)) {
                    differences.add(who + " has " + present + " of " + resource + ", not " + amount);
                }
            });
            if (!selector.equals(Json.object(spec, "nodeSelector"))) {
                differences.add(who + " may run elsewhere than on " + selector);
            }
        }
        return differences;
    }
}

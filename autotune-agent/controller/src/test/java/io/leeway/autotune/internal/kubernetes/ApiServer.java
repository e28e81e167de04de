package io.leeway.autotune.internal.kubernetes;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API server of one namespace, "shop": its deployments and errors have the form and the words of a real one's
 * answers, and it merges, counts generations and versions, rolls out and refuses by the same rules. Rolling out takes
 * as many looks at a deployment as it is told.
 */
public final class ApiServer implements AutoCloseable {

    private static final String ROOT = "/apis/apps/v1/namespaces/shop/deployments/";
    private static final String ACCOUNT = "system:serviceaccount:shop:autotune";
    private static final Pattern DEPLOYMENT = Pattern.compile(ROOT + "([^/?]+)");

    /** An answer that is no success. */
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1;
        private final int code;

        Failure(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    private final HttpServer server;
    private final Map<String, JsonObject> deployments = new TreeMap<>();
    private final Map<String, Integer> looksToGo = new TreeMap<>();
    private final List<String> requests = new ArrayList<>();
    private final Set<String> forbidden = new HashSet<>();
    private final Set<String> stuckNodes = new HashSet<>();
    private int looks;
    private int putOff;
    private int statusMoves;
    private boolean meddles;
    private boolean webhook;
    private int version = 1_001;

    /** Starts it, with these deployments. */
    public ApiServer(String... names) throws IOException {
        for (String name : names) {
            try (InputStream in = ApiServer.class.getResourceAsStream("/kubernetes/deployment.json")) {
                deployments.put(
                        name, Json.object(new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("NAME", name)));
            }
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Its address. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Method, path and body of each request. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** A deployment as it is stored. */
    public synchronized JsonObject deployment(String name) {
        return deployments.get(name).deepCopy();
    }

    /** Rolling out takes so many looks from now on. */
    public synchronized void rollOutAfter(int newLooks) {
        looks = newLooks;
    }

    /** The account lacks this verb on this resource: {@code patch deployments}. */
    public synchronized void forbid(String verbAndResource) {
        forbidden.add(verbAndResource);
    }

    /** Pods for this node are never scheduled. */
    public synchronized void fill(String node) {
        stuckNodes.add(node);
    }

    /** So many requests are put off. */
    public synchronized void putOff(int times) {
        putOff = times;
    }

    /** Before each of so many patches the status moves. */
    public synchronized void moveStatus(int times) {
        statusMoves = times;
    }

    /** Before the next patch somebody else changes the specification. */
    public synchronized void meddle() {
        meddles = true;
    }

    /** From now on pods get other limits than their deployments say. */
    public synchronized void changePodsOnTheirWay() {
        webhook = true;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
            int code = 200;
            JsonObject answer;
            try {
                answer = answer(exchange, body);
            } catch (Failure e) {
                code = e.code;
                answer = status(e);
                if (code == 429) {
                    exchange.getResponseHeaders().set("Retry-After", "0");
                }
            }
            byte[] bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static JsonObject status(Failure failure) {
        var status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("apiVersion", "v1");
        status.add("metadata", new JsonObject());
        status.addProperty("status", "Failure");
        status.addProperty("message", failure.getMessage());
        status.addProperty("code", failure.code);
        return status;
    }

    private JsonObject answer(HttpExchange exchange, String body) throws Failure {
        if (putOff > 0) {
            putOff--;
            throw new Failure(429, "Too many requests, please try again later.");
        }
        if (!"Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            throw new Failure(401, "Unauthorized");
        }
        String path = exchange.getRequestURI().getPath();
        String query = exchange.getRequestURI().getQuery();
        Matcher named = DEPLOYMENT.matcher(path);
        if (path.equals("/api/v1/namespaces/shop/pods")) {
            allow("list", "pods", "");
            return pods(query);
        }
        if (!named.matches()) {
            throw new Failure(404, "the server could not find the requested resource");
        }
        String name = named.group(1);
        boolean patches = exchange.getRequestMethod().equals("PATCH");
        allow(patches ? "patch" : "get", "deployments", name);
        if (!deployments.containsKey(name)) {
            throw new Failure(404, "deployments.apps \"" + name + "\" not found");
        }
        if (!patches) {
            rollOut(name);
            return deployments.get(name);
        }
        if (!"application/strategic-merge-patch+json"
                .equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            throw new Failure(415, "the body of the request was in an unknown format");
        }
        return patch(name, Json.object(body), query.contains("dryRun=All"));
    }

    private void allow(String verb, String resource, String name) throws Failure {
        if (forbidden.contains(verb + " " + resource)) {
            String group = resource.equals("pods") ? "" : "apps";
            throw new Failure(
                    403,
                    resource + (group.isEmpty() ? "" : "." + group) + (name.isEmpty() ? "" : " \"" + name + "\"")
                            + " is forbidden: User \"" + ACCOUNT + "\" cannot " + verb + " resource \"" + resource
                            + "\" in API group \"" + group + "\" in the namespace \"shop\"");
        }
    }

    private JsonObject patch(String name, JsonObject patch, boolean dryRun) throws Failure {
        JsonObject present = deployments.get(name);
        if (statusMoves > 0) {
            statusMoves--;
            move(present);
        }
        if (meddles) {
            meddles = false;
            move(present);
            Json.object(present, "spec").addProperty("replicas", 7);
            Json.object(present, "metadata").addProperty("generation", generation(present) + 1);
            wrote(present, "horizontal-pod-autoscaler");
        }
        JsonObject metadata = Json.object(patch, "metadata");
        String wanted = Json.text(metadata, "resourceVersion", "");
        if (!wanted.isEmpty() && !wanted.equals(Json.text(Json.object(present, "metadata"), "resourceVersion"))) {
            throw new Failure(
                    409,
                    "Operation cannot be fulfilled on deployments.apps \"" + name
                            + "\": the object has been modified; please apply your changes to the latest version and"
                            + " try again");
        }
        metadata.remove("resourceVersion");
        JsonObject merged = merge(present, patch);
        check(name, merged);
        if (!Json.object(merged, "spec").equals(Json.object(present, "spec"))) {
            Json.object(merged, "metadata").addProperty("generation", generation(present) + 1);
        }
        if (!dryRun) {
            move(merged);
            wrote(merged, "autotune");
            deployments.put(name, merged);
            looksToGo.put(name, looks);
        }
        return merged;
    }

    private static double generation(JsonObject deployment) {
        return Json.number(Json.object(deployment, "metadata"), "generation");
    }

    private void move(JsonObject deployment) {
        Json.object(deployment, "metadata").addProperty("resourceVersion", Integer.toString(++version));
    }

    private static void wrote(JsonObject deployment, String manager) {
        var entry = new JsonObject();
        entry.addProperty("manager", manager);
        entry.addProperty("operation", "Update");
        entry.addProperty("time", "2026-11-27T10:00:00Z");
        Json.object(deployment, "metadata").getAsJsonArray("managedFields").add(entry);
    }

    /** As the API server validates: a request may not be above its limit. */
    private static void check(String name, JsonObject deployment) throws Failure {
        JsonObject pod = Json.object(Json.object(Json.object(deployment, "spec"), "template"), "spec");
        for (JsonElement element : Json.array(pod, "containers")) {
            JsonObject resources = Json.object(element.getAsJsonObject(), "resources");
            JsonObject limits = Json.object(resources, "limits");
            JsonObject wanted = Json.object(resources, "requests");
            for (String resource : wanted.keySet()) {
                try {
                    if (limits.has(resource)
                            && Quantity.parse(Json.text(wanted, resource))
                                    > Quantity.parse(Json.text(limits, resource))) {
                        throw new Failure(
                                422,
                                "Deployment.apps \"" + name + "\" is invalid: spec.template.spec.containers[0]."
                                        + "resources.requests: Invalid value: \"" + Json.text(wanted, resource)
                                        + "\": must be less than or equal to " + resource + " limit of "
                                        + Json.text(limits, resource));
                    }
                } catch (IOException e) {
                    throw new Failure(400, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** A strategic merge: containers by name, null removes, {@code $retainKeys} removes the rest. */
    private static JsonObject merge(JsonObject present, JsonObject patch) {
        JsonObject merged = present.deepCopy();
        if (patch.has("$retainKeys")) {
            List<String> kept = patch.getAsJsonArray("$retainKeys").asList().stream()
                    .map(JsonElement::getAsString)
                    .toList();
            merged.keySet().retainAll(kept);
        }
        for (Map.Entry<String, JsonElement> entry : patch.entrySet()) {
            String key = entry.getKey();
            JsonElement value = entry.getValue();
            JsonElement there = merged.get(key);
            if (key.equals("$retainKeys")) {
                continue;
            }
            if (value.isJsonNull()) {
                merged.remove(key);
            } else if (value.isJsonObject()) {
                merged.add(
                        key,
                        merge(
                                there != null && there.isJsonObject() ? there.getAsJsonObject() : new JsonObject(),
                                value.getAsJsonObject()));
            } else if (key.equals("containers")) {
                merged.add(key, byName(there == null ? new JsonArray() : there.getAsJsonArray(), value));
            } else {
                merged.add(key, value);
            }
        }
        return merged;
    }

    private static JsonArray byName(JsonArray present, JsonElement patch) {
        var merged = new JsonArray();
        for (JsonElement element : present) {
            JsonObject container = element.getAsJsonObject();
            for (JsonElement each : patch.getAsJsonArray()) {
                if (Json.text(each.getAsJsonObject(), "name").equals(Json.text(container, "name"))) {
                    container = merge(container, each.getAsJsonObject());
                }
            }
            merged.add(container);
        }
        return merged;
    }

    private void rollOut(String name) {
        JsonObject deployment = deployments.get(name);
        JsonObject status = Json.object(deployment, "status");
        int togo = looksToGo.getOrDefault(name, 0);
        looksToGo.put(name, togo - 1);
        double generation = generation(deployment);
        JsonPrimitive replicas = Json.object(deployment, "spec").getAsJsonPrimitive("replicas");
        String node = Json.text(podSpec(deployment, "nodeSelector"), "kubernetes.io/hostname", "");
        if (Json.number(status, "observedGeneration") < generation) {
            if (togo > 0 && togo == looks) {
                return;
            }
            status.addProperty("observedGeneration", generation);
            status.addProperty("updatedReplicas", 0);
            status.addProperty("availableReplicas", 0);
            condition(status, "True", "ReplicaSetUpdated", "ReplicaSet \"" + name + "-7\" is progressing.");
        }
        if (stuckNodes.contains(node)) {
            condition(
                    status,
                    "False",
                    "ProgressDeadlineExceeded",
                    "ReplicaSet \"" + name + "-7\" has timed out progressing.");
        } else if (togo <= 0) {
            for (String count : List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")) {
                status.add(count, replicas);
            }
            condition(
                    status,
                    "True",
                    "NewReplicaSetAvailable",
                    "ReplicaSet \"" + name + "-7\" has successfully progressed.");
        }
    }

    private static void condition(JsonObject status, String value, String reason, String message) {
        for (JsonElement element : Json.array(status, "conditions")) {
            JsonObject condition = element.getAsJsonObject();
            if (Json.text(condition, "type").equals("Progressing")) {
                condition.addProperty("status", value);
                condition.addProperty("reason", reason);
                condition.addProperty("message", message);
            }
        }
    }

    private static JsonObject podSpec(JsonObject deployment, String field) {
        JsonObject pod = Json.object(Json.object(Json.object(deployment, "spec"), "template"), "spec");
        return Json.object(pod, field);
    }

    private JsonObject pods(String query) throws Failure {
        var items = new JsonArray();
        for (Map.Entry<String, JsonObject> entry : deployments.entrySet()) {
            if (query.equals("labelSelector=app=" + entry.getKey())) {
                JsonObject template = Json.object(Json.object(entry.getValue(), "spec"), "template");
                var pod = new JsonObject();
                var metadata = new JsonObject();
                metadata.addProperty("name", entry.getKey() + "-7-x2x");
                pod.add("metadata", metadata);
                pod.add("spec", Json.object(template, "spec").deepCopy());
                if (webhook) {
                    JsonObject resources = Json.object(
                            Json.array(Json.object(pod, "spec"), "containers")
                                    .get(0)
                                    .getAsJsonObject(),
                            "resources");
                    Json.object(resources, "limits").addProperty("cpu", "2");
                }
                items.add(pod);
            }
        }
        if (items.isEmpty()) {
            throw new Failure(400, "no pods for " + query);
        }
        var list = new JsonObject();
        list.addProperty("kind", "PodList");
        list.add("items", items);
        return list;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

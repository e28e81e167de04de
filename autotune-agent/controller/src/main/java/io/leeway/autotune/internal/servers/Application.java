package io.leeway.autotune.internal.servers;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.deploy.Settings;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the operator says of an application.
 *
 * @param measured the service with an agent whose latency counts; empty if a command measures
 * @param measuring the command that runs the load once and prints what came out, empty if an agent measures
 * @param cluster where its instances are deployments of Kubernetes; null for processes of this machine
 * @param capacity of each server
 * @param tunable what is limited
 * @param instances with what each needs at least and where it is at first
 * @param first the deployment that does
 * @param constraints on placements
 * @param percentile 0.95 or 0.99
 * @param settleSeconds after a change
 * @param trialSeconds of a trial
 * @param device for limits of the disk, such as {@code 254:0}
 * @param settings of the search
 */
public record Application(
        String measured,
        List<String> measuring,
        @Nullable Cluster cluster,
        Allocation capacity,
        Set<Resource> tunable,
        List<Instance> instances,
        Deployment first,
        List<Constraint> constraints,
        double percentile,
        double settleSeconds,
        double trialSeconds,
        String device,
        Settings settings) {

    /**
     * A cluster.
     *
     * @param api how its API server is reached
     * @param namespace of the deployments
     * @param nodes the label's value for each server
     * @param label of nodes
     * @param rolloutSeconds within which a deployment has to be well
     * @param pollSeconds between two looks
     */
    public record Cluster(
            JsonObject api,
            String namespace,
            List<String> nodes,
            String label,
            double rolloutSeconds,
            double pollSeconds) {

        /** Copies, and refuses a server twice. */
        public Cluster {
            nodes = List.copyOf(nodes);
            if (nodes.isEmpty() || Set.copyOf(nodes).size() < nodes.size()) {
                throw AutoTuneError.BAD_REQUEST.because("nodes are none or one of them twice: " + nodes);
            }
        }
    }

    /**
     * A part of it.
     *
     * @param name its name
     * @param pids its processes, on this machine
     * @param deployment its name in a cluster
     * @param container of the deployment that is limited, empty for the first
     * @param floor what it needs at least
     */
    public record Instance(String name, List<Long> pids, String deployment, String container, Allocation floor) {

        /** Copies, and refuses names that are no directories. */
        public Instance {
            pids = List.copyOf(pids);
            if (!name.matches("[A-Za-z0-9][-A-Za-z0-9_.]{0,63}")) {
                throw AutoTuneError.BAD_REQUEST.because("an instance's name is letters, digits, - _ . : " + name);
            }
        }
    }

    /** Copies. */
    public Application {
        measuring = List.copyOf(measuring);
        tunable = Set.copyOf(tunable);
        instances = List.copyOf(instances);
        constraints = List.copyOf(constraints);
    }

    /**
     * Reads a file.
     *
     * @throws io.leeway.autotune.AutoTuneException that names what is wrong
     */
    public static Application read(Path file) {
        JsonObject json;
        try {
            json = Json.object(Files.readString(file));
        } catch (IOException e) {
            throw AutoTuneError.BAD_REQUEST.because(file + " cannot be read", e);
        }
        Allocation capacity = allocation(Json.object(json, "server"));
        var instances = new ArrayList<Instance>();
        var allocations = new TreeMap<String, Allocation>();
        var placement = new TreeMap<String, Integer>();
        for (JsonElement element : Json.array(json, "instances")) {
            JsonObject each = element.getAsJsonObject();
            String name = Json.text(each, "name");
            var pids = new ArrayList<Long>();
            Json.array(each, "pids").forEach(pid -> pids.add(pid.getAsLong()));
            instances.add(new Instance(
                    name,
                    pids,
                    Json.text(each, "deployment", name),
                    Json.text(each, "container", ""),
                    allocation(Json.object(each, "floor"))));
            allocations.put(name, allocation(Json.object(each, "allocation")));
            placement.put(name, (int) Json.number(each, "server"));
        }
        var first = new Deployment(allocations, placement);
        Cluster cluster = json.has("kubernetes") ? cluster(Json.object(json, "kubernetes")) : null;
        Set<Resource> tunable = resources(json, cluster != null);
        check(file, capacity, instances, first, tunable, cluster);
        List<String> measuring = Json.array(json, "measure").stream()
                .map(JsonElement::getAsString)
                .toList();
        return new Application(
                measuring.isEmpty() ? Json.text(json, "measured") : "",
                measuring,
                cluster,
                capacity,
                tunable,
                instances,
                first,
                constraints(json),
                Json.number(json, "percentile", 0.95),
                Json.number(json, "settleSeconds", 1),
                Json.number(json, "trialSeconds", 10),
                Json.text(json, "device", ""),
                settings(Json.object(json, "search")));
    }

    private static Cluster cluster(JsonObject json) {
        return new Cluster(
                json,
                Json.text(json, "namespace", "default"),
                Json.array(json, "nodes").stream().map(JsonElement::getAsString).toList(),
                Json.text(json, "nodeLabel", "kubernetes.io/hostname"),
                Json.number(json, "rolloutSeconds", 300),
                Json.number(json, "pollSeconds", 1));
    }

    private static void check(
            Path file,
            Allocation capacity,
            List<Instance> instances,
            Deployment first,
            Set<Resource> tunable,
            @Nullable Cluster cluster) {
        var names = new HashSet<String>();
        for (Instance instance : instances) {
            if (!names.add(instance.name())
                    || cluster == null && instance.pids().isEmpty()) {
                throw AutoTuneError.BAD_REQUEST.because(
                        "an instance is there twice or has no process: " + instance.name());
            }
            for (Resource resource : tunable) {
                double given = first.get(instance.name(), resource);
                if (given <= 0 || given < instance.floor().get(resource)) {
                    throw AutoTuneError.BAD_REQUEST.because(
                            instance.name() + " has less than it needs, or nothing, of " + resource);
                }
            }
        }
        int servers = cluster == null ? instances.size() : cluster.nodes().size();
        for (int server : Set.copyOf(first.placement().values())) {
            for (Resource resource : tunable) {
                if (server < 0
                        || server >= servers
                        || first.used(server, resource) > capacity.get(resource) * 1.000_001) {
                    throw AutoTuneError.BAD_REQUEST.because("server " + server + " gives away more " + resource
                            + " than it has, or is not between 0 and " + (servers - 1) + ", in " + file);
                }
            }
        }
        if (instances.isEmpty()) {
            throw AutoTuneError.BAD_REQUEST.because(file + " has no instances");
        }
    }

    private static Set<Resource> resources(JsonObject json, boolean inCluster) {
        Set<Resource> found = EnumSet.noneOf(Resource.class);
        Json.array(json, "resources").forEach(each -> found.add(resource(each.getAsString())));
        if (found.contains(Resource.NETWORK)) {
            throw AutoTuneError.BAD_REQUEST.because(
                    inCluster
                            ? "Kubernetes has no limit of the network"
                            : "processes of one machine have no network of their own to limit");
        }
        if (inCluster && found.contains(Resource.DISK)) {
            throw AutoTuneError.BAD_REQUEST.because("Kubernetes has no limit of the disk's speed");
        }
        return found.isEmpty() ? EnumSet.of(Resource.CPU) : found;
    }

    private static Resource resource(String name) {
        try {
            return Resource.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_REQUEST.because("no resource " + name, e);
        }
    }

    private static Allocation allocation(JsonObject json) {
        Map<Resource, Double> amounts = new EnumMap<>(Resource.class);
        json.keySet().forEach(name -> amounts.put(resource(name), Json.number(json, name)));
        return new Allocation(amounts);
    }

    private static List<Constraint> constraints(JsonObject json) {
        var constraints = new ArrayList<Constraint>();
        for (JsonElement pair : Json.array(json, "together")) {
            constraints.add(new Constraint.Together(member(pair, 0), member(pair, 1)));
        }
        for (JsonElement pair : Json.array(json, "apart")) {
            constraints.add(new Constraint.Apart(member(pair, 0), member(pair, 1)));
        }
        return constraints;
    }

    private static String member(JsonElement pair, int index) {
        if (!pair.isJsonArray() || pair.getAsJsonArray().size() != 2) {
            throw AutoTuneError.BAD_REQUEST.because("a constraint is a pair of names, not " + pair);
        }
        return pair.getAsJsonArray().get(index).getAsString();
    }

    private static Settings settings(JsonObject json) {
        Settings standard = Settings.defaults((long) Json.number(json, "seed", 1));
        return new Settings(
                (int) Json.number(json, "partitions", standard.partitions()),
                Json.number(json, "firstStep", standard.firstStep()),
                standard.divisor(),
                Json.number(json, "lastStep", standard.lastStep()),
                (int) Json.number(json, "minTrials", standard.minTrials()),
                (int) Json.number(json, "maxTrials", standard.maxTrials()),
                (int) Json.number(json, "finalTrials", standard.maxTrials()),
                Json.number(json, "stressTolerance", standard.stressTolerance()),
                Json.number(json, "finalTolerance", standard.finalTolerance()),
                standard.throughputShare(),
                standard.errorPoints(),
                (int) Json.number(json, "orders", standard.orders()),
                Json.number(json, "transferStop", standard.transferStop()),
                standard.seed());
    }
}

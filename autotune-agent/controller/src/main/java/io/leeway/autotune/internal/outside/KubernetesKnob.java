package io.leeway.autotune.internal.outside;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Replicas, or CPU (in cores) or memory (in bytes) of a deployment's container, request and limit alike. It counts as
 * changed when the deployment's controller has seen it and all replicas are new and ready. Most clusters restart a pod
 * for other resources, so that it costs a restart unless the declaration says otherwise.
 */
record KubernetesKnob(
        KnobSpec spec, KubernetesApi api, String namespace, String deployment, String container, String resource)
        implements OutsideKnob {

    private static final List<String> RESOURCES = List.of("replicas", "cpu", "memory");

    /** Refuses other resources. */
    KubernetesKnob {
        if (!RESOURCES.contains(resource)) {
            throw AutoTuneError.BAD_REQUEST.because("no resource " + resource + ": " + RESOURCES);
        }
    }

    @Override
    public KnobValue read() throws IOException {
        JsonObject spec = Json.object(api.deployment(namespace, deployment), "spec");
        if ("replicas".equals(resource)) {
            return KnobValue.of(Json.number(spec, "replicas", 1));
        }
        JsonObject limits = Json.object(Json.object(found(spec), "resources"), "limits");
        return limits.has(resource)
                ? KnobValue.of(Math.min(spec().max(), quantity(Json.text(limits, resource))))
                : KnobValue.of(spec().max());
    }

    private JsonObject found(JsonObject deploymentSpec) throws IOException {
        JsonObject pod = Json.object(Json.object(deploymentSpec, "template"), "spec");
        for (JsonElement element : Json.array(pod, "containers")) {
            JsonObject each = element.getAsJsonObject();
            if (container.isEmpty() || container.equals(Json.text(each, "name"))) {
                return each;
            }
        }
        throw new IOException(deployment + " has no container " + container);
    }

    @Override
    public void write(KnobValue value) throws IOException {
        var patch = new JsonObject();
        if ("replicas".equals(resource)) {
            patch.add("spec", of("replicas", new com.google.gson.JsonPrimitive((long) value.number())));
        } else {
            String name = Json.text(found(Json.object(api.deployment(namespace, deployment), "spec")), "name");
            JsonObject amount = of(resource, new com.google.gson.JsonPrimitive(text(value)));
            var resources = new JsonObject();
            resources.add("limits", amount);
            resources.add("requests", amount);
            var each = new JsonObject();
            each.addProperty("name", name);
            each.add("resources", resources);
            var containers = new JsonArray();
            containers.add(each);
            patch.add("spec", of("template", of("spec", of("containers", containers))));
        }
        api.patch(namespace, deployment, patch);
    }

    private static JsonObject of(String name, JsonElement value) {
        var object = new JsonObject();
        object.add(name, value);
        return object;
    }

    private String text(KnobValue value) {
        return "cpu".equals(resource)
                ? String.format(Locale.ROOT, "%dm", Math.round(value.number() * 1_000))
                : Long.toString((long) value.number());
    }

    @Override
    public boolean isInPlace(KnobValue value) throws IOException {
        if (api.isDryRun()) {
            return true;
        }
        JsonObject whole = api.deployment(namespace, deployment);
        JsonObject status = Json.object(whole, "status");
        double replicas = Json.number(Json.object(whole, "spec"), "replicas", 1);
        return OutsideKnob.super.isInPlace(value)
                && Json.number(status, "observedGeneration", 0)
                        >= Json.number(Json.object(whole, "metadata"), "generation", 0)
                && Json.number(status, "updatedReplicas", 0) == replicas
                && Json.number(status, "replicas", 0) == replicas
                && Json.number(status, "availableReplicas", 0) == replicas;
    }

    /** A quantity as Kubernetes writes it: 250m, 1.5, 512Mi, 1G, 1e9. */
    static double quantity(String text) throws IOException {
        int end = text.length();
        while (end > 0 && Character.isLetter(text.charAt(end - 1)) && !text.matches(".*[0-9][eE][0-9]+")) {
            end--;
        }
        double factor = switch (text.substring(end)) {
            case "" -> 1;
            case "m" -> 1e-3;
            case "k" -> 1e3;
            case "M" -> 1e6;
            case "G" -> 1e9;
            case "T" -> 1e12;
            case "Ki" -> 1L << 10;
            case "Mi" -> 1L << 20;
            case "Gi" -> 1L << 30;
            case "Ti" -> 1L << 40;
            default -> throw new IOException("not a quantity: " + text);
        };
        try {
            return Double.parseDouble(text.substring(0, end)) * factor;
        } catch (NumberFormatException e) {
            throw new IOException("not a quantity: " + text, e);
        }
    }
}

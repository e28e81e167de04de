package io.leeway.autotune.internal.outside;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.Cost;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.kubernetes.KubernetesApi;
import io.leeway.autotune.internal.kubernetes.Workload;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Knobs as the operator declares them, each an object with a driver, a name and bounds. */
public final class Declarations {

    private Declarations() {}

    /**
     * Reads a list.
     *
     * @throws io.leeway.autotune.AutoTuneException that names the knob and what is wrong with it
     */
    public static List<OutsideKnob> knobs(List<JsonElement> list) {
        var knobs = new ArrayList<OutsideKnob>();
        for (JsonElement element : list) {
            if (!element.isJsonObject()) {
                throw AutoTuneError.BAD_REQUEST.because("a knob is an object, not " + element);
            }
            JsonObject json = element.getAsJsonObject();
            KnobSpec spec = Json.knob(json);
            try {
                knobs.add(knob(json, spec));
            } catch (IOException | IllegalArgumentException e) {
                throw AutoTuneError.BAD_REQUEST.because("the knob " + spec.name() + " cannot be had", e);
            }
        }
        return knobs;
    }

    private static OutsideKnob knob(JsonObject json, KnobSpec spec) throws IOException {
        String driver = Json.text(json, "driver");
        return switch (driver) {
            case "command" -> new CommandKnob(checkedCost(json, spec), words(json, "read"), writing(json, spec));
            case "file" ->
                new FileKnob(
                        json.has("cost") ? spec : spec.costing(Cost.RELOAD),
                        existing(Json.text(json, "file")),
                        pattern(json, spec),
                        words(json, "activate"));
            case "redis" -> new RedisKnob(spec, URI.create(Json.text(json, "url")), Json.text(json, "key"));
            case "memcached" -> new MemcachedKnob(spec, URI.create(Json.text(json, "url")));
            case "postgresql" -> postgresql(json, spec);
            case "cgroup" ->
                new CgroupKnob(
                        spec,
                        ControlGroup.of(Path.of("/proc"), ControlGroup.standardRoot(), (long) Json.number(json, "pid")),
                        CgroupKnob.Resource.valueOf(Json.text(json, "resource").toUpperCase(Locale.ROOT)),
                        Json.text(json, "device", ""));
            case "network" -> new NetworkKnob(spec, Json.text(json, "device"), words(json, "prefix"));
            case "kubernetes" ->
                new KubernetesKnob(
                        json.has("cost") ? spec : spec.costing(Cost.RESTART),
                        new Workload(
                                KubernetesApi.of(json),
                                Json.text(json, "namespace", "default"),
                                Json.text(json, "deployment"),
                                Json.text(json, "container", "")),
                        Json.text(json, "resource"));
            default ->
                throw AutoTuneError.BAD_REQUEST.because("no driver " + driver
                        + ": command, file, redis, memcached, postgresql, cgroup, network, kubernetes");
        };
    }

    /** A command may do anything: what it costs has to be said, else restarts would not be rationed. */
    private static KnobSpec checkedCost(JsonObject json, KnobSpec spec) {
        Json.text(json, "cost");
        return spec;
    }

    private static List<String> writing(JsonObject json, KnobSpec spec) {
        List<String> command = words(json, "write");
        if (command.stream().noneMatch(word -> word.contains(CommandKnob.VALUE))) {
            throw AutoTuneError.BAD_REQUEST.because(spec.name() + " is written without " + CommandKnob.VALUE);
        }
        return command;
    }

    private static Pattern pattern(JsonObject json, KnobSpec spec) {
        try {
            return Pattern.compile(Json.text(json, "pattern"), Pattern.MULTILINE);
        } catch (PatternSyntaxException e) {
            throw AutoTuneError.BAD_REQUEST.because(spec.name() + " has no regular expression", e);
        }
    }

    private static Path existing(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.isRegularFile(path) || !Files.isWritable(path)) {
            throw new IOException(file + " is no file that can be written");
        }
        return path;
    }

    private static List<String> words(JsonObject json, String field) {
        return Json.array(json, field).stream().map(JsonElement::getAsString).toList();
    }

    /** Through psql, which has passwords, sockets and TLS settled. A setting that needs a restart is refused. */
    private static OutsideKnob postgresql(JsonObject json, KnobSpec spec) {
        String key = Json.text(json, "key");
        if (!key.matches("[a-z_.]+")) {
            throw AutoTuneError.BAD_REQUEST.because(key + " is no setting of PostgreSQL");
        }
        List<String> psql = List.of("psql", Json.text(json, "url"), "-XAtq", "-v", "ON_ERROR_STOP=1");
        var reading = new ArrayList<>(psql);
        reading.addAll(List.of("-c", "show " + key));
        var writing = new ArrayList<>(psql);
        writing.addAll(List.of(
                "-c",
                "alter system set " + key + " = '" + CommandKnob.VALUE + Json.text(json, "unit", "") + "'",
                "-c",
                "select pg_reload_conf()"));
        return new CommandKnob(spec, reading, writing);
    }
}

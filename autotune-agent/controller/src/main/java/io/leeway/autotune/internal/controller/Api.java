package io.leeway.autotune.internal.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Tuning;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.TreeMap;

/** What the REST API does, without HTTP: a method, a path and a body in, JSON out. Thread-safe. */
final class Api {

    private final InstanceStore instances;
    private final StudyApi studies;
    private final Path agents;
    private final Traces traces;
    private final String holder;

    Api(InstanceStore instances, StudyApi studies, Path agents, Traces traces, String holder) {
        this.traces = traces;
        this.instances = instances;
        this.studies = studies;
        this.agents = agents;
        this.holder = holder;
    }

    JsonObject answer(String method, String path, String body) {
        String[] parts = path.substring(1).split("/");
        if (parts.length > 1 && (parts[1].equals("studies") || parts[1].equals("bottlenecks"))) {
            return studies.answer(method, parts, body);
        }
        String route = method + " " + parts[0] + "/" + (parts.length > 1 ? parts[1] : "") + "/" + parts.length;
        return switch (route) {
            case "GET v1/instances/2" -> instances();
            case "POST v1/instances/2" -> create(Json.object(body));
            case "GET v1/instances/3" -> instances.with(parts[2], Api::describe);
            case "DELETE v1/instances/3" -> deleted(parts[2]);
            case "POST v1/instances/4" -> instance(parts[2], parts[3], Json.object(body));
            case "GET v1/critical-path/2" -> traces.path();
            case "GET v1/services/2" -> services();
            case "GET v1/services/3" -> service(parts[2], "status", new JsonObject());
            case "POST v1/services/4" ->
                service(parts[2], parts[3], body.isBlank() ? new JsonObject() : Json.object(body));
            default -> throw AutoTuneError.UNKNOWN_NAME.because(method + " " + path);
        };
    }

    private JsonObject instances() {
        var answer = new JsonObject();
        var ids = new JsonArray();
        instances.ids().forEach(ids::add);
        answer.add("instances", ids);
        return answer;
    }

    private JsonObject create(JsonObject request) {
        var knobs = new ArrayList<KnobSpec>();
        Json.array(request, "knobs").forEach(knob -> knobs.add(Json.knob(knob.getAsJsonObject())));
        var features = new ArrayList<Tuning.Feature>();
        Json.array(request, "features").forEach(feature -> {
            JsonObject json = feature.getAsJsonObject();
            features.add(
                    new Tuning.Feature(Json.text(json, "name"), Json.number(json, "min"), Json.number(json, "max")));
        });
        Tuning.Algorithm algorithm;
        try {
            algorithm = Tuning.Algorithm.valueOf(
                    Json.text(request, "algorithm", "HYBRID").toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_REQUEST.because("an algorithm that is unknown", e);
        }
        Setting start = Json.setting(Json.object(request, "start"));
        var tuning = Tuning.create(knobs, start, algorithm, features, (long) Json.number(request, "seed", 1));
        var answer = new JsonObject();
        answer.addProperty("id", instances.create(tuning));
        return answer;
    }

    private static JsonObject describe(Tuning tuning) {
        var answer = new JsonObject();
        answer.addProperty("rounds", tuning.rounds());
        var rules = new JsonArray();
        tuning.rules().forEach(rules::add);
        answer.add("rules", rules);
        return answer;
    }

    private JsonObject deleted(String id) {
        var answer = new JsonObject();
        answer.addProperty("deleted", instances.delete(id));
        return answer;
    }

    private JsonObject instance(String id, String what, JsonObject request) {
        var context = new TreeMap<String, Double>();
        JsonObject given = Json.object(request, "context");
        given.keySet().forEach(name -> context.put(name, Json.number(given, name)));
        var answer = new JsonObject();
        switch (what) {
            case "predict" -> {
                Tuning.Prediction prediction = instances.with(id, tuning -> tuning.predict(context));
                answer.addProperty("requestId", prediction.requestId());
                answer.add("setting", Json.of(prediction.setting()));
            }
            case "reward" -> {
                String requestId = Json.text(request, "requestId");
                double reward = Json.number(request, "reward");
                boolean learnt = instances.with(id, tuning -> tuning.setReward(requestId, reward));
                answer.addProperty("learnt", learnt);
            }
            case "best" -> {
                Setting best = instances.with(id, tuning -> tuning.best(context));
                answer.add("setting", Json.of(best));
            }
            default -> throw AutoTuneError.UNKNOWN_NAME.because(what);
        }
        return answer;
    }

    private JsonObject services() {
        var all = new ArrayList<JsonObject>();
        for (AgentAddress address : AgentAddress.all(agents)) {
            var service = new JsonObject();
            service.addProperty("name", address.name());
            service.addProperty("pid", address.pid());
            all.add(service);
        }
        var answer = new JsonObject();
        answer.add("services", Json.array(all));
        return answer;
    }

    private JsonObject service(String name, String what, JsonObject request) {
        var service = new RemoteService(AgentAddress.find(agents, name), holder);
        switch (what) {
            case "status" -> {
                JsonObject answer = Json.object(service.status());
                answer.add(
                        "knobs",
                        Json.array(service.knobs().stream().map(Json::of).toList()));
                return answer;
            }
            case "set" -> {
                service.apply(Json.setting(Json.object(request, "setting")));
                service.keep();
                service.release();
            }
            case "rollback" -> {
                service.restore();
                service.release();
            }
            case "reset" -> {
                service.reset();
                service.release();
            }
            case "tune" -> service.tune(Json.object(request, "options").toString());
            case "pause" -> service.stop();
            default -> throw AutoTuneError.UNKNOWN_NAME.because(what);
        }
        return Json.object(service.status());
    }
}

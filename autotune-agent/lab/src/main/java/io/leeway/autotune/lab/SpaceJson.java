package io.leeway.autotune.lab;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Spaces and trials as JSON, for stored studies and for the REST API. */
final class SpaceJson {

    private SpaceJson() {}

    static JsonObject of(Space space) {
        var parameters = new JsonArray();
        for (Parameter parameter : space.parameters()) {
            var json = new JsonObject();
            json.addProperty("name", parameter.name());
            json.addProperty("kind", parameter.kind().name().toLowerCase(Locale.ROOT));
            if (!parameter.service().isEmpty()) {
                json.addProperty("service", parameter.service());
            }
            if (parameter.isNumber()) {
                json.addProperty("min", parameter.min());
                json.addProperty("max", parameter.max());
                json.addProperty("step", parameter.step());
                json.addProperty("logarithmic", parameter.logarithmic());
                json.addProperty("default", parameter.standard().number());
            } else {
                json.add("words", texts(parameter.words()));
                json.addProperty("default", parameter.standard().toString());
            }
            Parameter.Condition when = parameter.when();
            if (when != null) {
                var condition = new JsonObject();
                condition.addProperty("parameter", when.parameter());
                condition.add("values", texts(when.values()));
                json.add("when", condition);
            }
            parameters.add(json);
        }
        var json = new JsonObject();
        json.add("parameters", parameters);
        json.add(
                "constraints",
                texts(space.constraints().stream().map(Constraint::toString).toList()));
        return json;
    }

    static Space space(JsonObject json) {
        var parameters = new ArrayList<Parameter>();
        Json.array(json, "parameters").forEach(element -> parameters.add(parameter(object(element))));
        return Space.of(
                parameters,
                texts(json, "constraints").stream().map(Constraint::parse).toList());
    }

    private static Parameter parameter(JsonObject json) {
        String name = Json.text(json, "name");
        List<String> words = texts(json, "words");
        Parameter.Kind kind;
        try {
            kind = Parameter.Kind.valueOf(Json.text(json, "kind", words.isEmpty() ? "real" : "categorical")
                    .toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_REQUEST.because(
                    name + ": a kind is integer, real, ordered or categorical, not " + json.get("kind"), e);
        }
        if (!words.isEmpty()) {
            return new Parameter(
                    name,
                    Json.text(json, "service", ""),
                    kind,
                    0,
                    words.size() - 1.0,
                    0,
                    false,
                    words,
                    KnobValue.of(Json.text(json, "default", words.get(0))),
                    condition(json));
        }
        double min = Json.number(json, "min");
        return new Parameter(
                name,
                Json.text(json, "service", ""),
                kind,
                min,
                Json.number(json, "max"),
                Json.number(json, "step", 0),
                json.has("logarithmic") && json.get("logarithmic").getAsBoolean(),
                List.of(),
                KnobValue.of(Json.number(json, "default", min)),
                condition(json));
    }

    private static Parameter.@Nullable Condition condition(JsonObject json) {
        if (!json.has("when")) {
            return null;
        }
        JsonObject when = Json.object(json, "when");
        return new Parameter.Condition(Json.text(when, "parameter"), texts(when, "values"));
    }

    static JsonObject of(Trial trial) {
        var json = new JsonObject();
        json.addProperty("number", trial.number());
        json.add("setting", Json.of(trial.setting()));
        Trial.Outcome outcome = trial.outcome();
        if (outcome instanceof Trial.Complete complete) {
            json.addProperty("state", "complete");
            json.addProperty("value", complete.value());
            var metrics = new JsonObject();
            new TreeMap<>(complete.metrics()).forEach(metrics::addProperty);
            json.add("metrics", metrics);
            json.add("broken", texts(complete.broken()));
        } else if (outcome instanceof Trial.Failed failed) {
            json.addProperty("state", "failed");
            json.addProperty("reason", failed.reason());
        } else {
            json.addProperty("state", "running");
        }
        return json;
    }

    static Trial trial(JsonObject json) {
        return new Trial((int) Json.number(json, "number"), Json.setting(Json.object(json, "setting")), outcome(json));
    }

    private static Trial.Outcome outcome(JsonObject json) {
        String state = Json.text(json, "state");
        return switch (state) {
            case "running" -> new Trial.Running();
            case "failed" -> new Trial.Failed(Json.text(json, "reason", "not told"));
            case "complete" -> {
                var metrics = new TreeMap<String, Double>();
                JsonObject given = Json.object(json, "metrics");
                given.keySet().forEach(name -> metrics.put(name, Json.number(given, name)));
                yield new Trial.Complete(Json.number(json, "value"), metrics, texts(json, "broken"));
            }
            default -> throw AutoTuneError.BAD_REQUEST.because("a state is running, complete or failed, not " + state);
        };
    }

    private static JsonObject object(JsonElement element) {
        if (!element.isJsonObject()) {
            throw AutoTuneError.BAD_REQUEST.because("a parameter is an object, not " + element);
        }
        return element.getAsJsonObject();
    }

    private static JsonArray texts(List<String> values) {
        var array = new JsonArray();
        values.forEach(array::add);
        return array;
    }

    private static List<String> texts(JsonObject json, String field) {
        return Json.array(json, field).stream()
                .map(element -> {
                    if (!element.isJsonPrimitive()) {
                        throw AutoTuneError.BAD_REQUEST.because(field + " has an element that is no single value");
                    }
                    return element.getAsString();
                })
                .toList();
    }
}

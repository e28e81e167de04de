package io.leeway.autotune.internal.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.Cost;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** JSON that comes from outside is read here, and refused with {@link AutoTuneError#BAD_REQUEST} if it is not what it should be. */
public final class Json {

    private static final Gson GSON = new GsonBuilder()
            .disableHtmlEscaping()
            .serializeSpecialFloatingPointValues()
            .create();

    private Json() {}

    /** A text of one JSON object. */
    public static JsonObject object(String text) {
        try {
            return JsonParser.parseString(text).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException e) {
            throw AutoTuneError.BAD_REQUEST.because("not a JSON object: " + shortened(text), e);
        }
    }

    /** A text field that must be there. */
    public static String text(JsonObject from, String field) {
        return primitive(from, field).getAsString();
    }

    /** A text field with a default. */
    public static String text(JsonObject from, String field, String otherwise) {
        return from.has(field) ? text(from, field) : otherwise;
    }

    /** A number field that must be there and finite. */
    public static double number(JsonObject from, String field) {
        try {
            double number = primitive(from, field).getAsDouble();
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw AutoTuneError.BAD_REQUEST.because(field + " is not a number", e);
        }
        throw AutoTuneError.BAD_REQUEST.because(field + " is not finite");
    }

    /** A number field with a default. */
    public static double number(JsonObject from, String field, double otherwise) {
        return from.has(field) ? number(from, field) : otherwise;
    }

    /** An array field; empty if it is not there. */
    public static List<JsonElement> array(JsonObject from, String field) {
        JsonElement element = from.get(field);
        if (element == null) {
            return List.of();
        }
        if (!element.isJsonArray()) {
            throw AutoTuneError.BAD_REQUEST.because(field + " is not an array");
        }
        return element.getAsJsonArray().asList();
    }

    /** An object field; empty if it is not there. */
    public static JsonObject object(JsonObject from, String field) {
        JsonElement element = from.get(field);
        if (element == null) {
            return new JsonObject();
        }
        if (!element.isJsonObject()) {
            throw AutoTuneError.BAD_REQUEST.because(field + " is not an object");
        }
        return element.getAsJsonObject();
    }

    private static JsonPrimitive primitive(JsonObject from, String field) {
        JsonElement element = from.get(field);
        if (element == null || !element.isJsonPrimitive()) {
            throw AutoTuneError.BAD_REQUEST.because("the field " + field + " is missing or no single value");
        }
        return element.getAsJsonPrimitive();
    }

    /** A record as JSON. */
    public static JsonObject tree(Object record) {
        return GSON.toJsonTree(record).getAsJsonObject();
    }

    /** A record from JSON that this class wrote. */
    public static <T> T read(JsonElement json, Class<T> type) {
        try {
            return GSON.fromJson(json, type);
        } catch (RuntimeException e) {
            throw AutoTuneError.BAD_STATE.because("not a " + type.getSimpleName(), e);
        }
    }

    /** A setting: an object of numbers and words. */
    public static JsonObject of(Setting setting) {
        var json = new JsonObject();
        setting.values()
                .forEach((name, value) -> json.add(
                        name,
                        value instanceof KnobValue.Amount number
                                ? number(number)
                                : new JsonPrimitive(value.toString())));
        return json;
    }

    /** Whole numbers without a fraction: to a script or a Python that reads it, 8.0 is no number of threads. */
    private static JsonPrimitive number(KnobValue.Amount amount) {
        double value = amount.value();
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? new JsonPrimitive((long) value)
                : new JsonPrimitive(value);
    }

    /** A setting from such an object. */
    public static Setting setting(JsonObject json) {
        var values = new TreeMap<String, KnobValue>();
        for (String name : json.keySet()) {
            JsonPrimitive value = primitive(json, name);
            values.put(name, value.isNumber() ? KnobValue.of(number(json, name)) : KnobValue.of(value.getAsString()));
        }
        return new Setting(values);
    }

    /** A knob's specification. */
    public static JsonObject of(KnobSpec knob) {
        return tree(knob);
    }

    /** A knob's specification from JSON; kind, min and max, or choices, are enough. */
    public static KnobSpec knob(JsonObject json) {
        var choices = new ArrayList<String>();
        array(json, "choices").forEach(choice -> choices.add(choice.getAsString()));
        try {
            var kind = KnobSpec.Kind.valueOf(text(json, "kind", choices.isEmpty() ? "REAL" : "CHOICE"));
            boolean logarithmic =
                    json.has("logarithmic") && json.get("logarithmic").getAsBoolean();
            double min = kind == KnobSpec.Kind.CHOICE ? 0 : number(json, "min");
            double max = kind == KnobSpec.Kind.CHOICE ? 0 : number(json, "max");
            var cost = Cost.valueOf(text(json, "cost", "LIVE"));
            return new KnobSpec(text(json, "name"), kind, min, max, logarithmic, choices, cost, text(json, "rule", ""));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_REQUEST.because("a knob that cannot be read: " + shortened(json.toString()), e);
        }
    }

    /** A window. */
    public static JsonObject of(Window window) {
        return tree(window);
    }

    /** A list of objects. */
    public static JsonArray array(List<JsonObject> objects) {
        var array = new JsonArray();
        objects.forEach(array::add);
        return array;
    }

    private static String shortened(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }
}

package io.leeway.autotune.client;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Tuning;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A controller's tuning instances. Every call has a time limit. Thread-safe.
 *
 * @since 0.1
 */
public final class AutoTuneClient {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final URI controller;
    private final String token;

    /**
     * For a controller.
     *
     * @param controller such as {@code http://127.0.0.1:7979}
     * @param token that it wrote to its directory
     */
    public AutoTuneClient(URI controller, String token) {
        this.controller = controller;
        this.token = token;
    }

    /** Makes an instance, as {@link Tuning#create}; returns its id. */
    public String create(
            List<KnobSpec> knobs, Setting start, Tuning.Algorithm algorithm, List<Tuning.Feature> features, long seed) {
        var request = new JsonObject();
        request.add("knobs", Json.array(knobs.stream().map(Json::of).toList()));
        request.add("start", Json.of(start));
        request.addProperty("algorithm", algorithm.name());
        request.add("features", Json.array(features.stream().map(Json::tree).toList()));
        request.addProperty("seed", seed);
        return Json.text(post("/v1/instances", request), "id");
    }

    /** What to deploy next, as {@link Tuning#predict}. */
    public Tuning.Prediction predict(String id, Map<String, Double> context) {
        JsonObject answer = post("/v1/instances/" + id + "/predict", of(context));
        return new Tuning.Prediction(Json.text(answer, "requestId"), Json.setting(Json.object(answer, "setting")));
    }

    /** What came of it, as {@link Tuning#setReward}. */
    public boolean setReward(String id, String requestId, double reward) {
        var request = new JsonObject();
        request.addProperty("requestId", requestId);
        request.addProperty("reward", reward);
        return post("/v1/instances/" + id + "/reward", request).get("learnt").getAsBoolean();
    }

    /** What the instance holds for best, as {@link Tuning#best}. */
    public Setting best(String id, Map<String, Double> context) {
        return Json.setting(Json.object(post("/v1/instances/" + id + "/best", of(context)), "setting"));
    }

    private static JsonObject of(Map<String, Double> context) {
        var request = new JsonObject();
        var values = new JsonObject();
        context.forEach(values::addProperty);
        request.add("context", values);
        return request;
    }

    private JsonObject post(String path, JsonObject body) {
        HttpRequest request = HttpRequest.newBuilder(controller.resolve(path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            JsonObject answer = Json.object(response.body());
            if (response.statusCode() != 200) {
                String code = Json.text(answer, "error", "");
                throw Arrays.stream(AutoTuneError.values())
                        .filter(error -> error.code().equals(code))
                        .findFirst()
                        .orElse(AutoTuneError.BAD_REQUEST)
                        .because("the controller says: " + Json.text(answer, "message", ""));
            }
            return answer;
        } catch (IOException e) {
            throw AutoTuneError.NO_ANSWER.because(controller.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AutoTuneError.NO_ANSWER.because("interrupted", e);
        }
    }
}

package io.leeway.autotune.internal.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.Bottlenecks;
import io.leeway.autotune.lab.Study;
import io.leeway.autotune.lab.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * Studies by asking and telling, and the suspects in the traces that were sent. Every change of a study is on disk before
 * it is answered. Thread-safe.
 */
final class StudyApi implements AutoCloseable {

    private static final int MOST = 10_000;

    private final MVStore store;
    private final MVMap<String, String> states;
    private final Map<String, Study> live = new TreeMap<>();
    private final Bottlenecks bottlenecks = Bottlenecks.standard();

    private StudyApi(MVStore store) {
        this.store = store;
        this.states = store.openMap("studies");
    }

    static StudyApi open(Path file) {
        try {
            return new StudyApi(new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    .open());
        } catch (MVStoreException e) {
            throw AutoTuneError.BAD_STATE.because(file + ": " + e.getMessage(), e);
        }
    }

    /** Takes spans as an exporter sends them. */
    int traces(byte[] body, boolean isProtobuf) {
        return bottlenecks.take(body, isProtobuf);
    }

    /** Answers {@code /v1/studies…} and {@code /v1/bottlenecks…}. */
    JsonObject answer(String method, String[] parts, String body) {
        String route = method + " " + parts[1] + "/" + parts.length + (parts.length > 3 ? " " + parts[3] : "");
        return switch (route) {
            case "GET studies/2" -> ids();
            case "POST studies/2" -> create(body);
            case "GET studies/3" -> with(parts[2], StudyApi::describe);
            case "DELETE studies/3" -> delete(parts[2]);
            case "POST studies/4 ask" ->
                with(parts[2], study -> Json.object(study.ask().toJson()));
            case "POST studies/4 tell" -> with(parts[2], study -> tell(study, Json.object(body)));
            case "POST studies/4 enqueue" -> with(parts[2], study -> enqueue(study, Json.object(body)));
            case "GET bottlenecks/2" -> suspects();
            case "POST bottlenecks/3" -> usual(parts[2]);
            default -> throw AutoTuneError.UNKNOWN_NAME.because(method + " /" + String.join("/", parts));
        };
    }

    private synchronized JsonObject ids() {
        var ids = new JsonArray();
        states.keySet().forEach(ids::add);
        var answer = new JsonObject();
        answer.add("studies", ids);
        return answer;
    }

    private synchronized JsonObject create(String body) {
        if (states.size() >= MOST) {
            throw AutoTuneError.BAD_REQUEST.because("there are " + MOST + " studies already");
        }
        Study study = Study.fromJson(body);
        String id = UUID.randomUUID().toString();
        live.put(id, study);
        save(id, study);
        var answer = new JsonObject();
        answer.addProperty("id", id);
        return answer;
    }

    private synchronized JsonObject with(String id, Function<Study, JsonObject> what) {
        Study study = live.get(id);
        if (study == null) {
            String state = states.get(id);
            if (state == null) {
                throw AutoTuneError.UNKNOWN_NAME.because("no study " + id);
            }
            study = Study.fromJson(state);
            live.put(id, study);
        }
        JsonObject answer = what.apply(study);
        save(id, study);
        return answer;
    }

    private void save(String id, Study study) {
        String state = study.toJson();
        if (!state.equals(states.get(id))) {
            states.put(id, state);
            store.commit();
        }
    }

    private synchronized JsonObject delete(String id) {
        live.remove(id);
        var answer = new JsonObject();
        answer.addProperty("deleted", states.remove(id) != null);
        store.commit();
        return answer;
    }

    private static JsonObject describe(Study study) {
        var answer = new JsonObject();
        var trials = new JsonArray();
        study.trials().forEach(trial -> trials.add(Json.object(trial.toJson())));
        answer.add("trials", trials);
        study.bestTrial().ifPresent(best -> answer.add("best", Json.object(best.toJson())));
        var importances = new JsonObject();
        study.importances().forEach(importances::addProperty);
        answer.add("importances", importances);
        return answer;
    }

    private static JsonObject tell(Study study, JsonObject request) {
        int number = (int) Json.number(request, "number");
        if (request.has("failed")) {
            study.fail(number, Json.text(request, "failed"));
        } else {
            var metrics = new TreeMap<String, Double>();
            JsonObject given = Json.object(request, "metrics");
            given.keySet().forEach(name -> metrics.put(name, Json.number(given, name)));
            List<String> broken = Json.array(request, "broken").stream()
                    .map(limit -> limit.getAsString())
                    .toList();
            study.tell(number, new Trial.Complete(Json.number(request, "value"), metrics, broken));
        }
        return new JsonObject();
    }

    private static JsonObject enqueue(Study study, JsonObject request) {
        study.enqueue(Json.setting(Json.object(request, "setting")));
        return new JsonObject();
    }

    private JsonObject suspects() {
        var suspects = new JsonArray();
        for (Bottlenecks.Suspect suspect : bottlenecks.live()) {
            suspects.add(Json.tree(suspect));
        }
        var answer = new JsonObject();
        answer.add("suspects", suspects);
        answer.addProperty("requests", bottlenecks.requests());
        return answer;
    }

    private JsonObject usual(String what) {
        if (!what.equals("usual")) {
            throw AutoTuneError.UNKNOWN_NAME.because(what);
        }
        var answer = new JsonObject();
        answer.addProperty("requests", bottlenecks.learnUsual());
        return answer;
    }

    @Override
    public synchronized void close() {
        store.close();
    }
}

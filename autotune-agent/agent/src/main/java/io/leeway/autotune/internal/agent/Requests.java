package io.leeway.autotune.internal.agent;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneOption;
import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.measure.Recording;
import io.leeway.autotune.internal.measure.Signals;
import io.leeway.autotune.internal.measure.Spans;
import java.util.LinkedHashMap;
import java.util.Map;

/** What can be asked of the agent: status, knobs, set, keep, restore, reset, windows, tune, rounds, stop, release, spans. Thread-safe. */
final class Requests {

    private static final int MOST_WINDOWS = 16;

    private final LocalService service;
    private final Lease lease;
    private final TuningThread tuning;
    private final AutoTuneOptions options;
    private final Signals signals;
    private final Spans spans;
    private final Runnable store;
    private final Map<Integer, Recording.View> windows = new LinkedHashMap<>();
    private int lastWindow;

    Requests(
            LocalService service,
            Lease lease,
            TuningThread tuning,
            AutoTuneOptions options,
            Signals signals,
            Spans spans,
            Runnable store) {
        this.service = service;
        this.lease = lease;
        this.tuning = tuning;
        this.options = options;
        this.signals = signals;
        this.spans = spans;
        this.store = store;
    }

    JsonObject answer(JsonObject request) {
        String what = Json.text(request, "op");
        return switch (what) {
            case "status" -> status();
            case "knobs" -> knobs();
            case "set" -> set(request);
            case "keep" -> changed(request, this::keep);
            case "restore" -> changed(request, service::restore);
            case "reset" -> reset(request);
            case "hold" -> changed(request, () -> {});
            case "release" -> release(request);
            case "open" -> open();
            case "look" -> look(request, false);
            case "close" -> look(request, true);
            case "tune" -> tune(request);
            case "stop" -> stop();
            case "spans" -> spans();
            default -> throw AutoTuneError.BAD_REQUEST.because("no such request: " + what);
        };
    }

    private JsonObject status() {
        var answer = new JsonObject();
        answer.addProperty("name", service.name());
        answer.addProperty("pid", ProcessHandle.current().pid());
        answer.addProperty("holder", lease.holder());
        answer.addProperty("state", tuning.state());
        answer.add("setting", Json.of(service.read()));
        var seen = new JsonObject();
        signals.read().forEach(seen::addProperty);
        answer.add("signals", seen);
        answer.add("recent", Json.of(service.recording().recent()));
        var rounds = new JsonArray();
        tuning.rounds().forEach(round -> {
            JsonObject line = Json.tree(round);
            line.add("setting", Json.of(round.setting()));
            line.addProperty("line", round.line());
            rounds.add(line);
        });
        answer.add("rounds", rounds);
        return answer;
    }

    private JsonObject spans() {
        var answer = new JsonObject();
        answer.add("spans", Json.array(spans.take().stream().map(Json::tree).toList()));
        return answer;
    }

    private JsonObject knobs() {
        var answer = new JsonObject();
        answer.add("knobs", Json.array(service.knobs().stream().map(Json::of).toList()));
        answer.add("setting", Json.of(service.read()));
        return answer;
    }

    private JsonObject set(JsonObject request) {
        Setting changes = Json.setting(Json.object(request, "setting"));
        String before = changes.changesFrom(service.read());
        JsonObject answer = changed(request, () -> service.apply(changes));
        answer.addProperty("changes", before);
        return answer;
    }

    private JsonObject changed(JsonObject request, Runnable change) {
        lease.take(Json.text(request, "holder"));
        change.run();
        var answer = new JsonObject();
        answer.add("setting", Json.of(service.read()));
        return answer;
    }

    /** Whoever wants the first values back gets them, also from the agent's own run. */
    private JsonObject reset(JsonObject request) {
        try {
            tuning.breakOff();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AutoTuneError.LEASED.because("interrupted", e);
        }
        return changed(request, () -> {
            service.reset();
            store.run();
        });
    }

    private void keep() {
        service.keep();
        store.run();
    }

    private JsonObject release(JsonObject request) {
        String holder = Json.text(request, "holder");
        lease.take(holder);
        lease.release(holder);
        return new JsonObject();
    }

    private synchronized JsonObject open() {
        if (windows.size() >= MOST_WINDOWS) {
            Integer oldest = windows.keySet().iterator().next();
            Recording.View view = windows.remove(oldest);
            if (view != null) {
                view.close();
            }
        }
        windows.put(++lastWindow, service.recording().open());
        var answer = new JsonObject();
        answer.addProperty("window", lastWindow);
        return answer;
    }

    private synchronized JsonObject look(JsonObject request, boolean close) {
        int number = (int) Json.number(request, "window");
        Recording.View view = windows.get(number);
        if (view == null) {
            throw AutoTuneError.UNKNOWN_NAME.because("no window " + number);
        }
        service.recording().tick();
        JsonObject answer = Json.of(view.window());
        if (close) {
            view.close();
            windows.remove(number);
        }
        return answer;
    }

    private JsonObject tune(JsonObject request) {
        AutoTuneOptions chosen = options;
        JsonObject given = Json.object(request, "options");
        for (String key : given.keySet()) {
            AutoTuneOption<?> option = AutoTuneOptions.all().stream()
                    .filter(known -> known.key().equals(AutoTuneOptions.PREFIX + key))
                    .findFirst()
                    .orElseThrow(() -> AutoTuneError.BAD_OPTION.because("unknown: " + key));
            chosen = chosen.with(option, Json.text(given, key));
        }
        // Who asks for a run hands the service over to it.
        String holder = Json.text(request, "holder");
        lease.take(holder);
        lease.release(holder);
        tuning.start(chosen);
        return status();
    }

    private JsonObject stop() {
        tuning.stop();
        return status();
    }
}

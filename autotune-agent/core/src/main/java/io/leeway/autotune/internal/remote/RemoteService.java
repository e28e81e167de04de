package io.leeway.autotune.internal.remote;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.trace.Span;
import io.leeway.autotune.spi.TunedService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** A service in another process, through its agent. Every request has a time limit. For one thread. */
public final class RemoteService implements TunedService {

    private static final int CONNECT_MILLIS = 5_000;

    /** A change may wait for requests in flight. */
    private static final int ANSWER_MILLIS = 60_000;

    private static final long LOOK_MILLIS = 500;

    private final AgentAddress address;
    private final String holder;

    /** Through this agent, as this holder of its lease. */
    public RemoteService(AgentAddress address, String holder) {
        this.address = address;
        this.holder = holder;
    }

    @Override
    public String name() {
        return address.name();
    }

    /**
     * One request.
     *
     * @throws io.leeway.autotune.AutoTuneException with the agent's error, or {@link AutoTuneError#NO_ANSWER}
     */
    private JsonObject ask(String what, JsonObject request) {
        request.addProperty("op", what);
        request.addProperty("token", address.token());
        request.addProperty("holder", holder);
        String line;
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write((request + "\n").getBytes(StandardCharsets.UTF_8));
            var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            line = reader.readLine();
        } catch (IOException e) {
            throw AutoTuneError.NO_ANSWER.because(address.toString(), e);
        }
        if (line == null) {
            throw AutoTuneError.NO_ANSWER.because(address + " closed the connection");
        }
        return answered(Json.object(line));
    }

    private static JsonObject answered(JsonObject answer) {
        if (answer.has("error")) {
            String code = Json.text(answer, "error");
            AutoTuneError error = Arrays.stream(AutoTuneError.values())
                    .filter(known -> known.code().equals(code))
                    .findFirst()
                    .orElse(AutoTuneError.BAD_REQUEST);
            // Code and remedy are in the agent's text too, and once is enough.
            throw error.because("the agent says: "
                    + Json.text(answer, "message", "").replace(code + ": ", "").replace(". " + error.remedy(), ""));
        }
        return answer;
    }

    /** What the agent says of itself, as JSON: state, setting, rounds. */
    public String status() {
        return ask("status", new JsonObject()).toString();
    }

    /** Lets the agent tune by itself, with options as its own arguments have them, as JSON; returns its status. */
    public String tune(String options) {
        var request = new JsonObject();
        request.add("options", Json.object(options));
        return ask("tune", request).toString();
    }

    /** Asks a run to end after its round. */
    public void stop() {
        ask("stop", new JsonObject());
    }

    /** Requests since the last time that brought a trace with them. */
    public List<Span> spans() {
        return Json.array(ask("spans", new JsonObject()), "spans").stream()
                .map(span -> Json.read(span, Span.class))
                .toList();
    }

    /** Opens a window and returns its number. */
    public int open() {
        return (int) Json.number(ask("open", new JsonObject()), "window");
    }

    /** What a window has seen so far. */
    public Window look(int window) {
        return look("look", window);
    }

    @Override
    public List<KnobSpec> knobs() {
        return Json.array(ask("knobs", new JsonObject()), "knobs").stream()
                .map(knob -> Json.knob(knob.getAsJsonObject()))
                .toList();
    }

    @Override
    public Setting read() {
        return Json.setting(Json.object(ask("knobs", new JsonObject()), "setting"));
    }

    @Override
    public void apply(Setting changes) {
        var request = new JsonObject();
        request.add("setting", Json.of(changes));
        ask("set", request);
    }

    @Override
    public void keep() {
        ask("keep", new JsonObject());
    }

    @Override
    public void restore() {
        ask("restore", new JsonObject());
    }

    /** Breaks off the agent's own run, goes back to the values from before anything was changed, and keeps them. */
    public void reset() {
        ask("reset", new JsonObject());
    }

    /** Says that whoever holds this service is still there. */
    public void hold() {
        ask("hold", new JsonObject());
    }

    /** Lets others have the service. */
    public void release() {
        ask("release", new JsonObject());
    }

    @Override
    public Window measure(double seconds, Predicate<Window> goOn) {
        int window = open();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        try {
            while (System.nanoTime() - end < 0) {
                Thread.sleep(Math.max(1, Math.min(LOOK_MILLIS, (end - System.nanoTime()) / 1_000_000)));
                // Being heard of is what keeps the agent from going back.
                hold();
                if (!goOn.test(look("look", window))) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return look("close", window);
    }

    private Window look(String what, int window) {
        var request = new JsonObject();
        request.addProperty("window", window);
        return Json.read(ask(what, request), Window.class);
    }
}

package io.leeway.autotune.internal.joint;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.outside.Declarations;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.function.Consumer;

/** A file that says which services are tuned together, and which knobs are around them. */
public final class JointPlan {

    private JointPlan() {}

    /**
     * Reads one: {@code services}, of which the first is measured, and {@code knobs}.
     *
     * @param agents where agents write their addresses
     * @throws io.leeway.autotune.AutoTuneException that names what is wrong
     */
    public static JointService read(Path file, Path agents, Consumer<String> log) {
        JsonObject json;
        try {
            json = Json.object(Files.readString(file));
        } catch (IOException e) {
            throw AutoTuneError.BAD_REQUEST.because(file + " cannot be read", e);
        }
        var services = new LinkedHashMap<String, RemoteService>();
        String holder = "joint run " + ProcessHandle.current().pid();
        for (JsonElement element : Json.array(json, "services")) {
            String name = element.getAsString();
            String shown = name.substring(name.lastIndexOf('.') + 1);
            services.put(shown, new RemoteService(AgentAddress.find(agents, name), holder));
        }
        if (services.isEmpty()) {
            throw AutoTuneError.BAD_REQUEST.because(file + " names no services");
        }
        var undo = new UndoFile(file.resolveSibling(file.getFileName() + ".undo"));
        return new JointService(
                String.join(" + ", services.keySet()),
                services,
                Declarations.knobs(Json.array(json, "knobs")),
                undo,
                log);
    }
}

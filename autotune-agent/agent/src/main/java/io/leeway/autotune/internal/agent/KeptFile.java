package io.leeway.autotune.internal.agent;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What was kept, over restarts of the service. A value is put back when its knob is found again, if the service still
 * comes up with the value that it had before it was tuned: whoever changed the service's configuration in the meantime
 * wins. A file that cannot be read is left as it is, and nothing is stored.
 */
final class KeptFile {

    private final String path;
    private final Consumer<String> log;
    private final Map<String, KnobValue> first = new TreeMap<>();
    private final Map<String, KnobValue> kept = new TreeMap<>();
    private boolean usable;

    /** At this path; empty for none. */
    KeptFile(String path, Consumer<String> log) {
        this.path = path;
        this.log = log;
        this.usable = !path.isEmpty();
        if (usable && Files.exists(Path.of(path))) {
            read();
        }
    }

    private void read() {
        try {
            JsonObject json = Json.object(Files.readString(Path.of(path)));
            first.putAll(Json.setting(Json.object(json, "first")).values());
            kept.putAll(Json.setting(Json.object(json, "kept")).values());
        } catch (IOException | AutoTuneException e) {
            usable = false;
            log.accept(AutoTuneError.BAD_STATE.because(path, e).getMessage());
        }
    }

    /** Changes that are to be made to what is there now; each is named once. */
    synchronized Setting due(Setting present) {
        var changes = new TreeMap<String, KnobValue>();
        present.values().forEach((name, value) -> {
            KnobValue wanted = kept.remove(name);
            if (wanted != null && !wanted.equals(value)) {
                if (value.equals(first.get(name))) {
                    changes.put(name, wanted);
                } else {
                    log.accept(name + " comes up with " + value + ", not with " + first.get(name)
                            + " as before: what was kept then, " + wanted + ", is not put back");
                }
            }
        });
        return new Setting(changes);
    }

    /** Stores what differs from the values from before any change. */
    synchronized void write(Setting before, Setting now) {
        if (!usable) {
            return;
        }
        var json = new JsonObject();
        Setting changed = now.changedFrom(before);
        var firsts = new TreeMap<String, KnobValue>();
        changed.values().keySet().forEach(name -> {
            KnobValue value = before.values().get(name);
            if (value != null) {
                firsts.put(name, value);
            }
        });
        json.add("first", Json.of(new Setting(firsts)));
        json.add("kept", Json.of(new Setting(changed.values())));
        Path file = Path.of(path).toAbsolutePath();
        try {
            Files.createDirectories(Objects.requireNonNullElse(file.getParent(), file));
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(written, json.toString());
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            log.accept("what was kept could not be stored: " + e);
        }
    }
}

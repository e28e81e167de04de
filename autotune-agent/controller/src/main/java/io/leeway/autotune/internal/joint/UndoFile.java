package io.leeway.autotune.internal.joint;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** Values to go back to after a crash: there as long as something is changed that nobody has kept. */
public final class UndoFile {

    private final Path file;

    /** At this path. */
    public UndoFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    Map<String, KnobValue> read() {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            return Json.setting(Json.object(Files.readString(file))).values();
        } catch (IOException e) {
            throw AutoTuneError.BAD_STATE.because(file.toString(), e);
        }
    }

    /** Written through to the disk before it returns; without values it is removed. */
    void write(Map<String, KnobValue> values) {
        try {
            if (values.isEmpty()) {
                Files.deleteIfExists(file);
                return;
            }
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.write(
                    written,
                    Json.of(new Setting(values)).toString().getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
            try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw AutoTuneError.BAD_STATE.because(file.toString(), e);
        }
    }
}

package io.leeway.autotune.internal.remote;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where an agent is reached, as it wrote it itself.
 *
 * @param pid of its process
 * @param name of its service
 * @param port on loopback
 * @param token that it asks for
 */
public record AgentAddress(long pid, String name, int port, String token) {

    private static final Path USUAL = Path.of("/tmp");

    /** Without the token. */
    @Override
    public String toString() {
        return name + ", pid " + pid + ", port " + port;
    }

    /**
     * The directory that agents of this user write to if no other is set. Where there is a {@code /tmp} it is there,
     * whatever the service has set {@code java.io.tmpdir} to (Tomcat's scripts do): as the JDK does for attaching.
     */
    public static Path standardDirectory() {
        boolean isUsual = Files.isDirectory(USUAL) && Files.isWritable(USUAL);
        Path temporary = isUsual ? USUAL : Path.of(System.getProperty("java.io.tmpdir"));
        return temporary.resolve("autotune-" + System.getProperty("user.name"));
    }

    /** All agents of processes that are alive. */
    public static List<AgentAddress> all(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        var found = new ArrayList<AgentAddress>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.toString().endsWith(".json")).sorted().forEach(file -> {
                try {
                    AgentAddress address = read(file);
                    if (ProcessHandle.of(address.pid()).isPresent()) {
                        found.add(address);
                    }
                } catch (IOException | AutoTuneException e) {
                    // Half written, or of somebody else: whoever looks for it will not find it.
                }
            });
        } catch (IOException e) {
            throw AutoTuneError.NO_ANSWER.because(directory + " cannot be read", e);
        }
        return found;
    }

    /** The agent of a process id, or of a service of that name. */
    public static AgentAddress find(Path directory, String pidOrName) {
        List<AgentAddress> all = all(directory);
        return all.stream()
                .filter(agent -> Long.toString(agent.pid()).equals(pidOrName)
                        || agent.name().equals(pidOrName))
                .findFirst()
                .orElseThrow(() -> AutoTuneError.UNKNOWN_NAME.because(
                        "no agent " + pidOrName + " in " + directory + ", which has " + all));
    }

    private static AgentAddress read(Path file) throws IOException {
        JsonObject json = Json.object(Files.readString(file));
        return new AgentAddress(
                (long) Json.number(json, "pid"),
                Json.text(json, "name"),
                (int) Json.number(json, "port"),
                Json.text(json, "token"));
    }
}

package io.leeway.autotune.internal.agent;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where the agent says how to reach it: a file that only its user can read, in a directory that only its user can
 * write. A directory of that name that somebody else made is not used.
 */
final class AgentFile {

    private AgentFile() {}

    static Path write(String directory, String name, int port, String token) throws IOException {
        Path folder = directory.isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir"), "autotune-" + System.getProperty("user.name"))
                : Path.of(directory);
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        long pid = ProcessHandle.current().pid();
        Path file = folder.resolve(pid + ".json");
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        if (Files.isSymbolicLink(folder) || !Files.getOwner(folder).equals(Files.getOwner(file))) {
            Files.delete(file);
            throw new IOException(folder + " belongs to somebody else");
        }
        var content = new JsonObject();
        content.addProperty("pid", pid);
        content.addProperty("name", name);
        content.addProperty("port", port);
        content.addProperty("token", token);
        Files.writeString(file, content.toString(), StandardOpenOption.WRITE);
        return file;
    }
}

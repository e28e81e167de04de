package io.leeway.autotune.internal.agent;

import com.google.gson.JsonObject;
import io.leeway.autotune.internal.remote.AgentAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the agent says how to reach it: a file that only its user can read, in a directory that only its user can
 * write. A directory of that name that somebody else made is not used.
 *
 * <p>The file is locked as long as the process lives. Who was killed could not remove its own, so the next agent does:
 * a process that is not seen may live in a container that shares the directory, one that has no lock any more does not.
 */
final class AgentFile implements AutoCloseable {

    private final Path file;
    private final FileChannel channel;
    private final @Nullable FileLock lock;

    private AgentFile(Path file, FileChannel channel, @Nullable FileLock lock) {
        this.file = file;
        this.channel = channel;
        this.lock = lock;
    }

    static AgentFile write(String directory, String name, int port, String token) throws IOException {
        Path folder = directory.isEmpty() ? AgentAddress.standardDirectory() : Path.of(directory);
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
        removeLeft(folder);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        channel.write(ByteBuffer.wrap(content.toString().getBytes(StandardCharsets.UTF_8)));
        return new AgentFile(file, channel, locked(channel));
    }

    private static @Nullable FileLock locked(FileChannel channel) {
        try {
            return channel.tryLock();
        } catch (IOException e) {
            // Where there are no locks, nobody takes the file for one that was left either.
            return null;
        }
    }

    private static void removeLeft(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(AgentFile::isLeft).forEach(left -> {
                try {
                    Files.deleteIfExists(left);
                } catch (IOException e) {
                    // It only takes room; the command line skips it.
                }
            });
        }
    }

    private static boolean isLeft(Path file) {
        String name = file.getFileName().toString();
        if (!name.matches("\\d{1,18}\\.json")
                || ProcessHandle.of(Long.parseLong(name.substring(0, name.indexOf('.'))))
                        .isPresent()) {
            return false;
        }
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock free = other.tryLock()) {
            return free != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    /** Removes the file. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
        if (lock != null) {
            lock.close();
        }
        channel.close();
    }
}

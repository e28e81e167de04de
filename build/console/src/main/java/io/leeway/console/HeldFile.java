package io.leeway.console;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that one has at a time, on this machine: others, of this process or of another one, are refused until it is closed.
 *
 * <p>Locks are a process's on POSIX systems, which end them when any channel of the file is closed. So who finds a file that is
 * held here does not open it.
 */
public final class HeldFile implements AutoCloseable {

    private static final Set<Object> HELD_HERE = new HashSet<>();

    private final FileChannel channel;
    /** What tells the file from another one under its name. */
    private final Object key;

    private HeldFile(FileChannel channel, Object key) {
        this.channel = channel;
        this.key = key;
    }

    /** Takes the file, which is made if it is missing; null if somebody has it. */
    public static @Nullable HeldFile take(Path file) throws IOException {
        synchronized (HELD_HERE) {
            if (Files.exists(file) && HELD_HERE.contains(key(file))) {
                return null;
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            HeldFile held = null;
            try {
                if (isLocked(channel)) {
                    held = new HeldFile(channel, key(file));
                    HELD_HERE.add(held.key);
                }
                return held;
            } finally {
                if (held == null) {
                    channel.close();
                }
            }
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // By somebody in this process who did not take it here.
            return false;
        }
    }

    /** Links and relative names lead to the same file; where the file system numbers no files, its name has to do. */
    private static Object key(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key == null ? file.toRealPath() : key;
    }

    /** Lets the next one have it. */
    @Override
    public void close() throws IOException {
        synchronized (HELD_HERE) {
            // A second time it may be somebody else's.
            if (channel.isOpen()) {
                // Together: once it is closed another file may get the key.
                HELD_HERE.remove(key);
                channel.close();
            }
        }
    }
}

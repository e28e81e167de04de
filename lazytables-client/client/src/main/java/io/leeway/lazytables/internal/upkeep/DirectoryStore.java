package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.spi.SnapshotStore;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots as files of a directory. A file is written under another name, brought to the disk and renamed, and the
 * directory is brought to the disk, so a name stands for all of its bytes. A lock keeps a second server out; the system
 * takes it away when the process ends, however it ends.
 */
final class DirectoryStore implements SnapshotStore {

    /*
     * What each step is for. Another name first, as a name that others look for must stand for the whole: a server that
     * is killed in the midst leaves an ".unfinished", which nobody reads. The bytes are forced before the renaming,
     * since a file system may bring the new name to the disk before them, and after a loss of power there would be a
     * snapshot of noughts. The directory is forced behind it, or the name itself could be gone after clients were told
     * that they need not keep what it holds.
     *
     * The file of the lock is never deleted by us: between a deletion and the next opening two servers could hold the
     * locks of two files of one name. Somebody else may delete it, which is looked at before each write.
     */

    private static final String LOCK = "lock";
    private static final String UNFINISHED = ".unfinished";
    /** Larger writes would have Java copy all of them once more, outside of its heap. */
    private static final int PIECE = 1 << 20;
    /**
     * The files of locks that this Java machine holds, as {@link #key} tells them. Who finds one here does not open it:
     * where locks are a process's, as POSIX has them, the system takes them away when any channel of the file is
     * closed.
     */
    private static final Set<Object> HELD_HERE = new HashSet<>();

    private final Path directory;
    private @Nullable Held lock;

    private DirectoryStore(Path directory, @Nullable Held lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Opens a directory that is there: one that was made in place of a disk that is not mounted would be an empty one.
     */
    static DirectoryStore open(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException(directory + " is no directory; create it");
        }
        // First of all: nothing is touched of a directory that another server uses.
        Held lock = lock(directory);
        try {
            var store = new DirectoryStore(directory, lock);
            for (String name : store.names()) {
                if (name.endsWith(UNFINISHED)) {
                    // Nobody writes it any more, as the lock is ours.
                    Files.delete(directory.resolve(name));
                }
            }
            return store;
        } catch (IOException | RuntimeException e) {
            release(lock);
            throw e;
        }
    }

    /**
     * Opens a directory to read from it only, beside the server that uses it. Without the lock: whatever has a name is
     * whole, and does not change any more. It may be deleted meanwhile, which the reader is told.
     */
    static DirectoryStore openToRead(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException(directory + " is no directory");
        }
        return new DirectoryStore(directory, null);
    }

    private static Held lock(Path directory) throws IOException {
        synchronized (HELD_HERE) {
            if (Files.exists(directory.resolve(LOCK)) && HELD_HERE.contains(key(directory))) {
                throw inUse(directory);
            }
            FileChannel file =
                    FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (!isLocked(file)) {
                    throw inUse(directory);
                }
                Object key = key(directory);
                if (key != null) {
                    HELD_HERE.add(key);
                }
                return new Held(file, key);
            } catch (IOException | RuntimeException e) {
                file.close();
                throw e;
            }
        }
    }

    private static void release(Held lock) throws IOException {
        synchronized (HELD_HERE) {
            // Together: once it is closed another file may get the key.
            HELD_HERE.remove(lock.key);
            lock.file.close();
        }
    }

    private static IOException inUse(Path directory) {
        return new IOException("another server uses " + directory + "; give each server a directory of its own");
    }

    private static @Nullable Object key(Path directory) throws IOException {
        return Files.readAttributes(directory.resolve(LOCK), BasicFileAttributes.class)
                .fileKey();
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            // Not lock(), which would wait for as long as the other server runs.
            return file.tryLock() != null;
        } catch (OverlappingFileLockException ofThisJavaMachine) {
            return false;
        }
    }

    @Override
    public List<String> list() throws IOException {
        return names().stream()
                .filter(name -> !name.equals(LOCK) && !name.endsWith(UNFINISHED))
                .toList();
    }

    @Override
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    @Override
    public void write(String name, byte[] content) throws IOException {
        requireLock();
        Path unfinished = directory.resolve(name + UNFINISHED);
        try {
            writeThrough(unfinished, content);
            Files.move(
                    unfinished,
                    directory.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            // A part of it would only take the room that the next one needs.
            deleteQuietly(unfinished, e);
            throw e;
        }
        // If this fails the file stays, under a number that is not used again: it is whole, though the server does not
        // count on it.
        bringToDisk();
    }

    @Override
    public void delete(String name) throws IOException {
        requireLock();
        // Not forced: a deletion that is lost leaves one file more, and the next snapshot deletes it again.
        Files.delete(directory.resolve(name));
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            release(lock);
        }
    }

    /**
     * Who removes the file takes the lock away: another server may have locked another file of that name since, and has
     * the directory then.
     */
    private void requireLock() throws IOException {
        Held held = lock;
        if (held == null) {
            throw new IOException(directory + " is open to read only");
        }
        // By its identity and not by its name: the file may be one that another server has made since.
        boolean isThere = Files.exists(directory.resolve(LOCK));
        if (isThere && Objects.equals(key(directory), held.key)) {
            return;
        }
        // Throws if another server has it: then this one stays without, and tries at the next snapshot.
        lock = lock(directory);
        release(held);
        // We have it now, but another server had: it may have gone on from the same snapshot. Which of the two is
        // right, only people can say.
        if (isThere) {
            throw new IOException("another server has used " + directory + " since the file " + LOCK
                    + " was removed: end this server, and look which snapshots are whose");
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (UncheckedIOException e) {
            throw new IOException(directory + " cannot be listed", e);
        }
    }

    private static void writeThrough(Path path, byte[] content) throws IOException {
        // Not what somebody may have put there, such as a link to another file.
        Files.deleteIfExists(path);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int at = 0; at < content.length; ) {
                // A write may take less than it was given.
                at += file.write(ByteBuffer.wrap(content, at, Math.min(PIECE, content.length - at)));
            }
            // With its length, which is no content to the system.
            file.force(true);
        }
    }

    /**
     * Makes the new name last; Windows has no way to ask for that. Without it a loss of power could take the renaming
     * back.
     */
    private void bringToDisk() throws IOException {
        if (File.separatorChar == '/') {
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    private static void deleteQuietly(Path file, Exception because) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // What is told is why it was deleted.
            because.addSuppressed(e);
        }
    }

    /**
     * The lock of a directory.
     *
     * @param key what tells its file from another one under its name; null where the file system does not tell
     */
    private record Held(FileChannel file, @Nullable Object key) {}
}

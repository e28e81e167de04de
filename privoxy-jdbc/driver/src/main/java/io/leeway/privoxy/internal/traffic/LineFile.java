package io.leeway.privoxy.internal.traffic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file to which lines are appended by a thread of its own. Whoever adds a line neither waits for the disk nor hears
 * of its faults: lines that come faster than they can be written are dropped and counted, and after a fault, which is
 * logged once, all are dropped. Thread-safe.
 *
 * <p>The file is created for its owner only, since it has data in it. Lines are whole: what is written at once ends
 * with a line, so that several processes may append to one file.
 *
 * <p>A recording must not change what it records: no waiting for a disk, no error in the application.
 */
final class LineFile {

    /** Characters that may wait to be written. */
    static final int MAX_WAITING = 16_000_000;
    /** Bytes beyond which nothing more is written: a recording that was forgotten must not fill the disk. */
    static final long MAX_BYTES = 4_000_000_000L;

    private static final System.Logger LOG = System.getLogger(LineFile.class.getName());
    private static final Set<OpenOption> APPEND = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    /** CREATE_NEW with the permissions in one step: between creating and restricting somebody could open it. */
    private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final Path path;
    private final int bound;
    private final LostLines lostLines;
    private final Object lock = new Object();
    private List<String> waiting = new ArrayList<>();
    private long waitingChars;
    private long lost;
    private boolean writing;
    private boolean closed;
    private boolean broken;
    /** Started with the first line, so that a recorder that is never used costs nothing. */
    private @Nullable Thread thread;

    /** What to write in the place of lines that were dropped. */
    @FunctionalInterface
    interface LostLines {
        String line(long count);
    }

    /** Opened by the thread that writes, so that a slow disk does not hold up a connection. */
    LineFile(Path path, int bound, LostLines lostLines) {
        this.path = path;
        this.bound = bound;
        this.lostLines = lostLines;
    }

    /** Adds a line, or drops it. */
    void add(String line) {
        synchronized (lock) {
            if (broken || closed) {
                return;
            }
            if (waitingChars + line.length() > bound) {
                lost++;
                return;
            }
            // The gap is told where it is, as what follows it may stand on rows that are not recorded.
            if (lost > 0) {
                waiting.add(lostLines.line(lost));
                lost = 0;
            }
            waiting.add(line);
            waitingChars += line.length();
            if (thread == null) {
                thread = start();
            }
            lock.notifyAll();
        }
    }

    private Thread start() {
        var started = new Thread(this::run, "privoxy-record-" + THREADS.incrementAndGet());
        // It must not keep the application's process from ending; what is waiting then is flushed at exit.
        started.setDaemon(true);
        started.start();
        return started;
    }

    /** Waits until everything added so far is written, or until patience ends. */
    boolean flush(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        synchronized (lock) {
            try {
                long left = patience.toNanos();
                while (isBusy() && left > 0) {
                    // One more, as less than a millisecond would be none, which waits for ever.
                    lock.wait(1 + TimeUnit.NANOSECONDS.toMillis(left));
                    left = end - System.nanoTime();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
            return !broken && !isBusy();
        }
    }

    /** Also while taken lines are being written, or flush would return before they are on the disk. */
    private boolean isBusy() {
        return !broken && (writing || !waiting.isEmpty());
    }

    /** Writes what is waiting; nothing is taken any more. */
    void close() {
        synchronized (lock) {
            if (lost > 0 && !broken && !closed) {
                // The gap at the end is told, too.
                waiting.add(lostLines.line(lost));
                lost = 0;
            }
            closed = true;
            lock.notifyAll();
        }
    }

    private void run() {
        try (SeekableByteChannel channel = open()) {
            // All that wait at once, so that a slow disk is asked seldom.
            List<String> lines = take();
            while (!lines.isEmpty()) {
                write(channel, lines);
                lines = take();
            }
        } catch (IOException | RuntimeException fault) {
            giveUp(fault);
        }
    }

    private SeekableByteChannel open() throws IOException {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return Files.newByteChannel(path, APPEND);
        }
        FileAttribute<Set<PosixFilePermission>> ownerOnly = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
        try {
            return Files.newByteChannel(path, CREATE, ownerOnly);
        } catch (FileAlreadyExistsException isThere) {
            warnIfReadable();
            return Files.newByteChannel(path, APPEND);
        }
    }

    /** A warning only: the file is the operator's, and may be read by a group on purpose. */
    private void warnIfReadable() throws IOException {
        if (Files.isRegularFile(path) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(path))) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The recording {0} has data in it and can be read or written by others than its owner.",
                    path);
        }
    }

    /** The lines to write next; none if there will be no more. */
    private List<String> take() {
        synchronized (lock) {
            writing = false;
            lock.notifyAll();
            try {
                while (waiting.isEmpty() && !closed) {
                    lock.wait();
                }
            } catch (InterruptedException stop) {
                // Somebody wants the thread to end; what was added is written first.
                closed = true;
            }
            List<String> taken = waiting;
            waiting = new ArrayList<>();
            waitingChars = 0;
            writing = !taken.isEmpty();
            return taken;
        }
    }

    private static void write(SeekableByteChannel channel, List<String> lines) throws IOException {
        var text = new StringBuilder();
        for (String line : lines) {
            text.append(line).append('\n');
        }
        // One write for all lines that wait, with a whole line at its end: appends of several processes do not mix
        // within a line.
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        if (channel.size() + bytes.remaining() > MAX_BYTES) {
            throw new IOException("it has reached " + MAX_BYTES + " bytes");
        }
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void giveUp(Exception fault) {
        LOG.log(
                System.Logger.Level.WARNING,
                "Traffic is not recorded any more: {0} cannot be written ({1}).",
                path,
                fault.getClass().getName() + ": " + fault.getMessage());
        synchronized (lock) {
            broken = true;
            writing = false;
            // Or they would be kept for ever.
            waiting = new ArrayList<>();
            lock.notifyAll();
        }
    }
}

package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.spi.Store;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A store in memory that stops at a given operation, before or after it took effect, and then shows what a disk would: what was synced,
 * and of the rest as much as the seed says, torn anywhere. It may also refuse operations now and then, as a full disk does: some bytes are
 * there then, or all.
 */
final class CrashStore implements Store {

    /** The machine has stopped. */
    static final class Crash extends IOException {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash");
        }
    }

    private static final class File {
        byte[] bytes = {};
        int synced;
        boolean named;
    }

    private final Map<String, File> files = new HashMap<>();
    private final long crashAt;
    private final java.util.Random random;
    private long operations;
    private boolean crashed;
    private int faultOneIn;
    private boolean withoutMemory;
    private long free = Long.MAX_VALUE;

    CrashStore(long crashAt, long seed) {
        this.crashAt = crashAt;
        this.random = new java.util.Random(seed);
    }

    /** From here on one of so many operations fails; 0 is none. */
    synchronized void refuse(int oneIn) {
        faultOneIn = oneIn;
    }

    /** What {@link #free()} says. */
    synchronized void free(long bytes) {
        free = bytes;
    }

    private boolean isRefused() {
        return faultOneIn > 0 && random.nextInt(faultOneIn) == 0;
    }

    /** From here on what is refused finds no memory, which is no exception that anybody declares. */
    synchronized void refuseMemory() {
        withoutMemory = true;
    }

    private IOException full() {
        if (withoutMemory) {
            throw new OutOfMemoryError("No space left in memory");
        }
        return new IOException("No space left on device");
    }

    synchronized long operations() {
        return operations;
    }

    synchronized boolean hasCrashed() {
        return crashed;
    }

    /** What is there after the crash. */
    synchronized CrashStore afterCrash() {
        var next = new CrashStore(Long.MAX_VALUE, 0);
        files.forEach((name, file) -> {
            boolean kept = file.named || random.nextBoolean();
            if (kept) {
                var copy = new File();
                int rest = file.bytes.length - file.synced;
                int torn = rest == 0 ? 0 : random.nextInt(rest + 1);
                copy.bytes = Arrays.copyOf(file.bytes, file.synced + torn);
                if (torn > 0 && random.nextInt(4) == 0) {
                    // Blocks may arrive out of order: the last bytes are there and others are not.
                    Arrays.fill(copy.bytes, file.synced, file.synced + torn / 2, (byte) 0);
                }
                copy.synced = copy.bytes.length;
                copy.named = true;
                next.files.put(name, copy);
            }
        });
        return next;
    }

    /** Turns over a bit of a file, as a bad disk does. */
    synchronized void damage(String name, int at) {
        File file = files.get(name);
        file.bytes[Math.floorMod(at, file.bytes.length)] ^= 4;
    }

    /** Counts an operation that makes something durable; true if the machine stops after it. */
    private boolean operation() throws Crash {
        if (crashed) {
            throw new Crash();
        }
        operations++;
        if (operations == crashAt) {
            crashed = true;
            if (random.nextBoolean()) {
                throw new Crash();
            }
            return true;
        }
        return false;
    }

    private void alive() throws Crash {
        if (crashed) {
            throw new Crash();
        }
    }

    @Override
    public synchronized Writer create(String name) throws IOException {
        alive();
        if (isRefused()) {
            throw full();
        }
        if (files.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        var file = new File();
        files.put(name, file);
        return new Writer() {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                synchronized (CrashStore.this) {
                    alive();
                    int at = file.bytes.length;
                    boolean refused = isRefused();
                    int taken = refused ? random.nextInt(length + 1) : length;
                    file.bytes = Arrays.copyOf(file.bytes, at + taken);
                    System.arraycopy(bytes, from, file.bytes, at, taken);
                    if (refused) {
                        throw full();
                    }
                }
            }

            @Override
            public void sync() throws IOException {
                synchronized (CrashStore.this) {
                    boolean stops = operation();
                    if (isRefused()) {
                        throw full();
                    }
                    file.synced = file.bytes.length;
                    file.named = true;
                    if (stops) {
                        throw new Crash();
                    }
                }
            }

            @Override
            public long size() {
                return file.bytes.length;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public synchronized Reader open(String name) throws IOException {
        alive();
        File file = files.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return new Reader() {
            @Override
            public byte[] read(long position, int length) throws IOException {
                if (position + length > file.bytes.length) {
                    throw new EOFException(name);
                }
                return Arrays.copyOfRange(file.bytes, (int) position, (int) position + length);
            }

            @Override
            public long size() {
                return file.bytes.length;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        boolean stops = operation();
        boolean refused = isRefused();
        if (refused && random.nextBoolean()) {
            throw full();
        }
        File file = files.remove(from);
        if (file == null) {
            throw new NoSuchFileException(from);
        }
        files.put(to, file);
        if (refused) {
            throw full();
        }
        if (stops) {
            throw new Crash();
        }
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        alive();
        files.remove(name);
    }

    @Override
    public synchronized List<String> list() throws IOException {
        alive();
        return List.copyOf(files.keySet());
    }

    @Override
    public synchronized long free() {
        return free;
    }

    @Override
    public void close() {}
}

package io.leeway.autotune.services;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** What makes a service a bottleneck: one kind at a time, until another or {@code none} is asked for. */
final class Fault {

    /** The kinds. */
    enum Kind {
        /** Nothing. */
        NONE,
        /** So many thousand more steps of the CPU a request. */
        CPU,
        /** So many megabytes more are allocated and written in a request. */
        MEMORY,
        /** So many kilobytes are written and forced to disk in a request. */
        DISK,
        /** An answer takes so many milliseconds longer on its way. */
        NETWORK,
        /** A lock that every request needs is held for so many milliseconds. */
        LOCK,
        /** So many connections of the pool are gone. */
        POOL,
        /** The service has only so many threads. */
        MISCONFIGURATION
    }

    private final Semaphore connections;
    private final ThreadPoolExecutor executor;
    private final int threads;
    private final ReentrantLock lock = new ReentrantLock();
    private int taken;
    private volatile Kind kind = Kind.NONE;
    private volatile int amount;

    Fault(Semaphore connections, ThreadPoolExecutor executor) {
        this.connections = connections;
        this.executor = executor;
        this.threads = executor.getMaximumPoolSize();
    }

    /** {@code ?kind=cpu&amount=50}. */
    void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            try {
                set(
                        Kind.valueOf(value(query, "kind", "none").toUpperCase(Locale.ROOT)),
                        Integer.parseInt(value(query, "amount", "1")));
                exchange.sendResponseHeaders(200, -1);
            } catch (IllegalArgumentException e) {
                exchange.sendResponseHeaders(400, -1);
            }
        }
    }

    private static String value(String query, String name, String otherwise) {
        for (String pair : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return pair.substring(name.length() + 1);
            }
        }
        return otherwise;
    }

    private synchronized void set(Kind newKind, int newAmount) {
        connections.release(taken);
        taken = 0;
        resize(executor, threads);
        kind = newKind;
        amount = newAmount;
        if (newKind == Kind.POOL) {
            int wanted = Math.max(0, Math.min(newAmount, connections.availablePermits() - 1));
            taken = connections.tryAcquire(wanted) ? wanted : 0;
        } else if (newKind == Kind.MISCONFIGURATION) {
            resize(executor, Math.max(1, newAmount));
        }
    }

    /** Growing sets the maximum first, shrinking the core first: the other order is refused. */
    static void resize(ThreadPoolExecutor executor, int size) {
        if (size > executor.getMaximumPoolSize()) {
            executor.setMaximumPoolSize(size);
            executor.setCorePoolSize(size);
        } else {
            executor.setCorePoolSize(size);
            executor.setMaximumPoolSize(size);
        }
    }

    /** What a request has to go through. */
    void beforeWork() throws IOException, InterruptedException {
        switch (kind) {
            case CPU -> MeshService.spin(amount);
            case MEMORY -> allocate();
            case DISK -> write();
            case NETWORK -> TimeUnit.MILLISECONDS.sleep(amount);
            case LOCK -> {
                lock.lockInterruptibly();
                try {
                    TimeUnit.MILLISECONDS.sleep(amount);
                } finally {
                    lock.unlock();
                }
            }
            case NONE, POOL, MISCONFIGURATION -> {}
        }
    }

    private void allocate() {
        for (int i = 0; i < amount; i++) {
            byte[] megabyte = new byte[1 << 20];
            for (int k = 0; k < megabyte.length; k += 4_096) {
                megabyte[k] = (byte) (k + i);
            }
        }
    }

    private void write() throws IOException {
        Path file = Files.createTempFile("autotune-fault-", ".bin");
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(amount * 1_024));
            channel.force(true);
        } finally {
            Files.delete(file);
        }
    }
}

package io.leeway.eppi.internal.net;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.mpc.Link;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection between coordinators for the secure computation. Messages are sent by a thread of their own, so that two
 * sides that send much at once do not wait for each other; a few messages may be on the way, then the sender waits.
 */
public final class ComputeLink implements Link, AutoCloseable {

    private static final int ON_THE_WAY = 64;
    private static final byte[] END = new byte[0];

    private final Connection connection;
    private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(ON_THE_WAY);
    private final long limitMillis;
    private volatile @Nullable EppiException failure;

    /** Over a connection. */
    public ComputeLink(Connection connection, java.time.Duration limit) {
        this.connection = connection;
        this.limitMillis = limit.toMillis();
        connection.limitWaits(limit);
        Thread thread = new Thread(this::run, "eppi-compute-" + connection.peer());
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            for (byte[] message = queue.take(); message != END; message = queue.take()) {
                connection.send(Kind.COMPUTE, message);
            }
        } catch (EppiException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void send(byte[] message) {
        EppiException before = failure;
        if (before != null) {
            throw before;
        }
        try {
            if (!queue.offer(message, limitMillis, TimeUnit.MILLISECONDS)) {
                throw EppiException.of(Code.TIMEOUT, connection.peer() + " takes nothing of what is sent to it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    @Override
    public byte[] receive() {
        Frame frame = connection.receive();
        if (frame.kind() != Kind.COMPUTE) {
            throw EppiException.of(Code.MALFORMED, connection.peer() + " sent " + frame.kind() + " while computing");
        }
        return frame.payload();
    }

    /** The connection. */
    public Connection connection() {
        return connection;
    }

    @Override
    public void close() {
        queue.clear();
        queue.add(END);
        connection.close();
    }
}

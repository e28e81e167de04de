package io.leeway.lazytables;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a server over real sockets with small buffers, that takes no more than a test allows, and breaks when the test wants it. */
final class SlowPipe implements AutoCloseable {

    private static final int BUFFER = 64 << 10;
    private static final int PIECE = 16 << 10;

    final Direction toServer = new Direction();
    final Direction toClient = new Direction();

    private final HostAndPort server;
    private final ServerSocket listening = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();

    SlowPipe(HostAndPort server) throws IOException {
        this.server = server;
        listening.setReceiveBufferSize(BUFFER);
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** How many connections there were so far. */
    int connections() {
        return connections.get();
    }

    /** Breaks what is connected; what was under way is lost. */
    void cut() throws IOException {
        for (Socket socket : List.copyOf(open)) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException e) {
                // Closed already.
            }
            socket.close();
            // One by one: what was added meanwhile stays, to be cut the next time.
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            connections.incrementAndGet();
            var behind = new Socket();
            behind.setReceiveBufferSize(BUFFER);
            behind.connect(new InetSocketAddress(server.host(), server.port()));
            open.add(client);
            open.add(behind);
            start(() -> toServer.copy(client, behind));
            start(() -> toClient.copy(behind, client));
        }
    }

    private static void start(Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // A side is gone: so is the other.
                    }
                },
                "slow-pipe");
        thread.setDaemon(true);
        thread.start();
    }

    private interface Work {

        void run() throws IOException, InterruptedException;
    }

    /** What goes one way. */
    static final class Direction {

        private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

        private long allowed = Long.MAX_VALUE;
        private long passed;

        /** Nothing more goes this way, but for a piece that somebody waits for already. */
        synchronized void hold() {
            allowed = 0;
        }

        /** All goes this way. */
        synchronized void release() {
            allowed = Long.MAX_VALUE;
            notifyAll();
        }

        /** Lets so many bytes more pass, and waits until they have, but for a piece. */
        synchronized void pass(long bytes) throws InterruptedException {
            long before = passed;
            allowed += bytes;
            notifyAll();
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (passed < before + bytes - PIECE) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("only " + (passed - before) + " of " + bytes + " bytes came");
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }

        private void copy(Socket from, Socket to) throws IOException, InterruptedException {
            byte[] piece = new byte[PIECE];
            try (from;
                    to) {
                int count = from.getInputStream().read(piece, 0, room());
                while (count >= 0) {
                    took(count);
                    to.getOutputStream().write(piece, 0, count);
                    count = from.getInputStream().read(piece, 0, room());
                }
            }
        }

        private synchronized int room() throws InterruptedException {
            while (allowed <= 0) {
                wait();
            }
            return (int) Math.min(PIECE, allowed);
        }

        private synchronized void took(int count) {
            passed += count;
            allowed -= allowed == Long.MAX_VALUE ? 0 : count;
            notifyAll();
        }
    }
}

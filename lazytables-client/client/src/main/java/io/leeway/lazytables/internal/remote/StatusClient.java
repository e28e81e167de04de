package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.server.ServerStatus;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server how it is, without being one of its client processes: it says no number, so it takes nobody's place and
 * holds up no clock. Thread-safe.
 */
public final class StatusClient implements AutoCloseable {

    private final RemoteServers servers;
    private final Questions questions = new Questions();

    private StatusClient(RemoteServers servers) {
        this.servers = servers;
    }

    /**
     * Connects to the one server that the configuration names.
     *
     * @throws LazyTablesException if it cannot be reached within the limit, or does not let this process in
     */
    public static StatusClient connect(LazyTablesConfig config, Duration limit) {
        var client = new StatusClient(new RemoteServers(config, limit));
        try {
            FrameSender sender = client.servers.connect(client.questions, limit);
            // On the thread that uses it.
            client.servers.thread().execute(() -> client.questions.sender = sender);
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * What the server knows now.
     *
     * @throws LazyTablesException if it is not connected, or does not answer within the limit
     */
    public ServerStatus ask(Duration limit) {
        var answer = new CompletableFuture<ServerStatus>();
        servers.thread().execute(() -> questions.ask(answer));
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LazyTablesException own
                    ? LazyTablesException.of(own.code(), own.reason(), own)
                    : LazyTablesException.of(Code.FAILED, "The server could not be asked", e.getCause());
        } catch (TimeoutException e) {
            throw LazyTablesException.of(
                    Code.TIMEOUT, "The server has not answered within " + limit.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(Code.FAILED, "Interrupted while a server was asked how it is", e);
        }
    }

    @Override
    public void close() {
        servers.close();
    }

    /** What was asked and not answered; used on the network thread. */
    private static final class Questions implements FrameSink {

        private static final int SERVER = 0;

        /** In the order of the questions, which is that of the answers: none has a number. */
        private final ArrayDeque<CompletableFuture<ServerStatus>> waiting = new ArrayDeque<>();

        private final Outbox outbox = new Outbox();
        private final WireReader frame = new WireReader();
        private final WireReader message = new WireReader();
        private @Nullable FrameSender sender;
        private boolean open;

        void ask(CompletableFuture<ServerStatus> answer) {
            FrameSender connected = sender;
            if (!open || connected == null) {
                answer.completeExceptionally(LazyTablesException.of(Code.UNREACHABLE, "The server is not connected"));
                return;
            }
            waiting.add(answer);
            outbox.begin(Protocol.STATUS).putVar(Protocol.VERSION);
            outbox.end();
            outbox.sendTo(connected, SERVER);
        }

        @Override
        public void onOpen(int peer) {
            open = true;
        }

        @Override
        public void onClosed(int peer, @Nullable Throwable cause) {
            open = false;
            outbox.clear();
            fail(LazyTablesException.of(Code.ENDED, "The server ended the connection", cause));
        }

        @Override
        public void onFrame(int peer, byte[] buffer, int offset, int length) {
            try {
                frame.open(buffer, offset, length);
                while (frame.more()) {
                    int kind = frame.getByte();
                    frame.slice(frame.getInt(), message);
                    onMessage(kind);
                }
            } catch (WireException e) {
                fail(LazyTablesException.of(Code.PROTOCOL, "The server sent what cannot be read: " + e.reason(), e));
            }
        }

        private void onMessage(int kind) {
            switch (kind) {
                case Protocol.IS -> {
                    message.getInt("The version", Protocol.VERSION, Protocol.VERSION);
                    ServerStatus status = ServerStatus.read(message);
                    CompletableFuture<ServerStatus> first = waiting.poll();
                    if (first != null) {
                        first.complete(status);
                    }
                }
                case Protocol.REFUSED -> {
                    message.getVar();
                    fail(LazyTablesException.of(
                            Code.PROTOCOL,
                            "The server refuses to answer: " + message.getText("The reason", Protocol.MAX_TEXT)));
                }
                default -> throw new WireException("There is no message of kind " + kind);
            }
        }

        /** Whoever waits asks again, if he wants to; nothing is asked twice by itself. */
        private void fail(LazyTablesException why) {
            waiting.forEach(answer -> answer.completeExceptionally(why));
            waiting.clear();
        }
    }
}

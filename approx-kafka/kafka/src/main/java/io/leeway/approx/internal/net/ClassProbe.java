package io.leeway.approx.internal.net;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.atp.Ack;
import io.leeway.approx.internal.wire.Datagrams;
import io.leeway.approx.internal.wire.Frame;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the gateway for echoes in one priority class at a steady rate, in a session of its own, and counts what comes back.
 * Two of them at once, at a rate that is too high for the way, show whether loss differs by class.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is told to the listener, or shows as loss
public final class ClassProbe {

    /**
     * What one class had.
     *
     * @param queue the priority queue
     * @param sent datagrams sent
     * @param echoed of which an echo came back
     */
    public record Result(int queue, long sent, long echoed) {
        /** The part that did not come back. */
        public double loss() {
            return sent == 0 ? 0 : 1 - (double) echoed / sent;
        }
    }

    private static final long CONNECT_MILLIS = 10_000;
    /** For echoes that are still on their way, also behind full queues. */
    private static final long LATE_MILLIS = 1_500;

    private final ApproxOptions options;
    private final int queue;
    private final double rate;
    private final MultiThreadIoEventLoopGroup group = Transport.group(1, "approx-probe");
    private final CompletableFuture<Datagram> ready = new CompletableFuture<>();
    private long begun;
    private boolean ended;
    private long sent;
    private long echoed;

    private ClassProbe(ApproxOptions options, int queue, double bytesPerSecond) {
        this.options = options;
        this.queue = queue;
        rate = bytesPerSecond / options.number(ApproxOption.DATAGRAM) / 1e9;
        ControlConnection control = new ControlConnection(options, group, new Listener());
        group.execute(control::connect);
    }

    /**
     * Probes classes at the same time, each at the same rate.
     *
     * @throws ApproxException if there is no gateway, or it refuses
     */
    public static List<Result> run(ApproxOptions options, List<Integer> queues, double bytesPerSecond, Duration time)
            throws InterruptedException {
        List<ClassProbe> probes = queues.stream()
                .map(queue -> new ClassProbe(options, queue, bytesPerSecond))
                .toList();
        try {
            for (ClassProbe probe : probes) {
                probe.awaitReady();
            }
            probes.forEach(ClassProbe::begin);
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            List<Result> results = new ArrayList<>();
            for (ClassProbe probe : probes) {
                results.add(probe.result());
            }
            return results;
        } finally {
            probes.forEach(probe -> probe.group.shutdownGracefully(0, 2, TimeUnit.SECONDS));
        }
    }

    private void awaitReady() throws InterruptedException {
        try {
            ready.get(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApproxException known) {
                throw known;
            }
            throw new ApproxException(ApproxError.GATEWAY_AWAY, e + ".");
        } catch (TimeoutException e) {
            throw new ApproxException(
                    ApproxError.GATEWAY_AWAY, "The gateway does not answer for " + CONNECT_MILLIS + " ms.");
        }
    }

    private void begin() {
        begun = System.nanoTime();
        group.scheduleAtFixedRate(this::sendDue, 0, 1, TimeUnit.MILLISECONDS);
    }

    private void sendDue() {
        Datagram datagram = ready.getNow(null);
        long due = (long) ((System.nanoTime() - begun) * rate);
        while (datagram != null && !ended && sent < due) {
            datagram.probe(queue);
            sent++;
        }
    }

    private Result result() throws InterruptedException {
        long end = group.submit(() -> {
                    ended = true;
                    return sent;
                })
                .awaitUninterruptibly()
                .getNow();
        TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
        return group.submit(() -> new Result(queue, end, echoed))
                .awaitUninterruptibly()
                .getNow();
    }

    /** What the gateway says. */
    private final class Listener implements ControlConnection.Listener, Datagram.Listener {
        @Override
        public Frame.Hello hello() {
            byte[] token = options.text(ApproxOption.TOKEN).getBytes(StandardCharsets.UTF_8);
            return new Frame.Hello(Datagrams.VERSION, Datagrams.VERSION, token, 0, "probe of class " + queue);
        }

        @Override
        public void connected(Channel channel, Frame.Welcome welcome) {
            InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
            ready.complete(new Datagram(
                    group,
                    new InetSocketAddress(peer.getAddress(), welcome.port()),
                    welcome,
                    (int) options.number(ApproxOption.DATAGRAM),
                    this));
        }

        @Override
        public void frame(Frame frame) {
            // Nothing is sent that would be answered.
        }

        @Override
        public void nobodyThere() {
            // Told below.
        }

        @Override
        public void disconnected(String why, boolean refused) {
            ready.completeExceptionally(
                    new ApproxException(ApproxError.GATEWAY_AWAY, "The gateway does not answer: " + why + "."));
        }

        @Override
        public void acknowledged(Ack ack) {
            // As above.
        }

        @Override
        public void echoed() {
            echoed++;
        }
    }
}

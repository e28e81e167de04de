package io.leeway.benchmarks.approx;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Exact traffic as in a data centre: flows that come when they come (Poisson), however many are still on their way, with
 * sizes of a published distribution (Hadoop's at a social network, cut at 1 MB), each on a connection that none of the
 * others has at that time. So what is slow piles up, and a job that takes its place only postpones it. Each line is when a
 * flow was due, how long after that it was through, in microseconds, and its bytes.
 */
public final class Open {

    private static final int LONGEST = 1_000_000;
    /** Shares of flows and the sizes that they do not exceed; in between by the logarithm. */
    private static final double[] SHARES = {0, 0.10, 0.50, 0.75, 0.90, 0.95, 0.98};

    private static final double[] SIZES = {50, 315, 662, 42_500, 120_000, 273_000, LONGEST};

    private record Connection(Socket socket, DataOutputStream out) {}

    private final String host;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private Open(String host) {
        this.host = host;
    }

    /** Arguments: the host, the load in bits a second, a seed. Runs until it is stopped. */
    public static void main(String[] arguments) {
        Random random = new Random(Long.parseLong(arguments[2]));
        double perNano = Double.parseDouble(arguments[1]) / 8 / mean() / 1e9;
        Open open = new Open(arguments[0]);
        long due = System.nanoTime();
        while (true) {
            due += (long) (-Math.log(1 - random.nextDouble()) / perNano);
            int size = size(random.nextDouble());
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            long at = due;
            open.threads.execute(() -> open.flow(at, size));
        }
    }

    static int size(double share) {
        for (int i = 1; i < SHARES.length; i++) {
            if (share < SHARES[i]) {
                double part = (share - SHARES[i - 1]) / (SHARES[i] - SHARES[i - 1]);
                return (int) Math.exp(Math.log(SIZES[i - 1]) + part * Math.log(SIZES[i] / SIZES[i - 1]));
            }
        }
        return LONGEST;
    }

    static double mean() {
        double sum = 0;
        int steps = 100_000;
        for (int i = 0; i < steps; i++) {
            sum += size((i + 0.5) / steps);
        }
        return sum / steps;
    }

    private void flow(long due, int size) {
        try {
            Connection connection = take();
            byte[] block = new byte[4 + size];
            java.nio.ByteBuffer.wrap(block).putInt(size);
            connection.out.write(block);
            if (connection.socket.getInputStream().read() >= 0) {
                idle.push(connection);
                System.out.println(due / 1_000 + " " + (System.nanoTime() - due) / 1_000 + " " + size);
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    private Connection take() throws IOException {
        @Nullable Connection connection = idle.poll();
        if (connection != null) {
            return connection;
        }
        Socket socket = new Socket(host, Sink.PORT);
        socket.setTcpNoDelay(true);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeUTF("exact");
        return new Connection(socket, out);
    }
}

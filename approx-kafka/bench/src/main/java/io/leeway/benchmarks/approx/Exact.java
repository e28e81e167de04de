package io.leeway.benchmarks.approx;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/**
 * Exact traffic: bursts that are due at fixed times, whatever became of those before. Each line is when one was due, and how
 * long after that it was through, in microseconds.
 */
public final class Exact {

    static final int BURST = 125_000;
    static final long PERIOD_NANOS = 60_000_000;

    private Exact() {}

    /** Argument: the host. Runs until it is stopped. */
    public static void main(String[] arguments) throws IOException {
        try (Socket socket = new Socket(arguments[0], Sink.PORT)) {
            socket.setTcpNoDelay(true);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeUTF("exact");
            byte[] block = new byte[4 + BURST];
            java.nio.ByteBuffer.wrap(block).putInt(BURST);
            long due = System.nanoTime();
            while (true) {
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                out.write(block);
                if (socket.getInputStream().read() < 0) {
                    return;
                }
                System.out.println(due / 1_000 + " " + (System.nanoTime() - due) / 1_000);
                due += PERIOD_NANOS;
            }
        }
    }
}

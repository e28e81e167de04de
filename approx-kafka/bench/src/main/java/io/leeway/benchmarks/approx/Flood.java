package io.leeway.benchmarks.approx;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.concurrent.locks.LockSupport;

/** Background traffic in queues of approximate traffic, at a constant rate, which nobody waits for. */
public final class Flood {

    private static final int DATAGRAM = 1_400;
    private static final int DISCARD = 9;

    private Flood() {}

    /** Arguments: the host, bits a second, and pairs of a queue and how many milliseconds it is flooded. */
    public static void main(String[] arguments) throws IOException {
        InetAddress to = InetAddress.getByName(arguments[0]);
        double pace = 8e9 * DATAGRAM / Double.parseDouble(arguments[1]);
        byte[] bytes = new byte[DATAGRAM];
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 2; i < arguments.length; i += 2) {
                int queue = Integer.parseInt(arguments[i]);
                // As approximate traffic itself: DSCP 8(8-i)+2.
                socket.setTrafficClass((8 * (8 - queue) + 2) << 2);
                long begin = System.nanoTime();
                long end = begin + Long.parseLong(arguments[i + 1]) * 1_000_000;
                System.out.println("queue " + queue);
                for (long sent = 0; System.nanoTime() < end; sent++) {
                    long due = begin + (long) (sent * pace);
                    while (System.nanoTime() < due) {
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    socket.send(new DatagramPacket(bytes, DATAGRAM, to, DISCARD));
                }
            }
        }
    }
}

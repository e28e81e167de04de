package io.leeway.approx;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Random;

/** Datagrams of bytes by chance to a gateway, some thousands a second, until it is stopped. */
public final class ForgedFlood {

    private ForgedFlood() {}

    /** Argument: the host. */
    public static void main(String[] arguments) throws Exception {
        Random random = new Random(5);
        InetAddress host = InetAddress.getByName(arguments[0]);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (long sent = 0; ; sent++) {
                byte[] bytes = new byte[1 + random.nextInt(1_200)];
                random.nextBytes(bytes);
                // Half of them look like data of this version.
                bytes[0] = (sent & 1) == 0 ? bytes[0] : 0x21;
                socket.send(new DatagramPacket(bytes, bytes.length, host, FarEnd.PORT));
                if (sent == 1_000) {
                    System.out.println("flooding");
                }
                if (sent % 4 == 0) {
                    Thread.sleep(1);
                }
            }
        }
    }
}

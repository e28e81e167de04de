package io.leeway.benchmarks.approx;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.WindowReport;
import io.leeway.approx.internal.gateway.GatewayServer;
import io.leeway.approx.internal.wire.RecordData;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The far end: a gateway that writes nowhere, and what takes samples over TCP and over plain UDP. Each job becomes a line,
 * {@code sample}, who sent it, trips, mean distance, the zones with the most trips.
 */
public final class Sink {

    static final int PORT = 7_000;
    static final int GATEWAY = 9_096;
    static final String TOKEN = "a token of enough length";

    private static final Map<String, Udp> UDP = new ConcurrentHashMap<>();

    private Sink() {}

    /** Argument: where the keys are. Runs until it is stopped. */
    public static void main(String[] arguments) throws IOException {
        ApproxOptions options = ApproxOptions.of(Map.of(
                "approx.gateway.listen",
                "0.0.0.0:" + GATEWAY,
                "approx.keystore",
                arguments[0] + "/keys.p12",
                "approx.keystore.password",
                "changeit",
                "approx.token",
                TOKEN));
        GatewayServer gateway = new GatewayServer(options, new Windows());
        daemon(Sink::udp);
        try (ServerSocket server = new ServerSocket(PORT)) {
            System.out.println("ready " + gateway.port());
            while (true) {
                Socket socket = server.accept();
                daemon(() -> serve(socket));
            }
        }
    }

    static void daemon(Runnable action) {
        Thread thread = new Thread(action);
        thread.setDaemon(true);
        thread.start();
    }

    /** What comes through the gateway; each sender has a topic of its own. */
    private static final class Windows implements io.leeway.approx.internal.gateway.Sink {
        private final Map<String, Trips.Summary> open = new HashMap<>();

        @Override
        public void write(RecordData record, Done done) {
            byte[] value = record.value();
            if (value != null) {
                open.computeIfAbsent(record.topic(), topic -> new Trips.Summary())
                        .add(value);
            }
            done.accept(null);
        }

        @Override
        public void report(WindowReport report) {
            System.out.println("sample " + report.topic() + " " + open.remove(report.topic()));
        }
    }

    private static void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16))) {
            switch (in.readUTF()) {
                case "exact" -> exact(socket, in);
                case "udp" -> announced(socket, in);
                default -> sample(socket, in);
            }
        } catch (IOException e) {
            // The other side is done.
        }
    }

    /** Blocks of bytes; each is answered with one. */
    private static void exact(Socket socket, DataInputStream in) throws IOException {
        while (true) {
            in.skipNBytes(in.readInt());
            socket.getOutputStream().write(1);
        }
    }

    /** Records until there are enough, which is answered at once. */
    private static void sample(Socket socket, DataInputStream in) throws IOException {
        String name = in.readUTF();
        int need = in.readInt();
        Trips.Summary summary = new Trips.Summary();
        while (summary.trips() < need) {
            summary.add(record(in));
        }
        socket.getOutputStream().write(1);
        System.out.println("sample " + name + " " + summary);
        in.transferTo(java.io.OutputStream.nullOutputStream());
    }

    private static byte[] record(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readUnsignedShort()];
        in.readFully(bytes);
        byte[] value = RecordData.decode(ByteBuffer.wrap(bytes)).value();
        return value == null ? new byte[0] : value;
    }

    /** One sender's datagrams. */
    private static final class Udp {
        final Trips.Summary summary = new Trips.Summary();
        final Socket socket;
        final int need;

        Udp(Socket socket, int need) {
            this.socket = socket;
            this.need = need;
        }
    }

    private static void announced(Socket socket, DataInputStream in) throws IOException {
        String name = in.readUTF();
        Udp udp = new Udp(socket, in.readInt());
        UDP.put(name, udp);
        socket.getOutputStream().write(2);
        // The sender closes the connection when it gives up.
        in.transferTo(java.io.OutputStream.nullOutputStream());
        UDP.remove(name);
        synchronized (udp) {
            System.out.println("sample " + name + " " + udp.summary);
        }
    }

    private static void udp() {
        byte[] buffer = new byte[2_000];
        try (DatagramSocket socket = new DatagramSocket(PORT)) {
            socket.setReceiveBufferSize(4 << 20);
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                ByteBuffer in = ByteBuffer.wrap(buffer, 0, packet.getLength());
                byte[] name = new byte[in.get()];
                in.get(name);
                Udp udp = UDP.get(new String(name, java.nio.charset.StandardCharsets.US_ASCII));
                if (udp != null) {
                    take(udp, in);
                }
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    private static void take(Udp udp, ByteBuffer in) throws IOException {
        synchronized (udp) {
            while (in.hasRemaining()) {
                ByteBuffer record = in.slice(in.position() + 2, in.getShort(in.position()));
                in.position(in.position() + 2 + record.remaining());
                byte[] value = RecordData.decode(record).value();
                if (value != null) {
                    udp.summary.add(value);
                }
                if (udp.summary.trips() == udp.need) {
                    udp.socket.getOutputStream().write(1);
                }
            }
        }
    }
}

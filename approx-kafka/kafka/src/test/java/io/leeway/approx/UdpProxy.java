package io.leeway.approx;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What stands between a shim and a gateway in tests, on one port for TCP and UDP: passes, loses, doubles, damages or
 * withholds. The gateway tells its own port, so the proxy listens on the same port of another loopback address.
 */
final class UdpProxy implements Closeable {

    static final String HOST = "127.0.0.2";

    volatile double loss;
    volatile double doubled;
    volatile double damaged;
    /** These are overtaken by the next one. */
    volatile double late;

    volatile boolean blocked;

    private final int port;
    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<SocketAddress, DatagramSocket> back = new ConcurrentHashMap<>();
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final Map<DatagramSocket, DatagramPacket> held = new HashMap<>();
    private final Random random = new Random(1);

    UdpProxy(int port) throws IOException {
        this.port = port;
        InetAddress host = InetAddress.getByName(HOST);
        udp = new DatagramSocket(port, host);
        tcp = new ServerSocket(port, 50, host);
        start(this::datagrams);
        start(this::connections);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void datagrams() {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[9_000], 9_000);
                udp.receive(packet);
                DatagramSocket to = back.get(packet.getSocketAddress());
                if (to == null) {
                    to = new DatagramSocket();
                    to.connect(InetAddress.getLoopbackAddress(), port);
                    back.put(packet.getSocketAddress(), to);
                    open.add(to);
                    DatagramSocket from = to;
                    SocketAddress client = packet.getSocketAddress();
                    start(() -> answers(from, client));
                }
                pass(packet, to, null);
            }
        } catch (IOException e) {
            // Closed: the end.
        }
    }

    private void answers(DatagramSocket from, SocketAddress client) {
        while (!from.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(new byte[9_000], 9_000);
                from.receive(packet);
                pass(packet, udp, client);
            } catch (SocketException e) {
                // The gateway is away for the moment, or the proxy was closed.
            } catch (IOException e) {
                return;
            }
        }
    }

    private synchronized void pass(DatagramPacket packet, DatagramSocket by, SocketAddress to) throws IOException {
        if (blocked || random.nextDouble() < loss) {
            return;
        }
        byte[] data = packet.getData();
        if (random.nextDouble() < damaged) {
            data[random.nextInt(packet.getLength())] ^= (byte) (1 + random.nextInt(255));
        }
        DatagramPacket overtaken = held.remove(by);
        DatagramPacket out = new DatagramPacket(data, packet.getLength());
        if (to != null) {
            out.setSocketAddress(to);
        }
        if (overtaken == null && random.nextDouble() < late) {
            held.put(by, out);
            return;
        }
        for (int copies = random.nextDouble() < doubled ? 2 : 1; copies > 0; copies--) {
            send(out, by);
        }
        if (overtaken != null) {
            send(overtaken, by);
        }
    }

    private static void send(DatagramPacket packet, DatagramSocket by) throws IOException {
        try {
            by.send(packet);
        } catch (SocketException e) {
            // A closed port on the other side: lost.
        }
    }

    private void connections() {
        try {
            while (true) {
                Socket client = tcp.accept();
                try {
                    Socket gateway = new Socket(InetAddress.getLoopbackAddress(), port);
                    open.add(client);
                    open.add(gateway);
                    start(() -> copy(client, gateway));
                    start(() -> copy(gateway, client));
                } catch (IOException e) {
                    client.close();
                }
            }
        } catch (IOException e) {
            // Closed: the end.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Cut: both are closed.
        }
    }

    /** Cuts all TCP connections; new ones are taken. */
    void cut() throws IOException {
        for (Closeable each : open) {
            if (each instanceof Socket socket) {
                socket.close();
            }
        }
        open.removeIf(Socket.class::isInstance);
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
        for (Closeable each : open) {
            each.close();
        }
    }
}

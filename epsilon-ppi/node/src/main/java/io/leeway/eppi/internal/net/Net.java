package io.leeway.eppi.internal.net;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.NodeKey;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.node.EppiOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** How a node connects to others and lets itself be connected to. Thread-safe. */
public final class Net {

    /** Of the protocol; grows with every change that others notice. */
    static final int VERSION = 1;

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

    private final Member self;
    private final Roster roster;
    private final NodeKey key;
    private final SSLContext tls;
    private final Duration timeout;
    private final long frameLimit;
    private final int connections;
    private final Path addresses;
    private final Meters meters;
    private final int version;

    /** The network as a member sees it that has these settings. */
    public Net(Settings settings, Meters meters) {
        this(settings, meters, VERSION);
    }

    Net(Settings settings, Meters meters, int version) {
        this.version = version;
        roster = Roster.read(settings.path(EppiOptions.ROSTER));
        self = roster.named(settings.required(EppiOptions.NAME));
        key = NodeKey.read(settings.path(EppiOptions.KEY), settings.get(EppiOptions.KEY_PASSWORD));
        if (!key.certificate().equals(self.certificate())) {
            throw EppiException.of(
                    Code.CONFIGURATION, "the key of " + EppiOptions.KEY + " is not that of " + self + " in the roster");
        }
        tls = Tls.context(key, roster);
        timeout = settings.get(EppiOptions.TIMEOUT);
        frameLimit = settings.get(EppiOptions.FRAME_LIMIT);
        connections = settings.get(EppiOptions.CONNECTIONS);
        addresses = Path.of(settings.get(EppiOptions.ADDRESSES));
        this.meters = meters;
    }

    /** This node. */
    public Member self() {
        return self;
    }

    /** All members. */
    public Roster roster() {
        return roster;
    }

    /** Own key. */
    public NodeKey key() {
        return key;
    }

    /** The limit of waits. */
    public Duration timeout() {
        return timeout;
    }

    /** The node's metrics. */
    public Meters meters() {
        return meters;
    }

    /** Listens for other members. */
    public Listener listen(Listener.Handler handler) {
        Listener listener = new Listener(this, tls, handler, self.port(), connections);
        if (self.port() == 0) {
            announce(listener.port());
        }
        return listener;
    }

    /** Connects, and tries again until the limit if nobody listens yet. */
    public Connection dial(Member member) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return dialOnce(member);
            } catch (EppiException e) {
                if (e.code() != Code.UNREACHABLE || System.nanoTime() > deadline) {
                    throw e;
                }
                pause();
            }
        }
    }

    /** Connects, or fails at once. */
    public Connection dialOnce(Member member) {
        InetSocketAddress address = address(member);
        Socket plain = new Socket();
        try {
            plain.connect(address, Math.toIntExact(timeout.toMillis()));
        } catch (IOException e) {
            closeQuietly(plain);
            throw EppiException.of(
                    Code.UNREACHABLE,
                    member + " does not answer at " + address.getHostString() + ":" + address.getPort(),
                    e);
        }
        try {
            plain.setTcpNoDelay(true);
            SSLSocket socket =
                    (SSLSocket) tls.getSocketFactory().createSocket(plain, member.host(), member.port(), true);
            socket.setUseClientMode(true);
            Connection connection = shakeHands(socket, plain);
            if (!connection.peer().equals(member)) {
                connection.close();
                throw EppiException.of(Code.CERTIFICATE, connection.peer() + " answers at the address of " + member);
            }
            return connection;
        } catch (IOException e) {
            closeQuietly(plain);
            throw EppiException.of(Code.CERTIFICATE, "TLS with " + member + " failed: " + e.getMessage(), e);
        }
    }

    /**
     * TLS, and then version and roster of both sides; the same for who connects and who is connected to. All of it has to
     * be done within the limit, since anybody can begin it.
     */
    Connection shakeHands(SSLSocket socket, Socket plain) throws IOException {
        try (Watchdog.Guard guard = Watchdog.guard(timeout, () -> closeQuietly(plain))) {
            return shakeHandsUnlimited(socket, plain);
        }
    }

    private Connection shakeHandsUnlimited(SSLSocket socket, Socket plain) throws IOException {
        socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        socket.setEnabledProtocols(new String[] {Tls.PROTOCOL});
        socket.startHandshake();
        if (!(socket.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate)) {
            throw new SSLException("the other side has no certificate");
        }
        Member peer = roster.with(certificate).orElseThrow(() -> new SSLException("a certificate of no member"));
        Connection connection = new Connection(socket, plain, peer, frameLimit, timeout, meters);
        try {
            connection.send(
                    Kind.HELLO,
                    new Writing().number(version).bytes(roster.digest()).done());
            checkHello(connection, connection.expect(Kind.HELLO));
            return connection;
        } catch (EppiException e) {
            connection.refuse(e);
            connection.close();
            throw e;
        }
    }

    private void checkHello(Connection connection, Reading hello) {
        int theirs = hello.number();
        if (theirs != version) {
            throw EppiException.of(
                    Code.VERSION,
                    connection.peer() + " speaks version " + theirs + ", " + self + " version " + version);
        }
        if (!Arrays.equals(hello.bytes(), roster.digest())) {
            throw EppiException.of(Code.ROSTER, connection.peer() + " and " + self + " have different rosters");
        }
    }

    private InetSocketAddress address(Member member) {
        if (member.port() != 0) {
            return new InetSocketAddress(member.host(), member.port());
        }
        try {
            String port =
                    Files.readString(addresses.resolve(member.name() + ".port")).strip();
            return new InetSocketAddress(member.host(), Integer.parseInt(port));
        } catch (IOException | NumberFormatException e) {
            throw EppiException.of(Code.UNREACHABLE, member + " has not said yet where it listens", e);
        }
    }

    private void announce(int port) {
        try {
            Path file = addresses.resolve(self.name() + ".port");
            Path part = addresses.resolve(self.name() + ".part");
            Files.writeString(part, Integer.toString(port));
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw EppiException.of(Code.CONFIGURATION, EppiOptions.ADDRESSES + " cannot be written", e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_ATTEMPTS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // Nothing is left to close.
        }
    }
}

package io.leeway.eppi.internal.net;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.node.EppiMetrics;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Takes connections of other members, a thread each, up to a limit. */
public final class Listener implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Listener.class.getName());

    /** Serves a connection to its end. */
    public interface Handler {
        /** Serves; what is thrown is told to the other side. The connection is closed afterwards. */
        void serve(Connection connection);
    }

    private final Net net;
    private final SSLSocketFactory sockets;
    private final Handler handler;
    private final ServerSocket server;
    private final Semaphore free;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    Listener(Net net, SSLContext tls, Handler handler, int port, int connections) {
        this.net = net;
        this.handler = handler;
        this.sockets = tls.getSocketFactory();
        this.free = new Semaphore(connections);
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(net.self().host()), port), 256);
        } catch (IOException e) {
            throw EppiException.of(
                    Code.LISTEN, net.self().host() + ":" + port + " cannot be listened at: " + e.getMessage(), e);
        }
        start("eppi-accept-" + net.self(), this::accept);
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                free.acquire();
                Socket socket = server.accept();
                open.add(socket);
                start("eppi-serve-" + net.self(), () -> serve(socket));
            } catch (IOException e) {
                free.release();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void serve(Socket plain) {
        try (plain) {
            plain.setTcpNoDelay(true);
            SSLSocket socket = (SSLSocket) sockets.createSocket(plain, null, plain.getPort(), true);
            socket.setUseClientMode(false);
            socket.setNeedClientAuth(true);
            try (Connection connection = net.shakeHands(socket, plain)) {
                serve(connection);
            }
        } catch (IOException | EppiException e) {
            net.meters().add(EppiMetrics.REFUSED, 1);
            LOG.log(Level.DEBUG, "a connection was not taken: {0}", e.getMessage());
        } finally {
            open.remove(plain);
            free.release();
        }
    }

    private void serve(Connection connection) {
        try {
            handler.serve(connection);
        } catch (EppiException e) {
            LOG.log(Level.DEBUG, "{0}: {1}", connection.peer(), e.getMessage());
            connection.refuse(e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a fault while serving " + connection.peer(), e);
            connection.refuse(EppiException.of(Code.INTERNAL, "a fault at " + net.self()));
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException alreadyClosed) {
            // Nothing is left to close.
        }
        open.forEach(Net::closeQuietly);
    }
}

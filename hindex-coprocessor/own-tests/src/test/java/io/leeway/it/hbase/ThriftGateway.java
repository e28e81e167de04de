package io.leeway.it.hbase;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.thrift.Constants;
import org.apache.hadoop.hbase.thrift2.ThriftServer;
import org.apache.hadoop.hbase.thrift2.client.ThriftConnection;
import org.awaitility.Awaitility;

/** HBase's Thrift server (its second interface) in this JVM, on loopback, and HBase's own client of it. */
final class ThriftGateway implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Configuration settings;
    private final ThriftServer server;
    private final FutureTask<Integer> serving;
    private final int port;

    private ThriftGateway(Configuration settings, ThriftServer server, FutureTask<Integer> serving, int port) {
        this.settings = settings;
        this.server = server;
        this.serving = serving;
        this.port = port;
    }

    static ThriftGateway start(Configuration cluster) throws IOException {
        var settings = new Configuration(cluster);
        int port = freePort();
        var server = new ThriftServer(settings);
        var serving = new FutureTask<>(
                () -> server.run(new String[] {"-b", "127.0.0.1", "-p", Integer.toString(port), "--infoport", "-1"}));
        var thread = new Thread(serving, "thrift-server");
        thread.setDaemon(true);
        thread.start();
        var gateway = new ThriftGateway(settings, server, serving, port);
        Awaitility.await().atMost(PATIENCE).until(gateway::isListening);
        return gateway;
    }

    /** To be closed. */
    Connection connect() throws IOException {
        var client = new Configuration(settings);
        client.set("hbase.client.connection.impl", ThriftConnection.class.getName());
        client.set(Constants.HBASE_THRIFT_SERVER_NAME, "127.0.0.1");
        client.setInt(Constants.HBASE_THRIFT_SERVER_PORT, port);
        return ConnectionFactory.createConnection(client);
    }

    @Override
    public void close() throws Exception {
        server.stop();
        serving.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private boolean isListening() {
        if (serving.isDone()) {
            throw new IllegalStateException("the Thrift server has ended");
        }
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

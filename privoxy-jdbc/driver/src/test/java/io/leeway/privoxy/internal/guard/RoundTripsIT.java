package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the contract costs in round trips, counted between driver and server: nothing, for what applications do all day. */
class RoundTripsIT extends Cases {

    /** What an application does with a connection. */
    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    @Test
    void readingAsksTheServerNothingMore() throws Exception {
        assertNoMore(connection -> {
            rows(connection, "SELECT id, name FROM users WHERE id = 1");
            rows(connection, "SELECT * FROM posts WHERE author_id = 1");
            rows(connection, "SELECT e.* FROM events e JOIN members m ON m.event_id = e.id WHERE m.user_id = 1");
            try (PreparedStatement query = connection.prepareStatement("SELECT * FROM users WHERE id = ?")) {
                for (int i = 0; i < 3; i++) {
                    query.setLong(1, 1);
                    try (ResultSet row = query.executeQuery()) {
                        row.next();
                    }
                }
            }
        });
    }

    @Test
    void transactionsAskTheServerNothingMore() throws Exception {
        for (int level : new int[] {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE
        }) {
            assertNoMore(connection -> {
                if (level != Connection.TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(level);
                }
                connection.setAutoCommit(false);
                rows(connection, "SELECT * FROM posts WHERE author_id = 1");
                run(connection, "UPDATE users SET name = 'Ada' WHERE id = 1");
                rows(connection, "SELECT id, name FROM users WHERE id = 1");
                connection.commit();
                rows(connection, "SELECT * FROM events WHERE id IN (SELECT event_id FROM members WHERE user_id = 1)");
                connection.rollback();
                connection.setAutoCommit(true);
            });
        }
    }

    @Test
    void writesAndBatchesAskTheServerNothingMore() throws Exception {
        assertNoMore(connection -> {
            run(connection, "INSERT INTO notes VALUES (77, 1, 'n')", "DELETE FROM notes WHERE id = 77");
            try (Statement batch = connection.createStatement()) {
                batch.addBatch("UPDATE notes SET text = 'a' WHERE id = 1");
                batch.addBatch("UPDATE notes SET text = 'b' WHERE id = 2");
                batch.executeBatch();
            }
        });
    }

    /** The third time, when texts are known and tables read, it takes as many round trips as without checks. */
    private void assertNoMore(Work work) throws Exception {
        on(On.POSTGRESQL);
        request(1);
        String direct = database.url().replace("jdbc:privoxy:", "jdbc:");
        URI server = URI.create(direct.substring("jdbc:".length()));
        try (CountingProxy proxy = new CountingProxy(server.getHost(), server.getPort())) {
            String url = direct.replace(
                    server.getHost() + ":" + server.getPort(),
                    InetAddress.getLoopbackAddress().getHostAddress() + ":" + proxy.port());
            long plain = count(proxy, url, new Properties(), work);
            var checked = new Properties();
            checked.setProperty("privoxyPolicy", database.policyFile().toString());
            assertThat(count(proxy, "jdbc:privoxy:" + url.substring("jdbc:".length()), checked, work))
                    .as("round trips with checks, %d without", plain)
                    .isEqualTo(plain)
                    .isPositive();
        }
    }

    private long count(CountingProxy proxy, String url, Properties properties, Work work) throws SQLException {
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        try (Connection connection = DriverManager.getConnection(url, properties)) {
            // The driver prepares on the server what it sees often; what it does then is not ours.
            for (int i = 0; i < 8; i++) {
                work.on(connection);
            }
            long before = proxy.roundTrips();
            work.on(connection);
            return proxy.roundTrips() - before;
        }
    }

    /** Passes on what is sent, and counts the messages after which a client of PostgreSQL waits for an answer. */
    private static final class CountingProxy implements AutoCloseable {

        private final ServerSocket listener;
        private final String host;
        private final int port;
        private final AtomicLong roundTrips = new AtomicLong();

        CountingProxy(String host, int port) throws IOException {
            this.host = host;
            this.port = port;
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            background(this::accept);
        }

        int port() {
            return listener.getLocalPort();
        }

        long roundTrips() {
            return roundTrips.get();
        }

        private void accept() throws IOException {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getByName(host), port);
                background(() -> {
                    try (client;
                            server) {
                        requests(client.getInputStream(), server.getOutputStream());
                    }
                });
                background(() -> server.getInputStream().transferTo(client.getOutputStream()));
            }
        }

        private void requests(InputStream client, OutputStream server) throws IOException {
            var in = new DataInputStream(client);
            var out = new DataOutputStream(server);
            boolean isFirst = true;
            while (true) {
                // The first message has no type.
                int type = isFirst ? 0 : in.readUnsignedByte();
                int length = in.readInt();
                byte[] content = in.readNBytes(length - Integer.BYTES);
                if (!isFirst) {
                    out.writeByte(type);
                }
                out.writeInt(length);
                out.write(content);
                isFirst = false;
                if (type == 'S' || type == 'Q') {
                    roundTrips.incrementAndGet();
                }
            }
        }

        /** Until the sockets are closed. */
        private static void background(Relay relay) {
            var thread = new Thread(() -> {
                try {
                    relay.run();
                } catch (IOException closed) {
                    // It ends then.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private interface Relay {
            void run() throws IOException;
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}

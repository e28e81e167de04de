package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A statement is decided on before it is sent; what happens to the schema before its answer is here is noticed. */
class WaitingStatementsIT extends Cases {

    private static final String AUTHORS = "SELECT p.id FROM posts p JOIN users u ON u.id = p.author ORDER BY p.id";

    private Connection keyed(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW p AS SELECT id FROM posts;
                CREATE VIEW u AS SELECT id FROM users;
                CREATE VIEW zz AS SELECT id FROM z;
                CREATE VIEW tt AS SELECT id, v FROM t;
                """, new String[] {
            "CREATE TABLE users (id INT PRIMARY KEY)",
            "CREATE TABLE posts (id INT PRIMARY KEY, author INT NOT NULL,"
                    + " CONSTRAINT fk FOREIGN KEY (author) REFERENCES users (id))",
            "CREATE TABLE z (id INT PRIMARY KEY)",
            "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
            "INSERT INTO users VALUES (1), (2), (3)",
            "INSERT INTO posts VALUES (10, 1), (20, 2), (30, 3)",
            "INSERT INTO t VALUES (1, 1)"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** Who commits need not be who has changed: the server has done so before its answer is here. */
    @Test
    void aPreparedChangeIsUnderWayUntilItsCommitIsAnswered() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        Connection changing = connect();
        changing.setAutoCommit(false);
        run(changing, "ALTER TABLE posts DROP CONSTRAINT fk", "PREPARE TRANSACTION 'waiting'");
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        URI server = URI.create(database.url().substring("jdbc:privoxy:".length()));
        try (HeldAnswers held = new HeldAnswers(server);
                Connection committing = held.connect(database)) {
            assertThat(rows(committing, "SELECT id FROM z")).isEmpty();
            held.hold();
            var committed = background(() -> run(committing, "COMMIT PREPARED 'waiting'"));
            try (Connection plain = database.plain()) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> CheckedDatabase.rows(plain, "SELECT gid FROM pg_prepared_xacts")
                                .isEmpty());
            }
            run(other, "DELETE FROM users WHERE id = 2");
            assertRefused(other, AUTHORS);
            held.release();
            committed.get(1, TimeUnit.MINUTES);
        }
    }

    private interface Work {
        void run() throws SQLException;
    }

    private static CompletableFuture<Void> background(Work work) {
        return CompletableFuture.runAsync(() -> {
            try {
                work.run();
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    /** Stands between a client and its server, and can keep the server's answers to itself. */
    private static final class HeldAnswers implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Semaphore passes = new Semaphore(1);
        private final URI server;

        HeldAnswers(URI server) throws IOException {
            this.server = server;
            daemon(this::accept);
        }

        Connection connect(CheckedDatabase database) throws SQLException {
            var properties = new Properties();
            properties.setProperty("user", database.user());
            properties.setProperty("password", database.password());
            properties.setProperty("privoxyPolicy", database.policyFile().toString());
            properties.setProperty("sslmode", "disable");
            properties.setProperty("gssEncMode", "disable");
            String place = InetAddress.getLoopbackAddress().getHostAddress() + ":" + listener.getLocalPort();
            return DriverManager.getConnection(
                    database.url().replace(server.getHost() + ":" + server.getPort(), place), properties);
        }

        void hold() throws InterruptedException {
            passes.acquire();
        }

        void release() {
            passes.release();
        }

        private void accept() throws IOException, InterruptedException {
            while (true) {
                Socket client = listener.accept();
                Socket to = new Socket(InetAddress.getByName(server.getHost()), server.getPort());
                daemon(() -> client.getInputStream().transferTo(to.getOutputStream()));
                daemon(() -> answers(to.getInputStream(), client.getOutputStream()));
            }
        }

        private void answers(InputStream from, OutputStream to) throws IOException, InterruptedException {
            byte[] some = new byte[8192];
            for (int n = from.read(some); n >= 0; n = from.read(some)) {
                passes.acquire();
                to.write(some, 0, n);
                passes.release();
            }
        }

        private interface Relay {
            void run() throws IOException, InterruptedException;
        }

        /** Until the sockets are closed. */
        private static void daemon(Relay relay) {
            var thread = new Thread(() -> {
                try {
                    relay.run();
                } catch (IOException | InterruptedException closed) {
                    // It ends then.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}

package io.leeway.lazybase.internal.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.LazyBaseServer;
import io.leeway.lazybase.spi.Store;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server needs of a store, and the server on it. */
abstract class HadoopStoreContract {

    @TempDir
    Path serverDirectory;

    /** A place of its own for each test. */
    abstract String location();

    final Store open() throws IOException {
        return HadoopStore.open(location(), new Configuration());
    }

    static void write(Store.Writer writer, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writer.write(bytes, 0, bytes.length);
        writer.sync();
    }

    static void put(Store store, String name, String text) throws IOException {
        try (Store.Writer writer = store.create(name)) {
            write(writer, text);
        }
    }

    static String read(Store store, String name) throws IOException {
        try (Store.Reader reader = store.open(name)) {
            return new String(reader.read(0, (int) reader.size()), StandardCharsets.UTF_8);
        }
    }

    @Test
    void filesAreWrittenOnceAndReadAnywhere() throws IOException {
        try (Store store = open()) {
            put(store, "a.lbx", "0123456789");
            assertThatThrownBy(() -> store.create("a.lbx")).isInstanceOf(FileAlreadyExistsException.class);
            try (Store.Reader reader = store.open("a.lbx")) {
                assertThat(reader.size()).isEqualTo(10);
                assertThat(reader.read(7, 3)).containsExactly('7', '8', '9');
                assertThat(reader.read(0, 2)).containsExactly('0', '1');
                assertThatThrownBy(() -> reader.read(8, 3)).isInstanceOf(EOFException.class);
            }
            assertThatThrownBy(() -> store.open("b.lbx")).isInstanceOf(NoSuchFileException.class);
            assertThat(store.list()).containsExactly("a.lbx");
            store.delete("a.lbx");
            store.delete("a.lbx");
            assertThat(store.list()).isEmpty();
            assertThat(store.free()).isPositive();
        }
    }

    @Test
    void aRenamedFileReplacesTheOneThatHadTheName() throws IOException {
        try (Store store = open()) {
            put(store, "current", "old");
            put(store, "current.tmp", "new");
            store.rename("current.tmp", "current");
            assertThat(read(store, "current")).isEqualTo("new");
            assertThat(store.list()).containsExactly("current");
        }
    }

    @Test
    void whatWasSyncedIsSeenByOthersBeforeTheFileIsClosed() throws IOException {
        try (Store store = open();
                Store other = open();
                Store.Writer writer = store.create("scu-1.raw")) {
            write(writer, "one");
            assertThat(read(other, "scu-1.raw")).isEqualTo("one");
            write(writer, " two");
            assertThat(read(other, "scu-1.raw")).isEqualTo("one two");
        }
    }

    @Test
    void aServerFindsWhatTheOneBeforeAcknowledged() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (LazyBaseServer server = start();
                    Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                    Statement statement = connection.createStatement()) {
                if (round == 0) {
                    statement.execute("CREATE TABLE t (id int8 PRIMARY KEY, said text)");
                    statement.execute("CREATE INDEX t_by_said ON t (said)");
                }
                assertThat(count(statement)).isEqualTo(round * 500L);
                for (int i = 0; i < 500; i++) {
                    statement.addBatch("INSERT INTO t VALUES (" + (round * 500 + i) + ", 'row " + i % 7 + "')");
                }
                statement.executeBatch();
                assertThat(count(statement)).isEqualTo(round * 500L + 500);
            }
        }
    }

    @Test
    void whoStartsLaterTakesTheStoreOver() throws Exception {
        try (LazyBaseServer first = start();
                Connection old = DriverManager.getConnection(first.jdbcUrl(), "me", "");
                Statement before = old.createStatement()) {
            before.execute("CREATE TABLE t (id int8 PRIMARY KEY, said text)");
            before.execute("INSERT INTO t VALUES (1, 'mine')");
            serverDirectory = serverDirectory.resolve("another");
            try (LazyBaseServer second = start();
                    Connection young = DriverManager.getConnection(second.jdbcUrl(), "me", "");
                    Statement after = young.createStatement()) {
                assertThat(count(after)).isEqualTo(1);
                assertThatThrownBy(() -> before.execute("INSERT INTO t VALUES (2, 'late')"))
                        .isInstanceOf(SQLException.class);
                after.execute("INSERT INTO t VALUES (3, 'in time')");
                assertThat(count(after)).isEqualTo(2);
            }
        }
    }

    private LazyBaseServer start() {
        return LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", serverDirectory.toString(),
                "lazybase.store", location(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.scu.age", "20ms",
                "lazybase.authority.interval", "50ms",
                "lazybase.store.reserve", "0B")));
    }

    private static long count(Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT count(*) FROM t WHERE said <> ''")) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}

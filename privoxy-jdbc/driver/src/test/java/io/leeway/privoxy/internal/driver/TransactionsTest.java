package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a request knows after writes, commits and rollbacks. */
class TransactionsTest {

    private CheckedH2 database;
    private Connection connection;
    private PrivoxyRequest request;

    @BeforeEach
    void begin() throws SQLException {
        database = new CheckedH2();
        connection = database.connect();
        request = Privoxy.begin(Map.of("MyUId", 1));
    }

    @AfterEach
    void end() throws SQLException {
        request.close();
        connection.close();
        database.close();
    }

    @Test
    void aWriteForgetsItsTableOnly() throws SQLException {
        read("people");
        read("posts");

        run("UPDATE posts SET text = 'x' WHERE id = 10");

        assertThat(known()).containsExactly("people");
    }

    @Test
    void factsSurviveACommit() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");

        connection.commit();
        connection.rollback();

        assertThat(known()).containsExactly("people");
    }

    @Test
    void aRollbackForgetsWhatWasReadAfterTheFirstWrite() throws SQLException {
        connection.setAutoCommit(false);
        read("people");
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("posts");

        connection.rollback();

        assertThat(known()).containsExactly("people");
    }

    @Test
    void aRollbackWithoutAWriteForgetsNothing() throws SQLException {
        connection.setAutoCommit(false);
        read("people");
        read("posts");

        connection.rollback();

        assertThat(known()).containsExactly("people", "posts");
    }

    @Test
    void aRollbackToASavepointForgetsWhatWasReadAfterIt() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");
        Savepoint savepoint = connection.setSavepoint();
        run("DELETE FROM posts WHERE id = 11");
        read("posts");

        connection.rollback(savepoint);

        assertThat(known()).containsExactly("people");
        connection.rollback();
        assertThat(known()).isEmpty();
    }

    @Test
    void aRollbackByTextForgetsTheSame() throws SQLException {
        connection.setAutoCommit(false);
        read("people");
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("posts");

        run(" ROLLBACK ; ");

        assertThat(known()).containsExactly("people");
    }

    @Test
    void aTransactionBegunByTextIsOneThoughAutoCommitIsOn() {
        var trace = new TransactionTrace(ChosenIsolation.none());
        trace.text("BEGIN");
        assertThat(trace.begunOtherwise()).isTrue();
        trace.text("SAVEPOINT a");
        assertThat(trace.begunOtherwise()).isTrue();
        trace.text("commit work;");
        assertThat(trace.begunOtherwise()).isFalse();
    }

    @Test
    void whatAnotherRequestReadsOfAnUncommittedWriteIsForgottenToo() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        try (PrivoxyRequest inner = Privoxy.begin(Map.of("MyUId", 2))) {
            assertThat(inner.isOpen()).isTrue();
            read("posts");
            Trace trace = database.guard.request().trace();
            assertThat(trace.entries()).hasSize(1);

            connection.rollback();

            assertThat(trace.entries()).isEmpty();
        }
    }

    @Test
    void aStatementThatFailsMayHaveTakenWritesBack() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");

        assertThatThrownBy(() -> run("INSERT INTO people (id) VALUES (1)")).isInstanceOf(SQLException.class);

        assertThat(known()).isEmpty();
    }

    @Test
    void aFailingStatementInAutoCommitForgetsNothing() throws SQLException {
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");

        assertThatThrownBy(() -> run("INSERT INTO nobodys VALUES (1)")).isInstanceOf(SQLException.class);

        assertThat(known()).containsExactly("people");
    }

    @Test
    void aConnectionClosedInATransactionIsARollback() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");
        Trace trace = database.guard.request().trace();

        connection.close();

        assertThat(trace.entries()).isEmpty();
    }

    @Test
    void switchingAutoCommitOnCommitsAndSwitchingItToWhatItIsDoesNot() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");
        connection.setAutoCommit(false);
        connection.rollback();
        assertThat(known()).isEmpty();

        run("UPDATE posts SET text = 'x' WHERE id = 10");
        read("people");
        connection.setAutoCommit(true);
        assertThat(known()).containsExactly("people");
    }

    @Test
    void aRefusalLeavesTheTransactionAsItIs() throws SQLException {
        connection.setAutoCommit(false);
        run("UPDATE posts SET text = 'mine' WHERE id = 10");

        assertThatThrownBy(() -> run("SELECT id AS forbidden FROM posts")).hasMessageContaining("PRIVOXY-1201");
        connection.commit();

        try (Connection plain = database.plain();
                Statement statement = plain.createStatement();
                ResultSet rows = statement.executeQuery("SELECT text FROM posts WHERE id = 10")) {
            rows.next();
            assertThat(rows.getString(1)).isEqualTo("mine");
        }
    }

    private void read(String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM " + table)) {
            while (rows.next()) {
                rows.getLong(1);
            }
        }
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> known() {
        return database.guard.request().trace().entries().stream()
                .map(TraceEntry::query)
                .map(query -> query.atoms().get(0).table())
                .toList();
    }
}

package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import javax.sql.StatementEvent;
import javax.sql.StatementEventListener;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PooledConnectionTest {

    private CheckedH2 database;
    private CheckedSource source;
    private JdbcDataSource real;

    @BeforeEach
    void create() throws SQLException {
        database = new CheckedH2();
        var options = new Properties();
        options.setProperty("privoxyPolicy", "policy.sql");
        source = new CheckedSource(new Targets(database.guard), options);
        real = new JdbcDataSource();
        real.setURL(database.realUrl());
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Test
    void handlesAreCheckedAndTheNextOneKnowsNothingOfTheLast() throws SQLException {
        PooledConnection pooled = source.check(real.getPooledConnection(), "");
        Connection first = pooled.getConnection();
        first.setClientInfo("privoxy.MyUId", "2");
        query(first, "SELECT id FROM people");
        assertThat(database.guard.request().hasContext()).isTrue();
        assertThatThrownBy(() -> query(first, "SELECT id AS forbidden FROM people"))
                .isInstanceOf(PolicyViolationException.class);
        first.close();

        try (Connection second = pooled.getConnection()) {
            query(second, "SELECT id FROM people");
            assertThat(database.guard.request().hasContext()).isFalse();
        }
        pooled.close();
    }

    @Test
    void aHandleThatIsTakenWhileAnotherIsOutEndsTheOthersRequest() throws SQLException {
        PooledConnection pooled = source.check(real.getPooledConnection(), "");
        Connection first = pooled.getConnection();
        first.setClientInfo("privoxy.MyUId", "2");
        query(first, "SELECT id FROM people");

        Connection second = pooled.getConnection();
        query(second, "SELECT id FROM people");

        assertThat(database.guard.request().hasContext()).isFalse();
        pooled.close();
    }

    @Test
    void listenersHearOfTheCheckedConnectionOnly() throws SQLException {
        var events = new ArrayList<Object>();
        PooledConnection pooled = source.check(real.getPooledConnection(), "");
        var listener = new ConnectionEventListener() {
            @Override
            public void connectionClosed(ConnectionEvent event) {
                events.add(event.getSource());
            }

            @Override
            public void connectionErrorOccurred(ConnectionEvent event) {
                events.add(event.getSQLException());
            }
        };
        pooled.addConnectionEventListener(listener);
        pooled.getConnection().close();
        assertThat(events).containsExactly(pooled);

        pooled.removeConnectionEventListener(listener);
        pooled.getConnection().close();
        assertThat(events).hasSize(1);
        pooled.close();
    }

    @Test
    void listenersOfStatementsNeverSeeARealOne() throws SQLException {
        var seen = new ArrayList<StatementEvent>();
        var fake = new FiringPooledConnection(real.getPooledConnection());
        PooledConnection pooled = source.check(fake, "");
        var listener = new StatementEventListener() {
            @Override
            public void statementClosed(StatementEvent event) {
                seen.add(event);
            }

            @Override
            public void statementErrorOccurred(StatementEvent event) {
                seen.add(event);
            }
        };
        pooled.addStatementEventListener(listener);
        Connection handle = pooled.getConnection();
        var prepared = (CheckedPreparedStatement<?>) handle.prepareStatement("SELECT id FROM people");
        fake.fire(prepared.delegate);
        fake.fire(database.plain().prepareStatement("SELECT 1"));

        assertThat(seen).hasSize(2).allSatisfy(event -> {
            assertThat(event.getStatement()).isSameAs(prepared);
            assertThat(event.getSource()).isSameAs(pooled);
        });
        pooled.removeStatementEventListener(listener);
        fake.fire(prepared.delegate);
        assertThat(seen).hasSize(2);
        pooled.close();
    }

    @Test
    void whatWasReadInABranchAfterAWriteIsForgottenWhenTheBranchEnds() throws Exception {
        XAConnection xa = source.check(real.getXAConnection(), "");
        XAResource resource = xa.getXAResource();
        Xid xid = new Branch();
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1));
                Connection handle = xa.getConnection()) {
            assertThat(request.isOpen()).isTrue();
            query(handle, "SELECT id FROM people");
            resource.start(xid, XAResource.TMNOFLAGS);
            try (Statement statement = handle.createStatement()) {
                statement.executeUpdate("UPDATE people SET name = 'x' WHERE id = 1");
            }
            query(handle, "SELECT id FROM posts");
            assertThat(database.guard.request().trace().entries()).hasSize(1);

            resource.end(xid, XAResource.TMSUCCESS);
            assertThat(database.guard.request().trace().entries()).isEmpty();
            resource.prepare(xid);
            resource.commit(xid, false);
            assertThat(resource.isSameRM(resource)).isTrue();
        }
        xa.close();
    }

    @Test
    void optionsThatAreNotOursAreMistakesHere() {
        var options = new Properties();
        options.setProperty("privoxyPolicy", "p");
        options.setProperty("user", "u");

        assertThatThrownBy(() -> new CheckedSource(new Targets(database.guard), options))
                .hasMessageContaining("unknown option user");
    }

    private static void query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                rows.getLong(1);
            }
        }
    }

    record Branch() implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {2};
        }
    }

    /** H2 tells nothing of statements; this one does. */
    private static final class FiringPooledConnection implements PooledConnection {

        private final PooledConnection real;
        private final List<StatementEventListener> listeners = new ArrayList<>();

        FiringPooledConnection(PooledConnection real) {
            this.real = real;
        }

        void fire(java.sql.PreparedStatement statement) {
            for (StatementEventListener listener : listeners) {
                listener.statementClosed(new StatementEvent(this, statement));
                listener.statementErrorOccurred(new StatementEvent(this, statement, new SQLException("broken")));
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            return real.getConnection();
        }

        @Override
        public void close() throws SQLException {
            real.close();
        }

        @Override
        public void addConnectionEventListener(ConnectionEventListener listener) {
            real.addConnectionEventListener(listener);
        }

        @Override
        public void removeConnectionEventListener(ConnectionEventListener listener) {
            real.removeConnectionEventListener(listener);
        }

        @Override
        public void addStatementEventListener(StatementEventListener listener) {
            listeners.add(listener);
        }

        @Override
        public void removeStatementEventListener(StatementEventListener listener) {
            listeners.remove(listener);
        }
    }
}

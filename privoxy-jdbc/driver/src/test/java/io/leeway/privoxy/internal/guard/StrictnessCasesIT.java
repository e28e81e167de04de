package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PrivoxyXADataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

/** What was refused although nothing speaks against it. */
class StrictnessCasesIT extends Cases {

    @Test
    void theFirstStatementOfABranchMayNeedTheCatalogue() throws Exception {
        on(On.POSTGRESQL);
        var source = new PrivoxyXADataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(database.policyFile().toString());
        XAConnection xa = source.getXAConnection();
        AutoCloseable closing = xa::close;
        opened(closing);
        request(1);
        Connection handle = xa.getConnection();
        elsewhere("CREATE TABLE later (id BIGINT PRIMARY KEY)");
        Xid branch = StateCasesIT.branch();
        xa.getXAResource().start(branch, XAResource.TMNOFLAGS);

        assertRefused(handle, "SELECT id FROM later");
        assertThat(rows(handle, "SELECT name FROM users WHERE id = 1")).containsExactly("Ada");
        xa.getXAResource().end(branch, XAResource.TMSUCCESS);
        xa.getXAResource().commit(branch, true);
    }

    @Test
    void theValuesOfEveryStatementOfATextAreKnown() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name FROM users WHERE id = ?; SELECT email FROM users WHERE id = ?;"
                        + " SELECT title FROM posts WHERE author_id = ?")) {
            statement.setLong(1, 2);
            statement.setLong(2, 1);
            statement.setLong(3, 1);
            assertThat(statement.execute()).isTrue();
        }
        run(connection, "SELECT name FROM users WHERE id = 2; SELECT email FROM users WHERE id = 1");
        assertRefused(connection, "SELECT name FROM users WHERE id = 1; SELECT email FROM users WHERE id = 2");
    }

    @Test
    void withoutConformingStringsTextsWithoutStringsAreRead() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "SET standard_conforming_strings = off");
        assertRefused(connection, "SELECT name FROM users WHERE name = 'Ada'");
        assertThat(rows(connection, "SELECT name FROM users WHERE id = 1")).containsExactly("Ada");
        run(connection, "ROLLBACK");

        assertThat(rows(connection, "SELECT name FROM users WHERE name = 'Ada'"))
                .containsExactly("Ada");
    }
}

package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.PrivoxyXADataSource;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link PrivoxyXADataSource} by URL, with a policy; for each database. */
abstract class DistributedTransactions {

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW my_memberships AS SELECT * FROM members WHERE user_id = ?MyUId;
            CREATE VIEW texts_of_my_groups AS
              SELECT t.* FROM texts t JOIN members m ON m.group_id = t.group_id WHERE m.user_id = ?MyUId;
            """;
    private static final String JOINING = "INSERT INTO members (user_id, group_id) VALUES (1, 8)";
    private static final String MEMBERSHIP = "SELECT user_id, group_id FROM members WHERE user_id = 1 AND group_id = ";
    private static final String TEXT = "SELECT text FROM texts WHERE group_id = ";

    @TempDir
    Path directory;

    private TestDatabase database;
    private PrivoxyXADataSource source;
    private XAConnection xa;
    private XAResource resource;
    private PrivoxyRequest request;

    abstract DatabaseServer server();

    /** Whether another handle in a branch goes on with it, rather than taking back what was done. */
    abstract boolean keepsBranchesForNewHandles();

    /** Whether a prepared branch outlives its connection. */
    boolean keepsPreparedBranches() {
        return true;
    }

    @BeforeEach
    void connect() throws Exception {
        database = server().freshDatabase("xa");
        database.execute(
                "CREATE TABLE members (user_id BIGINT NOT NULL, group_id BIGINT NOT NULL, PRIMARY KEY (user_id, group_id))",
                "CREATE TABLE texts (id BIGINT NOT NULL PRIMARY KEY, group_id BIGINT NOT NULL, text VARCHAR(50))",
                "INSERT INTO members VALUES (1, 7), (2, 8)",
                "INSERT INTO texts VALUES (70, 7, 'seven'), (80, 8, 'eight')");
        source = new PrivoxyXADataSource();
        source.setUrl("jdbc:privoxy:" + database.jdbcUrl().substring("jdbc:".length()));
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(
                Files.writeString(directory.resolve("policy.sql"), POLICY).toString());
        xa = source.getXAConnection();
        resource = xa.getXAResource();
        request = Privoxy.begin(Map.of("MyUId", 1L));
    }

    @AfterEach
    void disconnect() throws SQLException {
        request.close();
        xa.close();
        database.close();
    }

    @Test
    void statementsInABranchAreCheckedAndItsFactsSurviveTheCommit() throws Exception {
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection()) {
            assertRefused(handle, TEXT + 7);
            assertThat(CheckedDatabase.rows(handle, MEMBERSHIP + 7)).containsExactly("1,7");
            assertThat(CheckedDatabase.rows(handle, TEXT + 7)).containsExactly("seven");
            assertRefused(handle, TEXT + 8);
            commit(branch);
            // Nothing was written in the branch, so nothing can be taken back.
            assertThat(CheckedDatabase.rows(handle, TEXT + 7)).containsExactly("seven");
        }
    }

    @Test
    void aRefusalLeavesTheBranchAsItIs() throws Exception {
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection()) {
            CheckedDatabase.run(handle, "INSERT INTO members (user_id, group_id) VALUES (1, 9)");
            assertRefused(handle, TEXT + 8);
            CheckedDatabase.run(handle, "INSERT INTO members (user_id, group_id) VALUES (1, 10)");
            commit(branch);
        }
        assertThat(memberships()).containsExactly("7", "9", "10");
    }

    @Test
    void whatABranchReadOfItsOwnWritesIsForgottenWithIt() throws Exception {
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection()) {
            CheckedDatabase.run(handle, JOINING);
            assertThat(CheckedDatabase.rows(handle, MEMBERSHIP + 8)).containsExactly("1,8");
            assertThat(CheckedDatabase.rows(handle, TEXT + 8)).containsExactly("eight");
            resource.end(branch, XAResource.TMSUCCESS);
            resource.rollback(branch);

            assertRefused(handle, TEXT + 8);
        }
    }

    @Test
    void whatAnotherHandleOfTheBranchReadIsForgottenWithIt() throws Exception {
        if (!keepsBranchesForNewHandles()) {
            return;
        }
        Xid branch = branch();
        Connection first = xa.getConnection();
        // In a snapshot nothing that it may have written itself opens what that shows of before.
        first.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        resource.start(branch, XAResource.TMNOFLAGS);
        CheckedDatabase.run(first, JOINING);
        first.close();
        try (Connection second = xa.getConnection()) {
            assertThat(CheckedDatabase.rows(second, MEMBERSHIP + 8)).containsExactly("1,8");
            assertThat(CheckedDatabase.rows(second, TEXT + 8)).containsExactly("eight");
            resource.end(branch, XAResource.TMSUCCESS);
            resource.rollback(branch);

            assertRefused(second, TEXT + 8);
        }
    }

    @Test
    void aPreparedBranchIsFoundAndEndedByAnotherConnection() throws Exception {
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection()) {
            CheckedDatabase.run(handle, JOINING);
            CheckedDatabase.rows(handle, MEMBERSHIP + 8);
            resource.end(branch, XAResource.TMSUCCESS);
            assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
            List<Xid> found = recovered();
            assertThat(found).hasSize(1);
            resource.rollback(found.get(0));
            assertThat(recovered()).isEmpty();
            assertRefused(handle, TEXT + 8);
        }
    }

    @Test
    void whatABranchWroteIsThereAfterBothPhases() throws Exception {
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection()) {
            CheckedDatabase.run(handle, JOINING);
            resource.end(branch, XAResource.TMSUCCESS);
            assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
            // Prepared, and not committed: nobody sees it yet.
            assertThat(memberships()).containsExactly("7");

            resource.commit(branch, false);

            assertThat(memberships()).containsExactly("7", "8");
            assertRefused(handle, TEXT + 8);
            assertThat(CheckedDatabase.rows(handle, MEMBERSHIP + 8)).containsExactly("1,8");
            assertThat(CheckedDatabase.rows(handle, TEXT + 8)).containsExactly("eight");
        }
    }

    @Test
    void thePhasesMayBeOnTwoConnections() throws Exception {
        if (!keepsPreparedBranches()) {
            return;
        }
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        CheckedDatabase.run(xa.getConnection(), JOINING);
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
        xa.close();

        xa = source.getXAConnection();
        resource = xa.getXAResource();
        List<Xid> found = recovered();
        assertThat(found).hasSize(1);
        // MariaDB lets go of the branch when it notices that the first connection has ended; until then nobody else has
        // it.
        await().atMost(Duration.ofMinutes(1))
                .pollInSameThread()
                .ignoreExceptionsMatching(DistributedTransactions::isUnknownBranch)
                .until(() -> {
                    resource.commit(found.get(0), false);
                    return true;
                });

        assertThat(memberships()).containsExactly("7", "8");
        try (Connection handle = xa.getConnection()) {
            assertRefused(handle, TEXT + 8);
        }
    }

    @Test
    void aBranchInOnePhase() throws Exception {
        Xid branch = branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection()) {
            CheckedDatabase.run(handle, JOINING);
            resource.end(branch, XAResource.TMSUCCESS);
            resource.commit(branch, true);
        }
        assertThat(memberships()).containsExactly("7", "8");
    }

    private List<String> memberships() throws SQLException {
        try (Connection plain = database.connect()) {
            return CheckedDatabase.rows(plain, "SELECT group_id FROM members WHERE user_id = 1 ORDER BY group_id");
        }
    }

    @Test
    void theSameResourceIsToldThroughTheCheck() throws Exception {
        assertThat(resource.isSameRM(xa.getXAResource())).isTrue();
        assertThat(resource.getTransactionTimeout()).isNotNegative();
    }

    private static boolean isUnknownBranch(Throwable failure) {
        return failure instanceof XAException refused && refused.errorCode == XAException.XAER_NOTA;
    }

    private List<Xid> recovered() throws XAException {
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        return Arrays.asList(found);
    }

    private void commit(Xid branch) throws XAException {
        resource.end(branch, XAResource.TMSUCCESS);
        if (resource.prepare(branch) == XAResource.XA_OK) {
            resource.commit(branch, false);
        }
    }

    private static void assertRefused(Connection connection, String sql) {
        assertThatThrownBy(() -> CheckedDatabase.run(connection, sql))
                .as(sql)
                .isInstanceOf(PolicyViolationException.class);
    }

    private static Xid branch() {
        return new Branch(UUID.randomUUID().toString());
    }

    private record Branch(String id) implements Xid {

        @Override
        public int getFormatId() {
            return 77;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return id.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}

package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.INDEX;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.text;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.upkeep.DescribedTable;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With HBase's access control: who may read what by an index, and write what is indexed. */
class AccessControlTest {

    private final HBaseCluster cluster = TestClusters.light(
            1,
            Map.of(
                    "hbase.security.authorization", "true",
                    "hbase.security.access.early_out", String.valueOf(isRefusedEarly()),
                    "hbase.coprocessor.master.classes", AccessController.class.getName(),
                    "hbase.coprocessor.regionserver.classes", AccessController.class.getName(),
                    "hbase.coprocessor.region.classes", AccessController.class.getName()));

    private IndexedWords words;
    private User user;

    /** Whether HBase refuses who has no rights; else it shows him nothing, since single cells may have rights of their own. */
    boolean isRefusedEarly() {
        return true;
    }

    @BeforeEach
    void createTable() throws Exception {
        try (Admin admin = cluster.connection().getAdmin()) {
            // The master creates it when it has started.
            await().atMost(Duration.ofMinutes(1)).until(() -> admin.isTableAvailable(TableName.valueOf("hbase:acl")));
        }
        words = IndexedWords.create(cluster, "mode=sync");
        user = User.createUserForTesting(
                cluster.configuration(), "user" + words.name().getNameAsString(), new String[0]);
        words.put("k1", "secret");
    }

    @AfterEach
    void dropTable() {
        words.close();
    }

    private void grant(TableName table, Permission.Action... actions) throws IOException {
        grant(Permission.newBuilder(table).withActions(actions).build());
    }

    private void grantWord(Permission.Action... actions) throws IOException {
        grant(Permission.newBuilder(words.name())
                .withFamily(FAMILY)
                .withQualifier(WORD)
                .withActions(actions)
                .build());
    }

    /** Returns when master and region servers know: each learns of rights in its own time. */
    private void grant(Permission permission) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.grant(new UserPermission(user.getShortName(), permission), false);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> admin.hasUserPermissions(user.getShortName(), List.of(permission))
                                    .equals(List.of(true))
                            && cluster.regionServers().stream()
                                    .allMatch(server ->
                                            server.getAccessChecker().hasUserPermission(user, "grant", permission)));
        }
    }

    /** What the user does. */
    @FunctionalInterface
    private interface Act<T> {
        T with(Connection connection) throws Exception;
    }

    private <T> T asUser(Act<T> act) throws Exception {
        return user.runAs((PrivilegedExceptionAction<T>) () -> {
            try (Connection connection = ConnectionFactory.createConnection(cluster.configuration())) {
                return act.with(connection);
            }
        });
    }

    private List<String> found(Connection connection) throws IOException {
        return IndexedTable.open(connection, words.name(), INDEX).readValue(bytes("secret")).stream()
                .map(hit -> text(hit.row()))
                .toList();
    }

    @Test
    void whoMayNotReadTheTableLearnsNothingByTheIndex() throws Exception {
        assertThatThrownBy(() -> asUser(this::found)).isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(() -> asUser(connection -> DescribedTable.ask(connection, words.name())))
                .isInstanceOf(AccessDeniedException.class);

        // Not either with the rights on the index alone.
        grant(words.indexTable(), Permission.Action.READ, Permission.Action.EXEC);
        assertThatThrownBy(() -> asUser(this::found)).isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(() -> asUser(connection -> HindexAdmin.of(connection).verify(words.name(), INDEX)))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void whoMadeTheTableOfAnIndexToComeHasNoRightsToItsValues() throws Exception {
        IndexDefinition second = IndexDefinition.parse("second", "columns=f:word:utf8");
        try (Admin admin = cluster.connection().getAdmin()) {
            TableDescriptor base = admin.getDescriptor(words.name());
            IndexPlan index = IndexPlan.of(second, base);
            admin.createTable(IndexTables.descriptor(index, base));
            grant(index.table(), Permission.Action.READ);

            HindexAdmin.of(cluster.connection()).create(words.name(), second);

            assertThat(admin.hasUserPermissions(
                            user.getShortName(),
                            List.of(Permission.newBuilder(index.table())
                                    .withActions(Permission.Action.READ)
                                    .build())))
                    .containsExactly(false);
        }
    }

    /** Without them, a client that reads for itself would find nothing, and take that for the answer. */
    @Test
    void whoMayNotReadTheIndexIsRefused() throws Exception {
        grant(words.name(), Permission.Action.READ);

        assertThatThrownBy(() -> asUser(this::found))
                .hasMessageContaining("must be allowed to read")
                .hasMessageContaining(words.indexTable().getNameAsString());
    }

    @Test
    void whoMayReadBothFindsRows() throws Exception {
        grant(words.name(), Permission.Action.READ);
        grant(words.indexTable(), Permission.Action.READ);

        assertThat(asUser(this::found)).containsExactly("k1");
        boolean isDescribed = asUser(
                connection -> DescribedTable.ask(connection, words.name()).isPresent());
        assertThat(isDescribed).isTrue();
    }

    @Test
    void whoMayReadTheIndexedColumnFindsRows() throws Exception {
        grantWord(Permission.Action.READ);
        grant(words.indexTable(), Permission.Action.READ);

        assertThat(asUser(this::found)).containsExactly("k1");
    }

    @Test
    void aRightThatIsTakenAwayEndsQueriesThatWereOpen() throws Exception {
        grant(words.name(), Permission.Action.READ);
        grant(words.indexTable(), Permission.Action.READ);

        asUser(connection -> {
            IndexedTable open = IndexedTable.open(connection, words.name(), INDEX);
            assertThat(open.readValue(bytes("secret"))).hasSize(1);
            try (Admin admin = cluster.connection().getAdmin()) {
                admin.revoke(new UserPermission(
                        user.getShortName(),
                        Permission.newBuilder(words.name())
                                .withActions(Permission.Action.READ)
                                .build()));
            }
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThatThrownBy(() -> open.readValue(bytes("secret")))
                            .hasMessageContaining("must be allowed to read"));
            return null;
        });
    }

    private static VerifyReport compare(Connection connection, IndexedWords words, VerifyMethod method, boolean repairs)
            throws IOException {
        HindexAdmin admin = HindexAdmin.of(connection);
        return repairs
                ? admin.repair(words.name(), INDEX, method, Long.MAX_VALUE)
                : admin.verify(words.name(), INDEX, method, Long.MAX_VALUE);
    }

    /** An entry that no read would miss. */
    private void addDanglingEntry() throws IOException {
        byte[] key =
                words.index().entries(bytes("none"), bytes("never"), 1).get(0).key();
        byte[] qualifier =
                words.index().entries(bytes("none"), bytes("never"), 1).get(0).qualifier();
        try (Table entries = cluster.connection().getTable(words.indexTable())) {
            entries.put(new Put(key).addColumn(IndexPlan.entryFamily(), qualifier, 1, new byte[0]));
        }
    }

    /** What he is not shown he must not take for what is not there. */
    @ParameterizedTest
    @EnumSource
    void whoMayNotReadTheIndexIsNotToldThatItIsSound(VerifyMethod method) throws Exception {
        addDanglingEntry();
        words.delete("k1");
        grant(words.name(), Permission.Action.READ, Permission.Action.CREATE);

        for (boolean repairs : new boolean[] {false, true}) {
            assertThatThrownBy(() -> asUser(connection -> compare(connection, words, method, repairs)))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("must be allowed to read")
                    .hasMessageContaining(words.indexTable().getNameAsString());
        }
        assertThat(words.entries()).contains("never/none");
    }

    @ParameterizedTest
    @EnumSource
    void whoMayReadBothVerifiesAndRepairs(VerifyMethod method) throws Exception {
        addDanglingEntry();
        grant(words.name(), Permission.Action.READ);
        grant(words.indexTable(), Permission.Action.READ);
        // Each server learns of rights in its own time.
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(AccessDeniedException.class)
                .until(() -> {
                    VerifyReport shown = asUser(connection -> compare(connection, words, method, false));
                    return shown.rows() == 1 && shown.entries() == 2;
                });

        VerifyReport found = asUser(connection -> compare(connection, words, method, false));
        assertThat(found.dangling()).isEqualTo(1);
        assertThat(found.missing()).isZero();

        asUser(connection -> compare(connection, words, method, true));
        assertThat(words.entries()).containsExactly("secret/k1");
    }

    /** It is the business of who may change the table, also where the call is made by hand. */
    @Test
    void whoMayOnlyReadHasNothingBuilt() throws Exception {
        grant(words.name(), Permission.Action.READ);
        grant(words.indexTable(), Permission.Action.READ);

        assertThatThrownBy(() -> asUser(connection -> build(connection)))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("must be allowed to write or change " + words.name());

        grant(words.name(), Permission.Action.READ, Permission.Action.WRITE);
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(AccessDeniedException.class)
                .until(() -> asUser(connection -> build(connection)));
    }

    /** The call that regions answer. */
    private boolean build(Connection connection) throws IOException {
        return new UpkeepClient(connection, words.name())
                .build(INDEX, HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW, 10)
                .isPresent();
    }

    /** Entries are the servers' business, on whatever server they are. */
    @Test
    void whoMayWriteTheTableNeedsNoRightOnTheIndex() throws Exception {
        grant(words.name(), Permission.Action.WRITE, Permission.Action.READ);

        asUser(connection -> {
            try (Table table = connection.getTable(words.name())) {
                table.put(word("k2", "secret"));
                table.put(List.of(word("k3", "secret"), word("k1", "known")));
                table.delete(new Delete(bytes("k3")));
            }
            return null;
        });

        assertThat(words.rows("secret")).containsExactly("k2");
        assertThat(words.entries()).containsExactlyInAnyOrder("secret/k2", "known/k1");
    }
}

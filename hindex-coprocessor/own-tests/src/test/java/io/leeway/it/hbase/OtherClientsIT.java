package io.leeway.it.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.Encoding;
import io.leeway.hindex.HindexAdmin;
import io.leeway.hindex.HindexMasterObserver;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexMode;
import io.leeway.hindex.IndexState;
import io.leeway.hindex.IndexedTable;
import io.leeway.hindex.VerifyReport;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that reach HBase by its REST server, its Thrift server or its shell are indexed as those of its Java client. */
class OtherClientsIT {

    private static final byte[] FAMILY = bytes("f");
    private static final byte[] WORD = bytes("word");
    private static final String INDEX = "by_word";
    private static final String DEFINITION = "{'hindex.index.by_word' => 'columns=f:word:utf8'}";

    private final HBaseCluster cluster =
            TestClusters.light(1, Map.of("hbase.coprocessor.master.classes", HindexMasterObserver.class.getName()));

    @Test
    void theRestServer() throws Exception {
        TableName words = indexedTable();
        try (var rest = RestGateway.start(cluster.configuration())) {
            rest.put(words, "r1", "f:word", "apple");
            rest.put(words, "r2", "f:word", "apple");
            rest.put(words, Map.of("r3", "pear", "r4", "plum"), "f:word");
            rest.put(words, "r2", "f:word", "pear");
            rest.delete(words, "r4", "f:word");
        }

        assertThat(rows(words, "apple")).containsExactly("r1");
        assertThat(rows(words, "pear")).containsExactly("r2", "r3");
        assertThat(rows(words, "plum")).isEmpty();
        assertSound(words);
    }

    @Test
    @SuppressWarnings("deprecation") // HBase's Thrift client has no other checkAndMutate.
    void theThriftServer() throws Exception {
        TableName words = indexedTable();
        try (var thrift = ThriftGateway.start(cluster.configuration());
                Connection connection = thrift.connect();
                Table table = connection.getTable(words)) {
            table.put(List.of(word("r1", "apple"), word("r2", "apple"), word("r3", "ap")));
            table.put(word("r2", "pear"));
            table.append(new Append(bytes("r3")).addColumn(FAMILY, WORD, bytes("ple")));
            table.mutateRow(RowMutations.of(List.of(word("r4", "plum"))));
            table.put(word("r5", "pear"));
            table.checkAndMutate(bytes("r5"), FAMILY)
                    .qualifier(WORD)
                    .ifMatches(CompareOperator.EQUAL, bytes("pear"))
                    .thenPut(word("r5", "plum"));
            table.checkAndMutate(bytes("r5"), FAMILY)
                    .qualifier(WORD)
                    .ifMatches(CompareOperator.EQUAL, bytes("apple"))
                    .thenPut(word("r5", "never"));
            table.delete(new Delete(bytes("r4")));
        }

        assertThat(rows(words, "apple")).containsExactly("r1", "r3");
        assertThat(rows(words, "ap")).isEmpty();
        assertThat(rows(words, "pear")).containsExactly("r2");
        assertThat(rows(words, "plum")).containsExactly("r5");
        assertThat(rows(words, "never")).isEmpty();
        assertSound(words);
    }

    /** With the lines of docs/hindex/README.md. */
    @Test
    void theShell(@TempDir Path directory) throws Exception {
        TableName old = cluster.freshName("words");
        TableName other = cluster.freshName("words");

        String said = ShellRun.of(
                cluster.configuration(),
                directory,
                List.of(
                        "create '" + old + "', {NAME => 'f'}",
                        "put '" + old + "', 'r1', 'f:word', 'apple'",
                        "put '" + old + "', 'r2', 'f:word', 'apple'",
                        "alter '" + old + "', METADATA => " + DEFINITION,
                        "put '" + old + "', 'r2', 'f:word', 'pear'",
                        "deleteall '" + old + "', 'r1'",
                        "create '" + other + "', {NAME => 'f'}, {METADATA => " + DEFINITION + "}",
                        "put '" + other + "', 'r1', 'f:word', 'plum'",
                        "incr '" + other + "', 'r2', 'f:number'",
                        "append '" + other + "', 'r2', 'f:word', 'plum'"));

        assertThat(said).doesNotContain("ERROR");
        awaitActive(old);
        awaitActive(other);
        assertThat(rows(old, "apple")).isEmpty();
        assertThat(rows(old, "pear")).containsExactly("r2");
        assertThat(rows(other, "plum")).containsExactly("r1", "r2");
        assertSound(old);
        assertSound(other);
    }

    /** With the lines of docs/hindex/operations.md. */
    @Test
    void theShellOperatesAnIndex(@TempDir Path directory) throws Exception {
        TableName words = cluster.freshName("words");
        String attribute = "alter '" + words + "', METADATA => {'hindex.index.by_word' => 'columns=f:word:utf8; ";

        String said = ShellRun.of(
                cluster.configuration(),
                directory,
                List.of(
                        "require 'hindex'",
                        "create '" + words + "', {NAME => 'f'}, {METADATA => " + DEFINITION + "}",
                        "put '" + words + "', 'r1', 'f:word', 'apple'",
                        attribute + "state=paused'}",
                        "put '" + words + "', 'r2', 'f:word', 'apple'",
                        "hindex 'list', '" + words + "'",
                        "puts 'queried while paused: ' + hindex('query', '" + words
                                + "', 'by_word', '--is', 'apple').to_s",
                        attribute + "mode=sync; state=active'}",
                        "put '" + words + "', 'r1', 'f:word', 'pear'",
                        "puts 'verified: ' + hindex('verify', '" + words + "', 'by_word').to_s",
                        "hindex 'query', '" + words + "', 'by_word', '--is', 'apple'"));

        assertThat(said)
                .contains("state=paused")
                .contains("queried while paused: 2")
                .contains("verified: 0")
                .contains("r2");
        awaitActive(words);
        assertThat(HindexAdmin.of(cluster.connection())
                        .get(words, INDEX)
                        .definition()
                        .mode())
                .isEqualTo(IndexMode.SYNC);
        // What was written during the pause was kept.
        assertThat(rows(words, "apple")).containsExactly("r2");
        assertThat(rows(words, "pear")).containsExactly("r1");
        assertSound(words);

        TableName entries =
                HindexAdmin.of(cluster.connection()).get(words, INDEX).entries();
        ShellRun.of(
                cluster.configuration(),
                directory,
                List.of("alter '" + words + "', METHOD => 'table_att_unset', NAME => 'hindex.index.by_word'"));

        try (var admin = cluster.connection().getAdmin()) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !admin.tableExists(entries));
        }
    }

    private TableName indexedTable() throws IOException {
        TableName words =
                cluster.freshTable("words", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)));
        HindexAdmin.of(cluster.connection())
                .create(
                        words,
                        IndexDefinition.builder(INDEX)
                                .column("f", "word", Encoding.UTF8)
                                .build());
        awaitActive(words);
        return words;
    }

    private void awaitActive(TableName table) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> HindexAdmin.of(cluster.connection())
                                .get(table, INDEX)
                                .definition()
                                .state()
                        == IndexState.ACTIVE);
    }

    private List<String> rows(TableName table, String word) throws IOException {
        return IndexedTable.open(cluster.connection(), table, INDEX).readValue(bytes(word)).stream()
                .map(row -> new String(row.row(), UTF_8))
                .toList();
    }

    private void assertSound(TableName table) throws IOException {
        VerifyReport report = HindexAdmin.of(cluster.connection()).verify(table, INDEX);
        assertThat(report.missing()).isZero();
        assertThat(report.dangling()).isZero();
    }

    private static Put word(String row, String word) {
        return new Put(bytes(row)).addColumn(FAMILY, WORD, bytes(word));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}

package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.text;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the observer in the master, all that is done to a base table is done to its indexes. */
class HindexMasterObserverTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ATTRIBUTE = "hindex.index.by_word";
    private static final String DEFINITION = "columns=f:word:utf8";

    private final HBaseCluster cluster =
            TestClusters.light(1, Map.of("hbase.coprocessor.master.classes", HindexMasterObserver.class.getName()));
    private Admin admin;

    @BeforeEach
    void connect() throws IOException {
        admin = cluster.connection().getAdmin();
    }

    @AfterEach
    void disconnect() throws IOException {
        admin.close();
    }

    @Test
    void anAttributeIsAllThatANewTableNeeds() throws IOException {
        TableName words = create("created", DEFINITION);

        assertThat(admin.getDescriptor(words).hasCoprocessor(HindexObserver.class.getName()))
                .isTrue();
        put(words, "r1", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1");
        assertThat(entries(words)).hasSize(1);
    }

    @Test
    void anAttributeIsAllThatATableWithRowsNeeds() throws IOException {
        TableName words = cluster.freshTable("altered", HindexMasterObserverTest::withFamily);
        put(words, "r1", "apple");
        put(words, "r2", "pear");

        alter(words, table -> table.setValue(ATTRIBUTE, DEFINITION));

        awaitState(words, IndexState.ACTIVE);
        put(words, "r3", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1", "r3");
        assertThat(rows(words, "pear")).containsExactly("r2");
    }

    @Test
    void anIndexThatIsNotBuiltIsNotReadWhateverItsAttributeSays() throws IOException {
        TableName words =
                cluster.freshTable("manual", table -> withFamily(table).setValue("hindex.build", "manual"));
        put(words, "r1", "apple");

        alter(words, table -> table.setValue(ATTRIBUTE, DEFINITION + "; state=active"));
        assertThatThrownBy(() -> rows(words, "apple")).hasMessageContaining("is building");
        assertThatThrownBy(() -> alter(words, table -> table.setValue(ATTRIBUTE, DEFINITION + "; state=active")))
                .hasMessageContaining("the index by_word is not complete");

        assertThat(HindexAdmin.of(cluster.connection()).build(words, "by_word")).isTrue();
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    @Test
    void withTheAttributeTheEntriesGo() throws IOException {
        TableName words = create("unnamed", DEFINITION);
        put(words, "r1", "apple");

        alter(words, table -> table.removeValue(ATTRIBUTE));

        await().atMost(PATIENCE).until(() -> !admin.tableExists(entryTable(words)));
        put(words, "r2", "apple");
    }

    @Test
    void withTheLastIndexGoesWhatItBrought() throws IOException {
        TableName words = create("unnamed", DEFINITION);
        alter(words, table -> table.setValue("hindex.index.other", DEFINITION));
        // Its build writes the whole description of the table, and an alteration at the same time would be lost.
        await().atMost(PATIENCE).until(() -> state(words, "other") == IndexState.ACTIVE);

        alter(words, table -> table.removeValue(ATTRIBUTE));
        assertThat(admin.getDescriptor(words).hasCoprocessor(HindexObserver.class.getName()))
                .isTrue();
        alter(words, table -> table.removeValue("hindex.index.other"));

        // A server that starts without the jar takes the table.
        assertThat(admin.getDescriptor(words).getCoprocessorDescriptors()).isEmpty();
        put(words, "r1", "apple");
    }

    @Test
    void aMistypedOptionIsRefusedAndWritesGoOn() throws IOException {
        TableName words = create("mistyped", DEFINITION);
        TableName without = cluster.freshTable("without", HindexMasterObserverTest::withFamily);
        for (TableName table : List.of(words, without)) {
            assertThatThrownBy(() -> alter(table, each -> each.setValue("hindex.write.timeot", "5s")))
                    .hasMessageContaining("unknown option hindex.write.timeot, did you mean hindex.write.timeout?");
            assertThatThrownBy(() -> alter(table, each -> each.setValue("hindex.write.timeout", "5 parsecs")))
                    .hasMessageContaining("hindex.write.timeout=5 parsecs is not allowed");
            assertThatThrownBy(() -> alter(table, each -> each.setValue("hindex.indx.by_x", "columns=f:x:utf8")))
                    .hasMessageContaining("unknown option hindex.indx.by_x");
            put(table, "r1", "apple");
        }
        assertThatThrownBy(() ->
                        cluster.freshTable("never", table -> withFamily(table).setValue("hindex.repair", "perhaps")))
                .hasStackTraceContaining("hindex.repair=perhaps is not allowed");

        alter(words, table -> table.setValue("hindex.write.timeout", "7s"));
        put(words, "r2", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1", "r2");
    }

    @Test
    void aFamilyWithAnIndexIsNotDeleted() throws IOException {
        TableName words = create("shrinking", DEFINITION);
        alter(words, table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("g")));

        assertThatThrownBy(() -> alter(words, table -> table.removeColumnFamily(bytes("f"))))
                .hasMessageContaining("whose family would be deleted; drop the index first");
        alter(words, table -> table.removeColumnFamily(bytes("g")));
        put(words, "r1", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    @Test
    void aTableOfSomebodyElseIsNotGivenTheValues() throws IOException {
        TableName words = cluster.freshTable("adopting", HindexMasterObserverTest::withFamily);
        TableName made = entryTable(words);
        for (Consumer<TableDescriptorBuilder> strange : List.<Consumer<TableDescriptorBuilder>>of(
                table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("mine")), table -> {})) {
            TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(made)
                    .setValue("hindex-entries-of", words.getNameAsString())
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("e"));
            strange.accept(table);
            admin.createTable(table.build());

            assertThatThrownBy(() -> alter(words, each -> each.setValue(ATTRIBUTE, DEFINITION)))
                    .hasMessageContaining("exists and was not made by hindex: it has other column families");
            assertThat(admin.getDescriptor(words).getValue(ATTRIBUTE)).isNull();
            admin.disableTable(made);
            admin.deleteTable(made);
        }
        alter(words, table -> table.setValue(ATTRIBUTE, DEFINITION));
        awaitState(words, IndexState.ACTIVE);
    }

    @Test
    void aTableWithACoprocessorOfSomebodyElseIsNotGivenTheValues() throws IOException {
        TableName words = cluster.freshTable("observed", HindexMasterObserverTest::withFamily);
        TableDescriptor base = admin.getDescriptor(words);
        IndexPlan index = IndexPlan.of(IndexDefinition.parse("by_word", DEFINITION), base);
        admin.createTable(TableDescriptorBuilder.newBuilder(IndexTables.descriptor(index, base))
                .setCoprocessor(EndpointCalls.class.getName())
                .build());

        assertThatThrownBy(() -> alter(words, each -> each.setValue(ATTRIBUTE, DEFINITION)))
                .hasMessageContaining("exists and was not made by hindex: it has other coprocessors");
        assertThat(admin.getDescriptor(words).getValue(ATTRIBUTE)).isNull();
    }

    @Test
    void aTableWhoseEntriesDoNotGoKeepsNoOtherWaiting() throws Exception {
        TableName stuck = create("stuck", DEFINITION);
        TableName words = cluster.freshTable("beside", HindexMasterObserverTest::withFamily);
        put(words, "r1", "apple");
        try (CloseStop.Gate gate = CloseStop.arm(admin, entryTable(stuck))) {
            alter(stuck, table -> table.removeValue(ATTRIBUTE));
            assertThat(gate.isReached()).isTrue();

            alter(words, table -> table.setValue(ATTRIBUTE, DEFINITION));
            // The other is waited for twice as long, and then again.
            await().atMost(PATIENCE.dividedBy(2)).until(() -> state(words) == IndexState.ACTIVE);
            assertThat(rows(words, "apple")).containsExactly("r1");
            assertThat(admin.tableExists(entryTable(stuck))).isTrue();
        }

        await().atMost(PATIENCE).until(() -> !admin.tableExists(entryTable(stuck)));
    }

    @Test
    void withTheTableTheEntriesGo() throws IOException {
        TableName words = create("dropped", DEFINITION);

        admin.disableTable(words);
        assertThat(admin.isTableDisabled(entryTable(words))).isTrue();
        admin.deleteTable(words);

        assertThat(admin.tableExists(entryTable(words))).isFalse();
    }

    @Test
    void aTableThatIsEnabledAgainIsIndexedAgain() throws IOException {
        TableName words = create("enabled", DEFINITION);
        put(words, "r1", "apple");

        admin.disableTable(words);
        admin.enableTable(words);

        put(words, "r2", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1", "r2");
    }

    @Test
    void truncationLeavesNoEntry() throws IOException {
        TableName words = create("truncated", DEFINITION);
        put(words, "r1", "apple");

        admin.disableTable(words);
        admin.truncateTable(words, false);

        assertThat(entries(words)).isEmpty();
        awaitState(words, IndexState.ACTIVE);
        put(words, "r2", "apple");
        assertThat(rows(words, "apple")).containsExactly("r2");
        assertThat(entries(words)).hasSize(1);
    }

    @Test
    void entriesLiveAsLongAsTheirCells() throws IOException {
        TableName words = create("shortlived", DEFINITION);

        alter(
                words,
                table -> table.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setTimeToLive(3_600)
                        .build()));

        await().atMost(PATIENCE)
                .until(() -> admin.getDescriptor(entryTable(words))
                                .getColumnFamily(IndexPlan.entryFamily())
                                .getTimeToLive()
                        == 3_600);
    }

    @Test
    void whatASnapshotBringsBackIsFound() throws IOException {
        TableName words = create("restored", DEFINITION);
        put(words, "r1", "apple");
        put(words, "r2", "pear");
        String snapshot = words.getNameAsString() + "_snapshot";
        admin.snapshot(snapshot, words);
        put(words, "r1", "plum");
        put(words, "r3", "apple");
        compact(words);
        assertThat(entries(words)).hasSize(3);

        admin.disableTable(words);
        admin.restoreSnapshot(snapshot);
        admin.enableTable(words);

        awaitState(words, IndexState.ACTIVE);
        assertThat(rows(words, "apple")).containsExactly("r1");
        assertThat(rows(words, "pear")).containsExactly("r2");
        assertThat(rows(words, "plum")).isEmpty();
        assertThat(entries(words)).hasSize(2);
        admin.deleteSnapshot(snapshot);
    }

    @Test
    void aCloneHasEntriesOfItsOwn() throws IOException {
        TableName words = create("cloned", DEFINITION);
        put(words, "r1", "apple");
        String snapshot = words.getNameAsString() + "_snapshot";
        admin.snapshot(snapshot, words);
        TableName clone = cluster.freshName("clone");

        admin.cloneSnapshot(snapshot, clone);

        await().atMost(PATIENCE)
                .until(() -> admin.tableExists(entryTable(clone))
                        && state(clone) == IndexState.ACTIVE
                        && entries(clone).size() == 1);
        put(clone, "r2", "apple");
        assertThat(rows(clone, "apple")).containsExactly("r1", "r2");
        assertThat(rows(words, "apple")).containsExactly("r1");
        admin.deleteSnapshot(snapshot);
    }

    @Test
    void saltedEntriesAreSplitFromTheBeginning() throws IOException {
        TableName words = create("salted", DEFINITION + "; salt=4");

        assertThat(admin.getRegions(entryTable(words))).hasSize(4);
    }

    @Test
    void whatCannotBeIsRefusedAndChangesNothing() throws IOException {
        TableName words = create("refused", DEFINITION);

        assertThatThrownBy(() -> alter(words, table -> table.setValue("hindex.index.bad", "columns=f:word:uft8")))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("utf8");
        assertThatThrownBy(() -> alter(words, table -> table.setValue("hindex.index.bad", "columns=g:word:utf8")))
                .hasMessageContaining("no such family");
        assertThatThrownBy(() -> alter(words, table -> table.setValue(ATTRIBUTE, "columns=f:other:utf8")))
                .hasMessageContaining("cannot be changed");
        put(words, "r1", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    /** Its files have references to large values, which compactions would take for the values. */
    @Test
    void anIndexOverAFamilyOfLargeObjectsIsRefused() throws IOException {
        TableName words = create("large", DEFINITION);
        TableName objects = cluster.freshTable(
                "objects",
                table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMobEnabled(true)
                        .build()));

        assertThatThrownBy(() -> alter(objects, table -> table.setValue(ATTRIBUTE, DEFINITION)))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("IS_MOB")
                .hasMessageContaining("'false'");
        assertThatThrownBy(() -> alter(
                        words,
                        table -> table.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                                .setMobEnabled(true)
                                .build())))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("IS_MOB");
        put(words, "r1", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    private TableName create(String name, String definition) {
        return cluster.freshTable(name, table -> withFamily(table).setValue(ATTRIBUTE, definition));
    }

    private static TableDescriptorBuilder withFamily(TableDescriptorBuilder table) {
        return table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    }

    /** As the shell does it. */
    private void alter(TableName table, UnaryOperator<TableDescriptorBuilder> change) throws IOException {
        TableDescriptor before = admin.getDescriptor(table);
        admin.modifyTable(
                change.apply(TableDescriptorBuilder.newBuilder(before)).build());
    }

    private void put(TableName name, String row, String word) throws IOException {
        try (Table table = cluster.connection().getTable(name)) {
            table.put(word(row, word));
        }
    }

    private List<String> rows(TableName name, String word) throws IOException {
        return IndexedTable.open(cluster.connection(), name, "by_word").readValue(bytes(word)).stream()
                .map(hit -> text(hit.row()))
                .toList();
    }

    private List<String> entries(TableName name) throws IOException {
        var entries = new ArrayList<String>();
        try (Table table = cluster.connection().getTable(entryTable(name));
                ResultScanner scanner = table.getScanner(
                        new Scan().addFamily(IndexPlan.entryFamily()).readAllVersions())) {
            scanner.forEach(entry -> entries.add(text(entry.getRow())));
        }
        return entries;
    }

    private static TableName entryTable(TableName name) {
        return TableName.valueOf(name.getNameAsString() + ".hindex.by_word");
    }

    private void compact(TableName name) throws IOException {
        for (var region : cluster.regions(name)) {
            region.flush(true);
            region.compact(true);
        }
    }

    private IndexState state(TableName name) throws IOException {
        return state(name, "by_word");
    }

    private IndexState state(TableName name, String index) throws IOException {
        return HindexAdmin.of(cluster.connection())
                .get(name, index)
                .definition()
                .state();
    }

    private void awaitState(TableName name, IndexState state) {
        await().atMost(PATIENCE).until(() -> state(name) == state);
    }
}

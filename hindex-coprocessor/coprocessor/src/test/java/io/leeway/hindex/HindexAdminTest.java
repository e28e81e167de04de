package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.text;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does, on servers whose master knows nothing of hindex. */
class HindexAdminTest {

    private static final String INDEX = "by_word";
    private static final int ROWS = 2_000;

    private final HBaseCluster cluster = TestClusters.light(2);
    private final HindexAdmin indexes = HindexAdmin.of(cluster.connection());

    @Test
    void uninstallingLeavesATableAsItWas() throws IOException {
        TableName words =
                cluster.freshTable("words", table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")));
        try (Admin admin = cluster.connection().getAdmin()) {
            TableDescriptor before = admin.getDescriptor(words);
            indexes.index(words, IndexDefinition.parse("by_word", "columns=f:word:utf8"));
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words))
                    .setValue("hindex.write.timeout", "7s")
                    .build());
            assertThatThrownBy(() -> indexes.uninstall(words))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("there are indexes of [" + words + "]");
            assertThat(admin.getDescriptor(words).hasCoprocessor(HindexObserver.class.getName()))
                    .isTrue();

            indexes.drop(words, "by_word");

            assertThat(indexes.uninstall(words)).containsExactly(words);
            assertThat(admin.getDescriptor(words)).isEqualTo(before);
            assertThat(indexes.uninstall(words)).isEmpty();
        }
    }

    @Test
    void anIndexIsReadWhenItIsBuilt() throws IOException {
        TableName words = table("built");
        put(words, "r1", "apple");

        indexes.create(words, definition());
        assertThat(indexes.get(words, INDEX).definition().state()).isEqualTo(IndexState.BUILDING);
        assertThatThrownBy(() -> rows(words, "apple")).hasMessageContaining("is building");
        put(words, "r2", "apple");

        assertThat(indexes.build(words, INDEX)).isTrue();
        assertThat(rows(words, "apple")).containsExactly("r1", "r2");
        assertThat(indexes.get(words, INDEX).isComplete()).isTrue();
    }

    @Test
    void oneCallDefinesAnIndexAndBuildsItAndMayBeRepeated() throws IOException {
        TableName words = table("onecall");
        put(words, "r1", "apple");

        assertThat(indexes.index(words, definition())).isTrue();
        assertThat(rows(words, "apple")).containsExactly("r1");
        put(words, "r2", "apple");
        assertThat(indexes.index(words, definition())).isTrue();

        assertThat(rows(words, "apple")).containsExactly("r1", "r2");
        IndexDefinition another = IndexDefinition.builder(INDEX)
                .column("f", "other", Encoding.UTF8)
                .build();
        assertThatThrownBy(() -> indexes.index(words, another)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAttributeAloneIsMadeAnIndexByABuild() throws IOException {
        TableName words = table("attribute");
        put(words, "r1", "apple");
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words))
                    .setValue(definition().attribute(), definition().toText())
                    .build());
        }

        assertThat(indexes.build(words, INDEX)).isTrue();
        put(words, "r2", "apple");
        assertThat(rows(words, "apple")).containsExactly("r1", "r2");
    }

    @Test
    void aBuildThatEndedEarlyIsGoneOnWith() throws IOException {
        TableName words = table("resumed");
        fill(words);
        indexes.create(words, definition());
        var seen = new ArrayList<Progress>();

        HindexAdmin killed = indexes.withProgress(progress -> {
            if (progress.rows() >= ROWS / 2) {
                throw new IllegalStateException("killed");
            }
        });
        assertThatThrownBy(() -> killed.build(words, INDEX)).hasMessage("killed");
        assertThat(indexes.withProgress(seen::add).build(words, INDEX)).isTrue();

        assertThat(seen.get(0).rows()).isGreaterThanOrEqualTo(ROWS / 2);
        assertThat(seen.get(seen.size() - 1)).isEqualTo(new Progress(ROWS, ROWS, 1));
        assertThat(rows(words, "w7")).hasSize(ROWS / 10);
    }

    /** As of a column that is new. The server's handler is not held until the next row that has it is found. */
    @Test
    void aBuildGoesOnFromCallToCallWhereFewRowsHaveTheColumn() throws IOException {
        TableName words = cluster.freshTable(
                "sparse",
                table -> withFamily(table)
                        .setValue("hindex.build.time", "1ms")
                        .setValue("hbase.cells.scanned.per.heartbeat.check", "10"));
        var puts = new ArrayList<Put>();
        for (int i = 0; i < 40_000; i++) {
            puts.add(new Put(bytes(row(i))).addColumn(FAMILY, bytes("other"), bytes("o")));
        }
        try (Table table = cluster.connection().getTable(words)) {
            table.put(puts);
        }
        put(words, row(20_000), "apple");
        put(words, row(39_999), "apple");
        indexes.create(words, definition());
        var seen = new ArrayList<Progress>();

        assertThat(indexes.withProgress(seen::add).build(words, INDEX)).isTrue();

        assertThat(seen)
                .extracting(Progress::share)
                .filteredOn(share -> share > 0 && share < 1)
                .isNotEmpty();
        assertThat(seen.get(seen.size() - 1)).isEqualTo(new Progress(2, 2, 1));
        assertThat(rows(words, "apple")).containsExactly(row(20_000), row(39_999));
    }

    @Test
    void rowsThatAreWrittenDuringABuildAreFoundByWhatTheyHave() throws Exception {
        TableName words = table("busy");
        fill(words);
        var ended = new AtomicBoolean();
        ExecutorService clients = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> client = clients.submit(() -> {
                int written = 0;
                while (!ended.get()) {
                    put(words, row(written * 7 % ROWS), "new" + written % 5);
                    written++;
                }
                return written;
            });
            indexes.create(words, definition());
            assertThat(indexes.withRate(4_000).build(words, INDEX)).isTrue();
            ended.set(true);
            assertThat(client.get(1, TimeUnit.MINUTES)).isPositive();
        } finally {
            ended.set(true);
            clients.shutdown();
        }

        int found = 0;
        for (int i = 0; i < 10; i++) {
            found += rows(words, "w" + i).size() + rows(words, "new" + i).size();
        }
        assertThat(found).isEqualTo(ROWS);
    }

    @Test
    void anIndexOverSeveralColumnsIsBuiltAndVerifiedAsWell() throws IOException {
        TableName words = table("several");
        for (int i = 0; i < 30; i++) {
            put(words, row(i), "w" + i % 3);
        }
        try (Table table = cluster.connection().getTable(words)) {
            for (int i = 0; i < 20; i++) {
                table.put(new Put(bytes(row(i))).addColumn(FAMILY, bytes("other"), bytes("o" + i % 2)));
            }
        }
        indexes.create(
                words,
                IndexDefinition.builder(INDEX)
                        .column("f", "word", Encoding.UTF8)
                        .column("f", "other", Encoding.UTF8)
                        .cover("f", "more")
                        .build());

        assertThat(indexes.build(words, INDEX)).isTrue();
        assertThat(rows(words, "w0")).hasSize(10);
        assertThat(indexes.verify(words, INDEX, VerifyMethod.HASH).isExact()).isTrue();
        assertThat(indexes.verify(words, INDEX, VerifyMethod.MERGE).isExact()).isTrue();
        put(words, row(0), "w1");
        for (VerifyMethod method : VerifyMethod.values()) {
            VerifyReport report = indexes.verify(words, INDEX, method);
            assertThat(report.missing()).isZero();
            assertThat(report.stale()).isEqualTo(1);
            assertThat(report.dangling()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "columns=f:word:utf8; versions=3",
                "columns=f:word:fold.words; salt=4",
                "columns=f:word:utf8.split(%20).desc; mode=sync",
                "columns=f:word:utf8, f:other:utf8; covers=f:more; salt=2"
            })
    void anIndexOfAnyKindIsExactWhenItHasBeenBuilt(String text) throws IOException {
        TableName words = cluster.freshTable(
                "kinds",
                table -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMaxVersions(3)
                        .build()));
        for (int i = 0; i < 60; i++) {
            put(words, row(i % 20), "The quick" + i % 7 + " brown" + i % 3 + " fox");
        }

        indexes.create(words, IndexDefinition.parse(INDEX, text));
        assertThat(indexes.build(words, INDEX)).isTrue();

        for (VerifyMethod method : VerifyMethod.values()) {
            VerifyReport report = indexes.verify(words, INDEX, method);
            assertThat(report.isExact()).as("%s", report).isTrue();
            assertThat(report.rows()).isEqualTo(20);
            assertThat(report.entries()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void aCloneWithoutEntriesAnswersNothingUntilItsIndexIsBuilt() throws IOException {
        TableName words = table("cloned");
        put(words, "r1", "apple");
        indexes.create(words, definition());
        assertThat(indexes.build(words, INDEX)).isTrue();
        TableName clone = cluster.freshName("clone");
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.snapshot(words.getNameAsString() + "_snapshot", words);
            admin.cloneSnapshot(words.getNameAsString() + "_snapshot", clone);
        }

        assertThatThrownBy(() -> rows(clone, "apple")).isInstanceOf(IOException.class);

        assertThat(indexes.build(clone, INDEX)).isTrue();
        put(clone, "r2", "apple");
        assertThat(rows(clone, "apple")).containsExactly("r1", "r2");
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    @Test
    void aPausedIndexIsKeptButNotRead() throws IOException {
        TableName words = table("paused");
        indexes.create(words, definition());
        assertThat(indexes.build(words, INDEX)).isTrue();

        indexes.pause(words, INDEX);
        put(words, "r1", "apple");
        assertThatThrownBy(() -> rows(words, "apple")).hasMessageContaining("is paused");
        assertThatThrownBy(() -> indexes.build(words, INDEX)).hasMessageContaining("paused; resume");

        indexes.resume(words, INDEX);
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    @Test
    void aPauseStopsABuildAndItsEndGoesOnWithIt() throws IOException {
        TableName words = table("pausedbuild");
        fill(words);
        indexes.create(words, definition());
        var once = new AtomicBoolean();

        HindexAdmin interrupted = indexes.withProgress(progress -> {
            if (progress.rows() > 0 && !once.getAndSet(true)) {
                pause(words);
            }
        });
        assertThat(interrupted.build(words, INDEX)).isFalse();
        assertThat(indexes.get(words, INDEX).definition().state()).isEqualTo(IndexState.PAUSED);

        indexes.resume(words, INDEX);
        assertThat(indexes.get(words, INDEX).definition().state()).isEqualTo(IndexState.BUILDING);
        assertThat(indexes.build(words, INDEX)).isTrue();
        assertThat(rows(words, "w3")).hasSize(ROWS / 10);
    }

    private void pause(TableName table) {
        try {
            indexes.pause(table, INDEX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aDisabledIndexIsBuiltFromTheBeginning() throws IOException {
        TableName words = table("disabled");
        put(words, "r1", "apple");
        put(words, "r2", "apple");
        indexes.create(words, definition());
        assertThat(indexes.build(words, INDEX)).isTrue();

        indexes.disable(words, INDEX);
        put(words, "r1", "pear");
        compact(words);

        assertThat(indexes.build(words, INDEX)).isTrue();
        assertThat(rows(words, "apple")).containsExactly("r2");
        assertThat(rows(words, "pear")).containsExactly("r1");
    }

    @Test
    void aDroppedIndexLeavesNothing() throws IOException {
        TableName words = table("dropped");
        indexes.create(words, definition());
        TableName entries = indexes.get(words, INDEX).entries();

        indexes.drop(words, INDEX);

        assertThat(indexes.list(words)).isEmpty();
        try (Admin admin = cluster.connection().getAdmin()) {
            assertThat(admin.tableExists(entries)).isFalse();
        }
        put(words, "r1", "apple");
        indexes.create(words, definition());
        assertThat(indexes.build(words, INDEX)).isTrue();
        assertThat(rows(words, "apple")).containsExactly("r1");
    }

    @Test
    void theModeChangesWhileTheIndexIsRead() throws IOException {
        TableName words = table("mode");
        indexes.create(words, definition());
        assertThat(indexes.build(words, INDEX)).isTrue();
        put(words, "r1", "apple");

        indexes.mode(words, INDEX, IndexMode.SYNC);

        put(words, "r1", "pear");
        assertThat(indexes.get(words, INDEX).definition().mode()).isEqualTo(IndexMode.SYNC);
        assertThat(rows(words, "apple")).isEmpty();
        assertThat(rows(words, "pear")).containsExactly("r1");
    }

    @Test
    void allIndexesOfAllTablesAreListed() throws IOException {
        TableName words = table("listed");
        indexes.create(words, definition());
        indexes.create(
                words,
                IndexDefinition.builder("by_other")
                        .column("f", "other", Encoding.UTF8)
                        .build());

        assertThat(indexes.list(words))
                .extracting(index -> index.definition().name())
                .containsExactlyInAnyOrder(INDEX, "by_other");
        assertThat(indexes.list()).extracting(IndexInfo::table).contains(words);
        assertThatThrownBy(() -> indexes.create(words, definition())).hasMessageContaining("already");
        assertThatThrownBy(() -> indexes.get(words, "none")).hasMessageContaining("there is no index none");
    }

    /** It goes between the question whether its entries can be read and the look into them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aListOfAllIndexesDoesNotFailBecauseOneIsDropped(boolean isDeleted) throws IOException {
        TableName dropped = table("dropped");
        TableName other = table("other");
        indexes.create(dropped, definition());
        indexes.create(other, definition());
        TableName entries = indexes.get(dropped, INDEX).entries();
        Connection connection = onceSeenEnabled(entries, admin -> {
            admin.disableTable(entries);
            if (isDeleted) {
                admin.deleteTable(entries);
            }
        });

        List<IndexInfo> listed = HindexAdmin.of(connection).list();

        assertThat(listed).extracting(IndexInfo::table).contains(dropped, other);
        assertThat(listed)
                .filteredOn(index -> index.table().equals(dropped))
                .extracting(IndexInfo::isComplete)
                .containsExactly(false);
        try (Admin admin = cluster.connection().getAdmin()) {
            assertThat(admin.tableExists(entries)).isNotEqualTo(isDeleted);
        }
    }

    /** What somebody else does. */
    @FunctionalInterface
    private interface Meanwhile {
        void with(Admin admin) throws IOException;
    }

    /** The cluster's connection; when it has told that a table is enabled, somebody else does something. */
    private Connection onceSeenEnabled(TableName name, Meanwhile meanwhile) {
        Connection connection = cluster.connection();
        return forwarding(
                Connection.class,
                connection,
                (method, arguments, result) -> result instanceof Admin admin
                        ? forwarding(Admin.class, admin, (asked, about, answer) -> {
                            if (asked.getName().equals("isTableEnabled") && name.equals(about[0])) {
                                meanwhile.with(admin);
                            }
                            return answer;
                        })
                        : result);
    }

    /** What is done after a call. */
    @FunctionalInterface
    private interface After {
        Object call(Method method, Object[] arguments, Object result) throws IOException;
    }

    private static <T> T forwarding(Class<T> type, T to, After after) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(to, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    return after.call(method, arguments, result);
                }));
    }

    private static IndexDefinition definition() {
        return IndexDefinition.builder(INDEX).column("f", "word", Encoding.UTF8).build();
    }

    private TableName table(String name) {
        return cluster.freshTable(name, HindexAdminTest::withFamily);
    }

    private static TableDescriptorBuilder withFamily(TableDescriptorBuilder table) {
        return table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    }

    private void fill(TableName name) throws IOException {
        var puts = new ArrayList<Put>();
        for (int i = 0; i < ROWS; i++) {
            puts.add(word(row(i), "w" + i % 10));
        }
        try (Table table = cluster.connection().getTable(name)) {
            table.put(puts);
        }
    }

    private static String row(int number) {
        return "r" + (10_000 + number);
    }

    private void put(TableName name, String row, String word) throws IOException {
        try (Table table = cluster.connection().getTable(name)) {
            table.put(word(row, word));
        }
    }

    private List<String> rows(TableName name, String word) throws IOException {
        return IndexedTable.open(cluster.connection(), name, INDEX).readValue(bytes(word)).stream()
                .map(hit -> text(hit.row()))
                .toList();
    }

    private void compact(TableName name) throws IOException {
        for (var region : cluster.regions(name)) {
            region.flush(true);
            region.compact(true);
        }
    }
}

package io.leeway.hindex.internal.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.HindexEndpoint;
import io.leeway.hindex.HindexObserver;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.query.ReadOrder;
import io.leeway.hindex.internal.query.ScanRange;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionReaderTest {

    private static final byte[] FAMILY = bytes("f");
    private static final byte[] WORD = bytes("word");
    private static final int REMOVED = 20_000;

    private final HBaseCluster cluster = TestClusters.light();

    /** A region that has not compacted them skips them in one go, and holds the handler meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallEndsInTimeAmongEntriesThatWereRemoved(boolean descending) throws IOException {
        IndexPlan index = indexWithRemovedEntries();
        RegionReader reader = reader(index, 1);
        List<ScanRange> left = List.of(ScanRange.of(new byte[0], new byte[0]));
        var found = new ArrayList<String>();
        int callsWithoutHits = 0;
        while (!left.isEmpty()) {
            ReadProtocol.Answer answer = ask(reader, index, left, descending);
            answer.hits().forEach(hit -> found.add(new String(index.row(hit.key()), UTF_8)));
            byte[] last = answer.last();
            left = last == null ? List.of() : new ReadOrder(false, descending).remaining(left, last);
            callsWithoutHits += last != null && answer.hits().isEmpty() ? 1 : 0;
        }
        reader.close();

        assertThat(found).containsExactly(descending ? "last" : "first", descending ? "first" : "last");
        assertThat(callsWithoutHits).isPositive();
    }

    /** Of two tables with equal indexes one is asked for with the other's name: that is refused, and changes nothing for who asks rightly. */
    @Test
    void aCallForAnotherTableIsRefusedAndNotRemembered() throws IOException {
        IndexPlan index = index("asked");
        IndexPlan other = index("other");
        RegionReader reader = reader(index, Duration.ofMinutes(1).toNanos());
        List<ScanRange> all = List.of(ScanRange.of(new byte[0], new byte[0]));
        for (TableName wrong : List.of(base(other), TableName.valueOf("none"))) {
            assertThatThrownBy(() -> reader.read(request(wrong, index, all, false)))
                    .isInstanceOf(IllegalArgumentException.class)
                    // The same whether there is such a table or not.
                    .hasMessage("index by_word is not what it was when the client opened it; open it anew");

            assertThat(ask(reader, index, all, false).hits()).isEmpty();
        }
        reader.close();
    }

    private static TableName base(IndexPlan index) {
        return TableName.valueOf(index.table().getNameAsString().replace(".hindex." + index.name(), ""));
    }

    private static ReadProtocol.Request request(
            TableName base, IndexPlan index, List<ScanRange> ranges, boolean descending) {
        var lookup = new Lookup(ranges, new ReadOrder(false, descending), Long.MAX_VALUE, 1, Fetch.INDEXED);
        return new ReadProtocol.Request(base, index.name(), index.definition().toText(), lookup, 10);
    }

    private static ReadProtocol.Answer ask(
            RegionReader reader, IndexPlan index, List<ScanRange> ranges, boolean descending) throws IOException {
        return ReadProtocol.answer(reader.read(request(base(index), index, ranges, descending)), index);
    }

    private RegionReader reader(IndexPlan index, long mostNanos) {
        RegionCoprocessorEnvironment environment = cluster.regions(index.table())
                .get(0)
                .getCoprocessorHost()
                .findCoprocessorEnvironment(HindexEndpoint.class.getName());
        return new RegionReader(
                environment,
                ServerReads.acquire(environment, Duration.ofSeconds(20)),
                Metrics.of(environment.getMetricRegistryForRegionServer(), Metrics.Side.INDEX),
                entries -> {},
                mostNanos);
    }

    private IndexPlan index(String name) throws IOException {
        TableDescriptor table = TableDescriptorBuilder.newBuilder(cluster.freshName(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setValue("hindex.index.by_word", "columns=f:word:utf8; state=active")
                .setCoprocessor(HindexObserver.class.getName())
                .build();
        IndexPlan index = TablePlan.of(table).named("by_word");
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(IndexTables.descriptor(index, table))
                    .setValue("hbase.cells.scanned.per.heartbeat.check", "10")
                    .build());
            admin.createTable(table);
        }
        return index;
    }

    private IndexPlan indexWithRemovedEntries() throws IOException {
        IndexPlan index = index("removed");
        var puts = new ArrayList<Put>(List.of(word("first", "a"), word("last", "z")));
        var deletes = new ArrayList<Delete>();
        for (int i = 0; i < REMOVED; i++) {
            puts.add(word("r" + i, "w" + i));
            deletes.add(new Delete(bytes("r" + i)));
        }
        try (Table words = cluster.connection().getTable(base(index))) {
            words.put(puts);
            words.delete(deletes);
        }
        for (var region : cluster.regions(base(index))) {
            region.flush(true);
            region.compact(true);
        }
        return index;
    }

    private static Put word(String row, String word) {
        return new Put(bytes(row)).addColumn(FAMILY, WORD, bytes(word));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}

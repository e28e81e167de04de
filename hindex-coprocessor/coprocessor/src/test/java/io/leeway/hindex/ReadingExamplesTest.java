package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What the page on reading shows, as it stands there. */
class ReadingExamplesTest {

    private final HBaseCluster cluster = TestClusters.light(2);

    @Test
    void theyRun() throws Exception {
        try (var numbers = IndexedNumbers.create(
                cluster, Map.of("by_n", "columns=f:n:long; versions=2", "by_tag", "columns=f:tags:utf8.split(%2C)"))) {
            for (int i = 0; i < 40; i++) {
                numbers.table().put(IndexedNumbers.put("r" + i, (long) i, List.of("red", "t" + i % 7)));
            }
            Connection connection = cluster.connection();
            TableName table = numbers.name();
            var seen = new ArrayList<String>();

            // 1
            IndexedTable byNumber = IndexedTable.open(connection, table, "by_n");
            try (IndexedRows rows = byNumber.query(
                    IndexQuery.where(Condition.between(10L, 19L)).descending().limit(5))) {
                for (IndexedRow row : rows) {
                    seen.add(Bytes.toString(row.row()) + " has " + row.values().get(0) + " since " + row.timestamp());
                }
            }
            assertThat(seen).hasSize(5);
            assertThat(seen.get(0)).startsWith("r19 has 19 since ");

            // 2
            IndexQuery newest = IndexQuery.where(Condition.above(30L)).limit(4);
            IndexPage first = byNumber.page(newest, null);
            IndexPage second = byNumber.page(newest, first.next());
            assertThat(second.rows().get(0).values()).isEqualTo(List.<Object>of(35L));

            // 3
            IndexedTable byTag = IndexedTable.openFor(connection, table, ColumnName.of("f", "tags"));
            IndexQuery red = IndexQuery.where(Condition.in(List.of("red", "t3")))
                    .withColumns(ColumnName.of("f", "note"))
                    .timeout(Duration.ofSeconds(10));
            try (IndexedRows rows = byTag.query(red)) {
                for (IndexedRow row : rows) {
                    seen.add(Bytes.toString(row.result().getValue(Bytes.toBytes("f"), Bytes.toBytes("note"))));
                }
            }
            assertThat(seen).hasSize(45).contains("note of r3").doesNotHaveDuplicates();

            // 4
            long before = byNumber.readValue(Bytes.toBytes(7L)).get(0).timestamp();
            numbers.table().put(IndexedNumbers.put("r7", 700L, List.of("blue")));
            List<IndexedRow> then = byNumber.readValue(Bytes.toBytes(7L), before);
            assertThat(then).hasSize(1);

            // 5
            var filter = new SingleColumnValueFilter(
                    Bytes.toBytes("f"), Bytes.toBytes("n"), CompareOperator.EQUAL, Bytes.toBytes(12L));
            filter.setFilterIfMissing(true);
            try (Table plain = connection.getTable(table);
                    ResultScanner rows = plain.getScanner(new Scan().setFilter(filter))) {
                rows.forEach(row -> seen.add(Bytes.toString(row.getRow())));
            }
            assertThat(seen).hasSize(46).contains("r12");
        }
    }
}

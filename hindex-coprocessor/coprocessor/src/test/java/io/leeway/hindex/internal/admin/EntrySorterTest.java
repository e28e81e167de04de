package io.leeway.hindex.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntrySorterTest {

    private static final IndexPlan INDEX = TablePlan.of(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                    .setValue(IndexDefinition.ATTRIBUTE_PREFIX + "i", "columns=d:city:utf8")
                    .build())
            .named("i");

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 1 << 30})
    void returnsAllInTheOrderOfTheIndexHoweverLittleMemoryThereIs(long capacity) throws IOException {
        List<Entry> entries = entries(300);
        var sorted = new ArrayList<Entry>();
        try (var sorter = new EntrySorter(INDEX, capacity)) {
            for (Entry entry : entries) {
                sorter.add(entry);
            }
            sorter.sort();
            for (Entry entry = sorter.next(); entry != null; entry = sorter.next()) {
                sorted.add(entry);
            }
        }

        assertThat(sorted).isSortedAccordingTo(EntrySorter.ORDER).containsExactlyInAnyOrderElementsOf(entries);
    }

    @Test
    void doesNotOpenAllRunsAtOnce() throws IOException {
        List<Entry> entries = entries(EntrySorter.FAN_IN * 3);
        var sorted = new ArrayList<Entry>();
        try (var sorter = new EntrySorter(INDEX, 1)) {
            for (Entry entry : entries) {
                sorter.add(entry);
            }
            sorter.sort();

            assertThat(sorter.openFiles()).isBetween(1L, (long) EntrySorter.FAN_IN);
            for (Entry entry = sorter.next(); entry != null; entry = sorter.next()) {
                sorted.add(entry);
            }
        }
        assertThat(sorted).isSortedAccordingTo(EntrySorter.ORDER).containsExactlyInAnyOrderElementsOf(entries);
    }

    @Test
    void nothingIsSortedToNothing() throws IOException {
        try (var sorter = new EntrySorter(INDEX, 1)) {
            sorter.sort();
            assertThat(sorter.next()).isNull();
        }
    }

    @Test
    void shareOfATableGrowsFromNoughtToOne() {
        var space = new Keyspace(List.of(new byte[0], new byte[] {0x40}, new byte[] {(byte) 0x80, 1}));

        double last = 0;
        for (int key = 0; key < 256; key++) {
            double share = space.before(new byte[] {(byte) key});
            assertThat(share).isBetween(last, 1.0);
            last = share;
        }
        assertThat(space.before(new byte[] {0x40})).isEqualTo(1.0 / 3);
        assertThat(space.region(new byte[] {(byte) 0x80})).isEqualTo(1);
        assertThat(space.region(new byte[] {(byte) 0x80, 1, 2})).isEqualTo(2);
    }

    private static List<Entry> entries(int count) {
        RandomGenerator random = Seeds.random("entries");
        var entries = new ArrayList<Entry>();
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[random.nextInt(4)];
            random.nextBytes(key);
            byte[] qualifier = {'e', (byte) random.nextInt(2)};
            entries.add(new Entry(INDEX, key, qualifier, random.nextInt(5)));
        }
        return entries;
    }
}

package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class UnsettledRemovalsTest {

    private static final long NANOS = 100;

    /** Clocks of this kind begin anywhere, and run over. */
    private long now = Long.MAX_VALUE - 30;

    private final UnsettledRemovals removals = new UnsettledRemovals(3, NANOS, () -> now);

    private static Entry entry(String value, long timestamp) {
        // Each time another plan, as regions have plans of their own.
        IndexPlan index = TablePlan.of(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                        .setValue("hindex.index.by_word", "columns=f:word:utf8; state=active")
                        .build())
                .named("by_word");
        return new Entry(index, Bytes.toBytes(value), timestamp);
    }

    private void put(String value, long timestamp) throws IOException {
        removals.requireSettled(List.of(NewEntry.of(entry(value, timestamp))));
    }

    @Test
    void anEntryIsNotWrittenWhileItsRemovalMayCome() throws IOException {
        removals.add(List.of(entry("a", 1)));

        assertThatThrownBy(() -> put("a", 1)).isInstanceOf(RegionTooBusyException.class);
        put("a", 2);
        put("b", 1);
        now += NANOS - 1;
        assertThatThrownBy(() -> put("a", 1)).isInstanceOf(RegionTooBusyException.class);
        now++;
        put("a", 1);
    }

    @Test
    void theLastOfSeveralFailuresCounts() throws IOException {
        removals.add(List.of(entry("a", 1), entry("b", 1)));
        now += NANOS - 1;
        removals.add(List.of(entry("a", 1)));
        now++;

        put("b", 1);
        assertThatThrownBy(() -> put("a", 1)).isInstanceOf(RegionTooBusyException.class);
        now += NANOS;
        put("a", 1);
    }

    @Test
    void noMoreRemovalsAreSentThanCanBeRemembered() throws IOException {
        // One call may have any number, if no other has failed.
        removals.requireRoom(5);
        removals.add(List.of(entry("a", 1)));

        assertThatCode(() -> removals.requireRoom(2)).doesNotThrowAnyException();
        assertThatThrownBy(() -> removals.requireRoom(3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("hindex.clock.skew");
        now += NANOS;
        removals.requireRoom(3);
    }
}

package io.leeway.hindex.internal.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Which entries are removed although they came back, and for how long that is remembered. */
class RemovalsTest {

    private final IndexPlan index = TablePlan.of(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .setValue("hindex.index.by_word", "columns=f:word:utf8")
                    .build())
            .named("by_word");
    private final List<Entry> sent = new ArrayList<>();
    private final Removals removals = new Removals(sent::addAll, 1_000, entries -> Set.of(), 3);

    private Entry entry(String word) {
        return entry(word, 1);
    }

    private Entry entry(String word, long timestamp) {
        return index.newEntries(Bytes.toBytes("r"), Bytes.toBytes(word), timestamp)
                .get(0);
    }

    @Test
    void whatEverybodyKnowsIsForgottenOneFlushLater() throws IOException {
        Entry apple = entry("apple");
        long before = removals.knowledge();
        removals.revive(List.of(apple));
        long after = removals.knowledge();

        removals.forget(after);
        assertThat(removals.remembered()).isEqualTo(1);
        assertThat(removals.isRevivedSince(List.of(apple), before)).isTrue();
        assertThat(removals.revivedSince(List.of(index), before)).containsExactly(apple);

        removals.forget(after);
        assertThat(removals.remembered()).isZero();
        assertThat(removals.isRevivedSince(List.of(apple), after)).isFalse();
        assertThat(removals.remove(List.of(apple), after)).isEmpty();
        assertThat(sent).containsExactly(apple);
    }

    @Test
    void whoseKnowledgeIsForgottenTakesAllForRevived() throws IOException {
        long before = removals.knowledge();
        removals.revive(List.of(entry("apple")));
        long after = removals.knowledge();
        removals.forget(after);
        removals.forget(after);

        assertThat(removals.remove(List.of(entry("apple"), entry("pear")), before))
                .containsExactly(entry("apple"), entry("pear"));
        assertThat(sent).isEmpty();
        assertThat(removals.canTellApart(before)).isFalse();
        assertThat(removals.canTellApart(after)).isTrue();
        assertThat(removals.isRevivedSince(List.of(entry("pear")), before)).isTrue();
        // Nobody has to look for it: who did not know of it knows.
        assertThat(removals.lostSince(before)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void ofMoreThanAreRememberedTheLowestTimestampIs() throws IOException {
        long before = removals.knowledge();
        removals.revive(List.of(entry("apple", 70), entry("pear", 50)));
        long between = removals.knowledge();
        assertThat(removals.canTellApart(before)).isTrue();
        assertThat(removals.lostSince(before)).isEqualTo(Long.MAX_VALUE);

        removals.revive(List.of(entry("plum", 80), entry("cherry", 60)));
        long after = removals.knowledge();
        removals.revive(List.of(entry("quince", 40)));

        assertThat(removals.canTellApart(between)).isFalse();
        assertThat(removals.canTellApart(after)).isTrue();
        assertThat(removals.remove(List.of(entry("fig")), between)).containsExactly(entry("fig"));
        assertThat(removals.lostSince(before)).isEqualTo(50);
        assertThat(removals.lostSince(between)).isEqualTo(50);
        assertThat(removals.lostSince(after)).isEqualTo(Long.MAX_VALUE);
        assertThat(removals.revivedSince(List.of(index), before)).containsExactly(entry("quince", 40));

        removals.forget(removals.knowledge());
        removals.forget(removals.knowledge());
        removals.revive(List.of(entry("a", 9), entry("b", 8), entry("c", 7), entry("d", 6)));
        assertThat(removals.lostSince(after)).isEqualTo(6);
    }

    @Test
    void whatSomebodyStillHasToKnowStays() throws IOException {
        removals.revive(List.of(entry("apple")));
        long compaction = removals.knowledge();
        removals.revive(List.of(entry("pear")));

        removals.forget(compaction);
        removals.forget(removals.knowledge());

        assertThat(removals.remembered()).isEqualTo(1);
        assertThat(removals.isRevivedSince(List.of(entry("pear")), compaction)).isTrue();
        assertThat(removals.isRevivedSince(List.of(entry("apple")), compaction)).isFalse();
    }
}

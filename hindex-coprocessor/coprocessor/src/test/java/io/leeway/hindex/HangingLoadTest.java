package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files on servers that do not answer hold up nobody but their own load; without a region. */
@Timeout(120)
class HangingLoadTest {

    private static final byte[] FAMILY = IndexedWords.FAMILY;
    private static final Duration TIME = Duration.ofSeconds(3);

    @TempDir
    Path directory;

    private final Configuration configuration = HBaseConfiguration.create();
    private final TablePlan plan = TablePlan.of(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue("hindex.index.by_word", "columns=f:word:utf8")
            .setValue("hindex.index.pair", "columns=f:word:utf8, f:other:utf8")
            .build());
    private final Region region = new Region();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private volatile boolean isBusy;
    private final BulkLoads loads;

    HangingLoadTest() {
        configuration.setClass("fs.hanging.impl", HangingFiles.class, org.apache.hadoop.fs.FileSystem.class);
        loads = new BulkLoads(
                plan, configuration, region, new BulkLoads.Settings(false, TIME, 1_000_000, Duration.ofMillis(500)));
    }

    @AfterEach
    void answer() {
        HangingFiles.answer();
        others.shutdown();
        loads.running().stop();
    }

    @Test
    void writesAreRefusedAndEntriesStayWhileTheFilesOfALoadDoNotAnswer() throws Exception {
        loads.before(files(HangingFiles.SCHEME, 100));
        Entry ofFile = region.entries.get(0).entry();
        List<Entry> some = new ArrayList<>(List.of(ofFile));
        for (int i = 0; i < 200; i++) {
            some.addAll(index("by_word").newEntries(Bytes.toBytes("k1"), Bytes.toBytes("other" + i), 100));
        }
        awaitAnswer(() -> assertThat(loads.running().held(some)).containsExactly(ofFile));
        awaitAnswer(() -> assertThat(loads.running().of(index("pair"), Bytes.toBytes("k1")))
                .hasSize(1));

        HangingFiles.hang();

        assertThatThrownBy(() -> loads.running().of(index("pair"), Bytes.toBytes("k1")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("could not be read within 500 ms");
        assertThat(loads.running().held(some)).isEqualTo(new HashSet<>(some));

        HangingFiles.answer();
        // What waits is answered first.
        Set<Entry> held = loads.running().held(some);
        while (held.size() > 1) {
            TimeUnit.MILLISECONDS.sleep(10);
            held = loads.running().held(some);
        }
        assertThat(held).containsExactly(ofFile);
        awaitAnswer(() -> assertThat(loads.running().of(index("pair"), Bytes.toBytes("k1")))
                .hasSize(1));
    }

    /** Where the machine is busy, even files that answer may take longer than others wait for them. */
    private static void awaitAnswer(ThrowingRunnable answer) {
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(answer);
    }

    private List<Pair<byte[], String>> begun() throws IOException {
        List<Pair<byte[], String>> files = files(HangingFiles.SCHEME, 100);
        isBusy = true;
        assertThatThrownBy(() -> loads.before(files)).isInstanceOf(RegionTooBusyException.class);
        isBusy = false;
        return files;
    }

    /** Nobody works on it, so its files may be gone; but who asks for that has a limit, too. */
    @Test
    void writesAreRefusedWhileTheFilesOfALoadThatRestsDoNotAnswer() throws Exception {
        begun();
        awaitAnswer(() -> assertThat(loads.running().of(index("pair"), Bytes.toBytes("k1")))
                .hasSize(1));
        HangingFiles.hang();

        assertThatThrownBy(() -> loads.running().of(index("pair"), Bytes.toBytes("k1")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("could not be read within 500 ms");
    }

    @Test
    void aLoadWhoseFilesDoNotAnswerIsRefusedAndGoesOnWhenTheyDo() throws Exception {
        List<Pair<byte[], String>> files = begun();
        HangingFiles.hang();
        assertThatThrownBy(() -> loads.before(files))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("(hindex.load.time)");
        assertThat(region.entries).isEmpty();

        HangingFiles.answer();
        loads.before(files);

        assertThat(region.entries).hasSize(1);
    }

    /** The load that looks whether those before it are still there waits, but not with what others need. */
    @Test
    void aLoadThatWaitsForFilesHoldsUpNobodyElse() throws Exception {
        begun();
        HangingFiles.hang();
        Future<?> next = others.submit(() -> {
            loads.before(files("file", 200));
            return null;
        });
        while (!isWaitedFor("exists")) {
            assertThat(next.isDone()).isFalse();
            TimeUnit.MILLISECONDS.sleep(10);
        }

        Future<?> everybodyElse = others.submit(() -> {
            assertThat(loads.running().areStatesComing()).isTrue();
            loads.running().afterFlush(Bytes.toString(FAMILY));
            assertThat(loads.running()
                            .held(index("by_word").newEntries(Bytes.toBytes("k1"), Bytes.toBytes("apple"), 100)))
                    .hasSize(1);
            return null;
        });
        everybodyElse.get(60, TimeUnit.SECONDS);

        assertThatThrownBy(() -> next.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RegionTooBusyException.class)
                .hasMessageContaining("other files are being loaded");
    }

    /** Whoever ends a load holds what writes need. */
    @Test
    void nobodyWaitsForFilesToBeClosed() throws Exception {
        List<Pair<byte[], String>> files = files(HangingFiles.SCHEME, 100);
        loads.before(files);
        HangingFiles.hangToClose();

        Future<?> end = others.submit(() -> {
            loads.after(files, true);
            return null;
        });
        end.get(60, TimeUnit.SECONDS);

        assertThat(loads.running().isUnderWay()).isFalse();
        HangingFiles.answer();
    }

    private static boolean isWaitedFor(String method) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(stack -> Stream.of(stack))
                .anyMatch(frame -> frame.getClassName().equals(HangingFiles.class.getName())
                        && frame.getMethodName().equals(method));
    }

    private IndexPlan index(String name) {
        return plan.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findAny()
                .orElseThrow();
    }

    private List<Pair<byte[], String>> files(String scheme, long timestamp) throws IOException {
        var cell = new KeyValue(Bytes.toBytes("k1"), FAMILY, IndexedWords.WORD, timestamp, IndexedWords.bytes("apple"));
        return LoadedCells.write(configuration, directory, List.of(List.of(cell))).stream()
                .map(file -> new Pair<>(FAMILY, scheme + "://" + file.toUri().getPath()))
                .toList();
    }

    private final class Region extends BareRegion {

        @Override
        public void put(List<NewEntry> written) throws IOException {
            if (isBusy) {
                throw new RegionTooBusyException("the region is busy");
            }
            super.put(written);
        }
    }
}

package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkLoadTest {

    private static final HBaseCluster CLUSTER = TestClusters.light();

    @TempDir
    java.nio.file.Path directory;

    @Test
    void filesAreRefusedWhileAnIndexIsKept() throws IOException {
        try (IndexedWords words = IndexedWords.create(CLUSTER, "")) {
            assertThatThrownBy(() -> load(words, "k1", "early")).hasStackTraceContaining("disable the index");

            assertThat(words.visible()).isEmpty();
        }
    }

    @Test
    void loadedRowsAreFoundOnceTheIndexIsBuiltAgain() throws IOException {
        HindexAdmin admin = HindexAdmin.of(CLUSTER.connection());
        try (IndexedWords words = IndexedWords.create(CLUSTER, "")) {
            words.put("k1", "before");
            admin.disable(words.name(), IndexedWords.INDEX);

            load(words, "k2", "loaded");
            admin.build(words.name(), IndexedWords.INDEX);

            assertThat(words.rows("loaded")).containsExactly("k2");
            assertThat(words.rows("before")).containsExactly("k1");
            assertThat(admin.verify(words.name(), IndexedWords.INDEX).isSound()).isTrue();
        }
    }

    private void load(IndexedWords words, String row, String word) throws IOException {
        Configuration configuration = new Configuration(CLUSTER.configuration());
        configuration.setInt("hbase.bulkload.retries.number", 1);
        configuration.setInt("hbase.client.retries.number", 2);
        var file = new Path(
                Files.createTempDirectory(directory, "load").resolve("f/file").toUri());
        try (HFile.Writer writer = HFile.getWriterFactory(configuration, new CacheConfig(configuration))
                .withPath(FileSystem.getLocal(configuration), file)
                .withFileContext(new HFileContextBuilder().build())
                .create()) {
            writer.append(new KeyValue(
                    Bytes.toBytes(row),
                    IndexedWords.FAMILY,
                    IndexedWords.WORD,
                    System.currentTimeMillis(),
                    Bytes.toBytes(word)));
        }
        Map<byte[], List<Path>> files = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        files.put(IndexedWords.FAMILY, List.of(file));
        BulkLoadHFiles.create(configuration).bulkLoad(words.name(), files);
    }
}

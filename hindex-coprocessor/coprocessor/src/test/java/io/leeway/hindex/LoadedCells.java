package io.leeway.hindex;

import io.leeway.testkit.hbase.HBaseCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/** Loads cells in files. */
final class LoadedCells {

    private LoadedCells() {}

    /** Each list in a file, all in one load, as {@code completebulkload} does it. */
    static void load(HBaseCluster cluster, java.nio.file.Path directory, TableName table, List<List<KeyValue>> files)
            throws IOException {
        Configuration configuration = cluster.configuration();
        configuration.setInt("hbase.bulkload.retries.number", 1);
        // Between two calls of a load that takes several.
        configuration.setInt("hbase.client.pause", 5);
        configuration.setInt("hbase.client.retries.number", 60);
        load(configuration, directory, table, files);
    }

    /** The same, as patiently as the configuration says. */
    static void load(
            Configuration configuration, java.nio.file.Path directory, TableName table, List<List<KeyValue>> files)
            throws IOException {
        Map<byte[], List<Path>> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        byFamily.put(IndexedWords.FAMILY, write(configuration, directory, files));
        BulkLoadHFiles.create(configuration).bulkLoad(table, byFamily);
    }

    /** Each list in a file. */
    static List<Path> write(Configuration configuration, java.nio.file.Path directory, List<List<KeyValue>> files)
            throws IOException {
        var paths = new ArrayList<Path>();
        java.nio.file.Path family =
                Files.createTempDirectory(directory, "load").resolve(Bytes.toString(IndexedWords.FAMILY));
        for (List<KeyValue> cells : files) {
            var file = new Path(family.resolve("file" + paths.size()).toUri());
            try (HFile.Writer writer = HFile.getWriterFactory(configuration, new CacheConfig(configuration))
                    .withPath(FileSystem.getLocal(configuration), file)
                    .withFileContext(new HFileContextBuilder().build())
                    .create()) {
                for (KeyValue cell :
                        cells.stream().sorted(CellComparator.getInstance()).toList()) {
                    writer.append(cell);
                }
            }
            paths.add(file);
        }
        return paths;
    }
}

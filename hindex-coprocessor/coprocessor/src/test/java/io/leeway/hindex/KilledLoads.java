package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.KnownRow.NONE;
import static io.leeway.hindex.KnownRow.UNTOUCHED;

import io.leeway.hindex.KnownRow.Content;
import io.leeway.testkit.hbase.RunningHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;

/** Loads files into a table whose servers are killed. For one thread. */
final class KilledLoads {

    /**
     * How far loaded cells lie ahead of the time. A region's clock may be ahead by as many milliseconds as it had writes at
     * once; what is loaded must be newer than what the same client wrote before.
     */
    private static final long AHEAD_MILLIS = 100;

    private final RunningHBase cluster;
    private final Path directory;
    private final TableName table;
    private long last;

    KilledLoads(RunningHBase cluster, Path directory, TableName table) {
        this.cluster = cluster;
        this.directory = directory;
        this.table = table;
    }

    /**
     * Loads what rows shall hold.
     *
     * @param apart whether the two columns are in files of their own, which HBase makes visible one after the other
     * @throws IOException if nobody knows whether the files, or which of them, were taken
     */
    void load(Map<String, Content> rows, boolean apart) throws IOException {
        last = Math.max(last + 1, System.currentTimeMillis() + AHEAD_MILLIS);
        var words = new ArrayList<KeyValue>();
        var others = new ArrayList<KeyValue>();
        rows.forEach((row, content) -> {
            if (content.equals(Content.EMPTY)) {
                words.add(new KeyValue(bytes(row), FAMILY, null, last, KeyValue.Type.DeleteFamily));
            } else {
                add(words, row, WORD, content.word());
                add(others, row, OTHER, content.other());
            }
        });
        var files = new ArrayList<List<KeyValue>>(List.of(words));
        if (apart) {
            files.add(others);
        } else {
            words.addAll(others);
        }
        files.removeIf(List::isEmpty);
        LoadedCells.load(configuration(), directory, table, files);
    }

    private void add(List<KeyValue> file, String row, byte[] column, String value) {
        if (value.equals(NONE)) {
            file.add(new KeyValue(bytes(row), FAMILY, column, last, KeyValue.Type.DeleteColumn));
        } else if (!value.equals(UNTOUCHED)) {
            file.add(new KeyValue(bytes(row), FAMILY, column, last, bytes(value)));
        }
    }

    /** A region that was split, or opened anew, is tried once more; clients must pause within some minutes. */
    private Configuration configuration() {
        Configuration configuration = cluster.configuration();
        configuration.setInt("hbase.bulkload.retries.number", 2);
        return configuration;
    }
}

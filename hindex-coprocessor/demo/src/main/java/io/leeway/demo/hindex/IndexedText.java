package io.leeway.demo.hindex;

import io.leeway.demo.Bars;
import io.leeway.demo.DemoContext;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import io.leeway.hindex.Condition;
import io.leeway.hindex.Encoding;
import io.leeway.hindex.HindexAdmin;
import io.leeway.hindex.HindexObserver;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexQuery;
import io.leeway.hindex.IndexedRow;
import io.leeway.hindex.IndexedRows;
import io.leeway.hindex.IndexedTable;
import io.leeway.hindex.VerifyReport;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/** The scenes of the demo, one after the other. */
final class IndexedText {

    private static final TableName TABLE = TableName.valueOf("lines");
    private static final byte[] FAMILY = bytes("f");
    private static final byte[] TEXT = bytes("text");
    private static final String INDEX = "by_word";
    private static final String WORD = "region";
    private static final int BATCH = 200;
    private static final int QUERIES = 20;
    private static final int SCANS = 3;
    private static final int SHOWN = 3;
    private static final long PATIENCE_SECONDS = 240;

    /** After which nothing arrives any more that a killed server has sent: here it is gone at once, and so are its calls. */
    private static final String FAILED_DELAY = "10s";

    private final ProcessCluster cluster;
    private final Connection connection;
    private final HindexAdmin indexes;
    private final SourceText text;
    private final Path jar;
    private final Teller teller;

    IndexedText(ProcessCluster cluster, SourceText text, Path jar, DemoContext context) {
        this.cluster = cluster;
        this.connection = cluster.connection();
        this.indexes = HindexAdmin.of(connection);
        this.text = text;
        this.jar = jar;
        this.teller = context.teller();
    }

    void show() throws Exception {
        int third = text.lines().size() / 3;
        try (var admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(TABLE)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .build());
        }
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            double before = write(text.lines().subList(0, third));
            putTheJarIn();
            Future<Double> during = writer.submit(() -> write(text.lines().subList(third, 2 * third)));
            build();
            double after = during.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            queries(2 * third);
            kill(writer, text.lines().subList(2 * third, text.lines().size()));
            afterTheKill();
            edit();
            numbers(before, after);
        } finally {
            writer.shutdownNow();
        }
    }

    /** Lines a second. */
    private double write(List<SourceText.Line> lines) throws IOException {
        return write(lines, written -> {});
    }

    private double write(List<SourceText.Line> lines, IntConsumer afterBatch) throws IOException {
        long start = System.nanoTime();
        try (var table = connection.getTable(TABLE)) {
            for (int from = 0; from < lines.size(); from += BATCH) {
                List<Put> puts = new ArrayList<>();
                for (SourceText.Line line : lines.subList(from, Math.min(lines.size(), from + BATCH))) {
                    puts.add(new Put(bytes(line.key())).addColumn(FAMILY, TEXT, bytes(line.text())));
                }
                table.put(puts);
                afterBatch.accept(puts.size());
            }
        }
        return lines.size() / ((System.nanoTime() - start) / 1e9);
    }

    private void putTheJarIn() throws IOException {
        teller.heading("The jar is put into the running server");
        teller.text(
                "A third of the lines is in the table. Now the table is told of the jar and of an index over every word"
                        + " of the text. That is a line in HBase's shell and one for the command line, and no server is"
                        + " restarted:");
        teller.code("""
                alter 'lines', METHOD => 'table_att', 'coprocessor' => 'file:///…/hindex-coprocessor.jar|%s||'
                $ hindex create lines %s 'columns=f:text:fold.words'""".formatted(HindexObserver.class.getName(), INDEX));
        teller.text("For the kill below the demo sets 'hindex.failed.delay' to %s, which is six minutes else."
                .formatted(FAILED_DELAY));
        try (var admin = connection.getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(TABLE))
                    .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(HindexObserver.class.getName())
                            .setJarPath(jar.toUri().toString())
                            .build())
                    .setValue("hindex.failed.delay", FAILED_DELAY)
                    .build());
        }
        indexes.create(
                TABLE,
                IndexDefinition.builder(INDEX)
                        .column("f", "text", Encoding.FOLDED.words())
                        .build());
    }

    private void build() throws IOException {
        long[] entries = new long[1];
        indexes.withProgress(progress -> entries[0] = progress.entries()).build(TABLE, INDEX);
        teller.text("While another third was written, by ordinary Puts, the index was built: %,d entries."
                .formatted(entries[0]));
    }

    private void queries(int written) throws IOException {
        teller.heading("Queries");
        Set<String> expected = withWord(text.lines().subList(0, written));
        teller.text("From Java, the lines with the word “%s”:".formatted(WORD));
        teller.code("IndexedTable.open(connection, table, \"%s\").query(IndexQuery.where(Condition.is(\"%s\")))"
                .formatted(INDEX, WORD));
        Set<String> found = byIndex(WORD);
        require(found.equals(expected), "the index found other lines than there are");
        teller.text("%,d lines, exactly those that there are. Words that begin with “compact”: %,d lines."
                .formatted(
                        found.size(),
                        rows(IndexQuery.where(Condition.startsWith("compact"))).size()));
        teller.text("From the shell, by the command line of the product:");
        shell("list", "lines");
        String said = shell("query", "lines", INDEX, "--is", WORD, "--limit", "%d".formatted(SHOWN));
        require(
                expected.stream().filter(key -> said.contains(key + ": ")).count() == SHOWN,
                "the command line found other lines than there are");
        shell("verify", "lines", INDEX);
    }

    private static Set<String> withWord(List<SourceText.Line> lines) {
        return lines.stream()
                .filter(line -> line.has(WORD))
                .map(SourceText.Line::key)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> byIndex(String word) throws IOException {
        return rows(IndexQuery.where(Condition.is(word)));
    }

    private Set<String> rows(IndexQuery query) throws IOException {
        var keys = new TreeSet<String>();
        try (IndexedRows rows = IndexedTable.open(connection, TABLE, INDEX).query(query)) {
            for (IndexedRow row = rows.next(); row != null; row = rows.next()) {
                keys.add(string(row.row()));
            }
        }
        return keys;
    }

    /** Runs the command line as people do, and shows and returns what it says. */
    private String shell(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, Path.of("bin", "hindex").toString());
        command.add("--zookeeper");
        command.add("127.0.0.1:" + cluster.configuration().get("hbase.zookeeper.property.clientPort"));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HINDEX_JAR", jar.toString());
        builder.environment().put("HINDEX_CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        teller.code("$ hindex " + String.join(" ", arguments) + "\n" + said);
        require(process.onExit().join().exitValue() == 0, "hindex " + String.join(" ", arguments) + " failed");
        return said;
    }

    private void kill(ExecutorService writer, List<SourceText.Line> last) throws Exception {
        teller.heading("A server is killed");
        var begun = new CountDownLatch(1);
        var acknowledged = new AtomicInteger();
        Future<Double> writing = writer.submit(() -> write(last, lines -> {
            acknowledged.addAndGet(lines);
            begun.countDown();
        }));
        require(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "nothing was written");
        ServerProcess server = cluster.serverOf(TABLE, bytes(""));
        cluster.kill(server);
        int before = acknowledged.get();
        cluster.restart(server);
        cluster.awaitReady();
        writing.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        teller.text(
                "The region server that has the table was killed (-9) while the last third was written, %,d of its %,d"
                                .formatted(before, last.size())
                        + " lines acknowledged, and started again. The writer has only waited.");
    }

    /** Entries are written before their rows: the kill may have come in between, and the next life of the region has to find them. */
    private void afterTheKill() throws IOException, InterruptedException {
        require(byIndex(WORD).equals(withWord(text.lines())), "the index found other lines than there are");
        VerifyReport report = indexes.verify(TABLE, INDEX);
        require(report.missing() == 0, "the index is not right: " + report);
        if (report.dangling() > 0) {
            teller.text(
                    "%,d entries are there whose lines the kill prevented (the client wrote them again, later). No read returns them; the region looks for them when nothing of its earlier life can come any more."
                            .formatted(report.dangling()));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!report.isSound()) {
            require(System.nanoTime() < end, "entries without lines stay: " + report);
            Thread.sleep(200);
            report = indexes.verify(TABLE, INDEX);
        }
        verify("After the kill", false);
    }

    private VerifyReport verify(String when, boolean mustBeExact) throws IOException {
        VerifyReport report = indexes.verify(TABLE, INDEX);
        require(mustBeExact ? report.isExact() : report.isSound(), "the index is not right: " + report);
        teller.text("%s: %,d rows and %,d entries compared, %d missing, %d dangling, %,d stale."
                .formatted(when, report.rows(), report.entries(), report.missing(), report.dangling(), report.stale()));
        return report;
    }

    private void edit() throws Exception {
        teller.heading("Overwritten lines, and a compaction");
        List<SourceText.Line> edited = new ArrayList<>();
        for (int i = 0; i < text.lines().size(); i += 3) {
            edited.add(new SourceText.Line(text.lines().get(i).key(), "// this line was rewritten"));
        }
        write(edited);
        VerifyReport stale = verify("Every third line has another text now", false);
        require(stale.stale() > 0, "no entry became stale");
        teller.text(
                "No read returns a stale entry: each is checked against the table. They go in the next compaction, which"
                        + " reads all versions anyway.");
        compact();
        verify("After the compaction", true);
    }

    private void compact() throws IOException, InterruptedException {
        try (var admin = connection.getAdmin()) {
            admin.flush(TABLE);
            admin.majorCompact(TABLE);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            do {
                Thread.sleep(100);
                require(System.nanoTime() < end, "the compaction does not end");
            } while (admin.getCompactionState(TABLE) != CompactionState.NONE
                    || !indexes.verify(TABLE, INDEX).isExact());
        }
    }

    private void numbers(double before, double after) throws IOException {
        teller.heading("Numbers");
        teller.table(new Table(
                "Writes in batches of %d, one client, on this machine, now".formatted(BATCH),
                List.of("", "lines a second"),
                List.of(
                        List.of("without the index, server just started", number(before)),
                        List.of("with the index, an entry for every word, while it is built", number(after)))));
        double index = median(QUERIES, () -> byIndex("acquire").size());
        double scan = median(SCANS, () -> byScan("acquire").size());
        require(byIndex("acquire").equals(byScan("acquire")), "scan and index do not agree");
        teller.bars(new Bars(
                "The lines with “acquire” (median)",
                "ms",
                List.of(new Bars.Bar("by the index", index), new Bars.Bar("by a scan with a filter", scan))));
    }

    private Set<String> byScan(String word) throws IOException {
        var keys = new TreeSet<String>();
        var filter = new SingleColumnValueFilter(
                FAMILY,
                TEXT,
                CompareOperator.EQUAL,
                new RegexStringComparator("(?is)(^|.*[^\\p{L}\\p{N}])" + word + "($|[^\\p{L}\\p{N}].*)"));
        filter.setFilterIfMissing(true);
        try (var table = connection.getTable(TABLE);
                ResultScanner scanner =
                        table.getScanner(new Scan().setFilter(filter).setCaching(1_000))) {
            for (Result result : scanner) {
                keys.add(string(result.getRow()));
            }
        }
        return keys;
    }

    private interface Read {
        int rows() throws IOException;
    }

    private static double median(int times, Read read) throws IOException {
        double[] millis = new double[times];
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            read.rows();
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        return millis[times / 2];
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    /** The demo shows nothing that is not so. */
    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String string(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

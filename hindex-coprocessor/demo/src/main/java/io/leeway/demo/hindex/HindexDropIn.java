package io.leeway.demo.hindex;

import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Jars;
import io.leeway.demo.Teller;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerJvm;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.Map;

/**
 * Source text in an HBase of its own processes: the jar is put into the running server, the text is indexed by its words
 * while it is written, the server is killed, and nothing is missing.
 */
public final class HindexDropIn implements DropIn {

    /** What {@code ./demo} starts. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new HindexDropIn(), arguments);
    }

    @Override
    public String name() {
        return "hindex";
    }

    @Override
    public String title() {
        return "hindex-coprocessor: secondary indexes for HBase, repaired inside compaction";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Teller teller = context.teller();
        SourceText text = SourceText.read(Jars.of("hbase-client", "-sources"), context.shortOrLong(6_000, 60_000));
        teller.text("The text: %,d lines of the source of HBase's client, one row a line."
                .formatted(text.lines().size()));
        ServerJvm jvm = ServerJvm.small().without("hindex-coprocessor/coprocessor");
        try (ProcessCluster cluster = TestClusters.processes(1, Map.of(), jvm)) {
            teller.text("An HBase has been started: master and region server are processes of their own and have never"
                    + " heard of hindex.");
            new IndexedText(cluster, text, Jars.of("hindex-coprocessor", ""), context).show();
        }
    }
}

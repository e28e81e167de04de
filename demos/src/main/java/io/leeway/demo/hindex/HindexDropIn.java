package io.leeway.demo.hindex;

import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Teller;
import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerJvm;
import io.leeway.testkit.hbase.TestClusters;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * Source text in an HBase of its own processes: the jar is put into the running server, the text is indexed by its words
 * while it is written, the server is killed, and nothing is missing.
 */
public final class HindexDropIn implements DropIn {

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
        SourceText text = SourceText.read(jar("hbase-client", "-sources"), context.shortOrLong(6_000, 60_000));
        teller.text("The text: %,d lines of the source of HBase's client, one row a line."
                .formatted(text.lines().size()));
        ServerJvm jvm = ServerJvm.small().without("hindex-coprocessor");
        try (ProcessCluster cluster = TestClusters.processes(1, Map.of(), jvm)) {
            teller.text("An HBase has been started: master and region server are processes of their own and have never"
                    + " heard of hindex.");
            new IndexedText(cluster, text, jar("hindex-coprocessor", ""), context).show();
        }
    }

    /** A jar of this demo's class path. */
    private static Path jar(String name, String classifier) throws IOException {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> {
                    String file = path.getFileName().toString();
                    return file.startsWith(name + "-") && file.endsWith(classifier + ".jar");
                })
                .findFirst()
                .orElseThrow(() -> new IOException("no " + name + classifier + ".jar on the class path; run ./demo"))
                .toAbsolutePath();
    }
}

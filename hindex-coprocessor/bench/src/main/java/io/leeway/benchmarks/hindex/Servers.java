package io.leeway.benchmarks.hindex;

import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerJvm;
import io.leeway.testkit.hbase.TestClusters;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.jspecify.annotations.Nullable;

/** The servers of a run, each started when it is asked for, each with one region server in a process of its own. */
final class Servers implements AutoCloseable {

    /**
     * What HBase's own start script sets besides the heap. Without access to these packages it falls back on comparing keys byte
     * by byte, which hides what else it does.
     */
    private static final List<String> OPTIONS = List.of(
            "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
            "--add-modules=jdk.unsupported",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");

    private static final int HEAP = 2048;

    private static final ServerJvm JVM = jvm(HEAP, List.of());

    /** HBase lets compactions write 50 to 100 MB a second, which hides what else they do. */
    private static final Map<String, String> UNLIMITED_COMPACTIONS =
            Map.of("hbase.regionserver.throughput.controller", NoLimitThroughputController.class.getName());

    private @Nullable ProcessCluster hbase;
    private @Nullable ProcessCluster unlimited;
    private @Nullable ProcessCluster phoenix;

    /** HBase for plain tables and for hindex: one server for all, so that nothing but the index differs. */
    ProcessCluster hbase() {
        if (hbase == null) {
            hbase = TestClusters.processes(1, Map.of(), JVM);
        }
        return hbase;
    }

    /** The same, but its compactions may write as fast as they can. */
    ProcessCluster unlimitedCompactions() {
        if (unlimited == null) {
            unlimited = TestClusters.processes(1, UNLIMITED_COMPACTIONS, JVM);
        }
        return unlimited;
    }

    /** HBase for Phoenix, which wants a setting that others do not have. */
    ProcessCluster phoenix() {
        if (phoenix == null) {
            phoenix = TestClusters.processes(1, PhoenixStore.SETTINGS, JVM);
        }
        return phoenix;
    }

    /** Two region servers; to be closed. */
    static ProcessCluster two() {
        return TestClusters.processes(2, Map.of(), JVM);
    }

    /** HBase whose block cache is small, with other settings; to be closed. */
    static ProcessCluster smallCache(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("hfile.block.cache.size", "0.02");
        return TestClusters.processes(1, all, JVM);
    }

    /** HBase in which samples of its threads can be taken; to be closed. */
    static ProcessCluster profiled() {
        return TestClusters.processes(1, Map.of(), jvm(HEAP, CpuSamples.OPTIONS));
    }

    /** HBase with another heap, in megabytes, of which the block cache is 40 %; to be closed. */
    static ProcessCluster withHeap(int megabytes) {
        return TestClusters.processes(1, Map.of(), jvm(megabytes, List.of()));
    }

    private static ServerJvm jvm(int heapMegabytes, List<String> others) {
        var options = new ArrayList<>(OPTIONS);
        options.add("-Xms" + heapMegabytes + "m");
        options.add("-Xmx" + heapMegabytes + "m");
        options.addAll(others);
        return ServerJvm.small().withOptions(options.toArray(String[]::new));
    }

    /** Where the files of all tables are, and no logs. */
    static Path tables(ProcessCluster cluster) {
        return Path.of(URI.create(cluster.configuration().get(HConstants.HBASE_DIR)))
                .resolve(HConstants.BASE_NAMESPACE_DIR);
    }

    @Override
    public void close() {
        if (hbase != null) {
            hbase.close();
        }
        if (unlimited != null) {
            unlimited.close();
        }
        if (phoenix != null) {
            phoenix.close();
        }
    }
}

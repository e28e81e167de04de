package io.leeway.benchmarks.hindex;

import io.leeway.testkit.hbase.ProcessCluster;
import io.leeway.testkit.hbase.ServerJvm;
import io.leeway.testkit.hbase.TestClusters;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The servers of a run, each started when it is asked for, each with one region server in a process of its own. */
final class Servers implements AutoCloseable {

    private static final ServerJvm JVM = ServerJvm.small().withOptions("-Xmx2g", "-Xms2g");

    private @Nullable ProcessCluster hbase;
    private @Nullable ProcessCluster phoenix;

    /** HBase for plain tables and for hindex: one server for all, so that nothing but the index differs. */
    ProcessCluster hbase() {
        if (hbase == null) {
            hbase = TestClusters.processes(1, Map.of(), JVM);
        }
        return hbase;
    }

    /** HBase for Phoenix, which wants a setting that others do not have. */
    ProcessCluster phoenix() {
        if (phoenix == null) {
            phoenix = TestClusters.processes(1, PhoenixStore.SETTINGS, JVM);
        }
        return phoenix;
    }

    /** HBase whose block cache is small, with other settings; to be closed. */
    static ProcessCluster smallCache(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("hfile.block.cache.size", "0.02");
        return TestClusters.processes(1, all, JVM);
    }

    @Override
    public void close() {
        if (hbase != null) {
            hbase.close();
        }
        if (phoenix != null) {
            phoenix.close();
        }
    }
}

package io.leeway.testkit.hbase;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a site file must say for a small HBase on loopback and the local file system, in one process or in several. */
final class LoopbackSettings {

    private LoopbackSettings() {}

    static Map<String, String> in(Path directory) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("hbase.rootdir", directory.resolve("hbase").toUri().toString());
        settings.put("hbase.tmp.dir", directory.resolve("tmp").toString());
        settings.put("hbase.zookeeper.quorum", "127.0.0.1");
        settings.put("hbase.unsafe.stream.capability.enforce", "false");
        settings.put("hbase.wal.provider", "filesystem");
        for (String role : List.of("master", "regionserver")) {
            settings.put("hbase." + role + ".info.port", "-1");
            settings.put("hbase." + role + ".port", "0");
            settings.put("hbase." + role + ".hostname", "localhost");
            settings.put("hbase." + role + ".ipc.address", "127.0.0.1");
        }
        settings.put("hbase.regionserver.handler.count", "8");
        settings.put("hbase.master.procedure.threads", "4");
        settings.put("hbase.master.wait.on.regionservers.interval", "50");
        settings.put("hbase.regionserver.msginterval", "100");
        // Tests split, merge and move themselves; nobody else may.
        settings.put("hbase.balancer.enabled", "false");
        settings.put(
                "hbase.regionserver.region.split.policy",
                "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy");
        settings.put("hbase.client.retries.number", "10");
        settings.put("hbase.client.pause", "50");
        return settings;
    }
}

package io.leeway.testkit.hbase;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a site file must say for a small HBase on loopback and the local file system, in one process or in several. */
final class LoopbackSettings {

    private LoopbackSettings() {}

    /** With files in a directory, for so many region servers. */
    static Map<String, String> in(Path directory, int regionServers) {
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
        // Else a master that starts waits for seconds whether more of them come.
        settings.put("hbase.master.wait.on.regionservers.maxtostart", String.valueOf(regionServers));
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

    /**
     * Settings without what saves calls in a large cluster and costs time in a small one, above all pauses. What is done, in
     * what order and by whom remains the same.
     */
    static Map<String, String> quick() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("fs.file.impl", LocalFiles.class.getName());
        // Counting for the master what each region has done takes a region server a twentieth of its time at 100 ms.
        settings.put("hbase.regionserver.msginterval", "500");
        // Regions to be opened and closed are collected for 150 ms, twice on the way to a server.
        settings.put("hbase.assignment.dispatch.wait.msec", "2");
        settings.put("hbase.procedure.remote.dispatcher.delay.msec", "2");
        // How often a move of a region asks whether it is done, else once a second.
        settings.put("hbase.master.event.waiting.time", "10");
        // Shorter pauses between attempts, and more attempts, so that clients are as patient as with a pause of 50 ms.
        settings.put("hbase.client.pause", "10");
        settings.put("hbase.client.retries.number", "20");
        // Else the longer nothing is written, the longer replication takes to look again, up to minutes.
        settings.put("replication.source.sleepforretries", "50");
        settings.put("replication.source.maxretriesmultiplier", "4");
        return settings;
    }
}

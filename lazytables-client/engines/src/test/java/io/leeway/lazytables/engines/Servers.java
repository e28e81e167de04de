package io.leeway.lazytables.engines;

import io.leeway.lazytables.LazyTablesServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** Two servers of LazyTables and a ZooKeeper that they are found through: what runs beside a job, on other machines. */
final class Servers implements AutoCloseable {

    private static final int SERVERS = 2;
    private static final int TICK_MILLIS = 500;

    private final TestingServer zooKeeper;
    private final String location;
    private final List<LazyTablesServer> servers = new ArrayList<>();

    Servers(int workers) throws Exception {
        var settings = Map.<String, Object>of("admin.enableServer", "false");
        zooKeeper = new TestingServer(
                new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, -1, settings, "127.0.0.1"), true);
        location = "zookeeper://" + zooKeeper.getConnectString() + "/lazytables/job";
        for (int number = 0; number < SERVERS; number++) {
            servers.add(LazyTablesServer.start(Map.of(
                    "lazytables.registry", location,
                    "lazytables.server.listen", "127.0.0.1:0",
                    "lazytables.server.number", Integer.toString(number),
                    "lazytables.server.count", Integer.toString(SERVERS),
                    "lazytables.processes", Integer.toString(workers))));
        }
    }

    /** What the workers are told. */
    Map<String, String> options() {
        return Map.of("lazytables.registry", location);
    }

    @Override
    public void close() throws IOException {
        servers.forEach(LazyTablesServer::close);
        zooKeeper.close();
    }
}

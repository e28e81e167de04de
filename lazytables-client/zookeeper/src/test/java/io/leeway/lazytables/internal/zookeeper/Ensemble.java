package io.leeway.lazytables.internal.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** A ZooKeeper of the test's own, whose ticks allow sessions of 2 to 20 s, and a look at its nodes. */
final class Ensemble implements AutoCloseable {

    private static final int TICK_MILLIS = 1_000;

    private final TestingServer server;
    final CuratorFramework admin;

    Ensemble() throws Exception {
        var settings = Map.<String, Object>of("admin.enableServer", "false", "admin.serverPort", "0");
        var spec = new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, -1, settings, "127.0.0.1");
        server = new TestingServer(spec, true);
        admin = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        admin.start();
    }

    String location(String run) {
        return "zookeeper://" + server.getConnectString() + "/lazytables/" + run;
    }

    /** What a server's node says; empty if there is none. */
    String node(String run, int number) {
        try {
            byte[] bytes = admin.getData().forPath(path(run, number));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (Exception none) {
            return "";
        }
    }

    /** The session that a server's node belongs to; 0 if there is none. */
    long session(String run, int number) throws Exception {
        var there = admin.checkExists().forPath(path(run, number));
        return there == null ? 0 : there.getEphemeralOwner();
    }

    /** Another server's node in place of one, in one step. */
    void usurp(String run, int number, String address, int servers) throws Exception {
        byte[] bytes = ("address=" + address + "\nservers=" + servers + "\nowner=somebody else\n")
                .getBytes(StandardCharsets.UTF_8);
        admin.transaction()
                .forOperations(
                        admin.transactionOp().delete().forPath(path(run, number)),
                        admin.transactionOp().create().forPath(path(run, number), bytes));
    }

    void stop() throws IOException {
        server.stop();
    }

    void startAgain() throws Exception {
        server.restart();
    }

    static String path(String run, int number) {
        return "/lazytables/" + run + "/" + number;
    }

    @Override
    public void close() throws IOException {
        admin.close();
        server.close();
    }
}

package io.leeway.lazytables.internal.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.common.PathUtils;

/**
 * An ensemble and a node in it.
 *
 * @param ensemble its servers, {@code host:port} with commas between
 * @param path of the node below which servers register
 */
record ZooKeeperLocation(String ensemble, String path) {

    /** Reads {@code //host:2181,host:2181/path}. */
    static ZooKeeperLocation parse(String text) throws IOException {
        int slash = text.indexOf('/', 2);
        if (!text.startsWith("//") || slash == 2 || slash < 0 || slash == text.length() - 1) {
            throw new IOException("give the servers of ZooKeeper and a node of the run's own:"
                    + " zookeeper://host:2181,host:2181/lazytables/run");
        }
        String path = text.substring(slash);
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " is no path of ZooKeeper: " + e.getMessage(), e);
        }
        return new ZooKeeperLocation(text.substring(2, slash), path);
    }

    /** The node of a server. */
    String node(int number) {
        return path + "/" + number;
    }
}

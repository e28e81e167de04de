package io.leeway.hindex.internal.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Which HBase is meant. */
final class Site {

    static final List<Usage.Option> OPTIONS = List.of(
            new Usage.Option("site", "FILE", "an hbase-site.xml; the one on the class path unless given"),
            new Usage.Option("zookeeper", "HOST:PORT", "ZooKeeper's place, if the site file does not say it"));

    private Site() {}

    static Connection connect(Arguments arguments) throws IOException, CommandException {
        Configuration settings = HBaseConfiguration.create();
        String site = arguments.get("site");
        if (site != null) {
            if (!Files.isReadable(Path.of(site))) {
                throw new CommandException("the site file " + site + " cannot be read");
            }
            settings.addResource(new org.apache.hadoop.fs.Path(Path.of(site).toUri()));
        }
        String zooKeeper = arguments.get("zookeeper");
        if (zooKeeper != null) {
            int colon = zooKeeper.lastIndexOf(':');
            if (colon < 1 || !zooKeeper.substring(colon + 1).matches("[0-9]{1,5}")) {
                throw arguments.problem("--zookeeper takes a host and a port, as --zookeeper localhost:2181");
            }
            settings.set("hbase.zookeeper.quorum", zooKeeper.substring(0, colon));
            settings.set("hbase.zookeeper.property.clientPort", zooKeeper.substring(colon + 1));
        }
        return ConnectionFactory.createConnection(settings);
    }
}

package io.leeway.benchmarks.hindex;

import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/** How many blocks of files a region server has read, as its JMX tells, which is some seconds behind. */
final class BlockReads implements AutoCloseable {

    /** HBase's metrics are counted every 5 s, and JMX remembers them for 10 s. */
    private static final long LAG_MILLIS = 16_000;

    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final ObjectName bean;

    private BlockReads(JMXConnector connector) throws IOException, JMException {
        this.connector = connector;
        server = connector.getMBeanServerConnection();
        bean = new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=Server");
    }

    static BlockReads of(ProcessHandle regionServer) throws IOException, JMException, AttachNotSupportedException {
        return new BlockReads(ServerJmx.connect(regionServer));
    }

    /** Blocks up to now, found in the cache or not. */
    long all() throws IOException, JMException, InterruptedException {
        Thread.sleep(LAG_MILLIS);
        return number("blockCacheHitCount") + number("blockCacheMissCount");
    }

    /** Blocks up to now that were not in the cache. */
    long misses() throws IOException, JMException, InterruptedException {
        Thread.sleep(LAG_MILLIS);
        return number("blockCacheMissCount");
    }

    private long number(String attribute) throws IOException, JMException {
        return ((Number) server.getAttribute(bean, attribute)).longValue();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}

package io.leeway.pipelining.flink;

import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.flink.internal.agent.Changes;
import io.leeway.pipelining.flink.internal.chain.Chains;
import io.leeway.pipelining.flink.internal.host.FlinkHost;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** A small cluster in this process with the agent's changes, and someone who moves its threads at random. */
final class FlinkCluster implements AutoCloseable {

    private static boolean installed;

    final MiniCluster cluster;

    private FlinkCluster(MiniCluster cluster) {
        this.cluster = cluster;
    }

    /** Changes this process's Flink, once. */
    static synchronized void install() {
        if (!installed) {
            var options = PipeliningOptions.of(Map.of("pipelining.flink.cut", "no operator of this name"));
            Chains.configure(options);
            Map<String, Throwable> failed = Changes.install(ByteBuddyAgent.install(), options);
            if (!failed.isEmpty()) {
                throw new IllegalStateException(failed.toString());
            }
            installed = true;
        }
    }

    static FlinkCluster start() throws Exception {
        var configuration = new Configuration();
        configuration.setString("rest.port", "0");
        configuration.setString("rest.bind-port", "0");
        configuration.setString("taskmanager.memory.network.min", "32m");
        configuration.setString("taskmanager.memory.network.max", "32m");
        configuration.setString("taskmanager.memory.managed.size", "64m");
        var cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(4)
                .build());
        cluster.start();
        return new FlinkCluster(cluster);
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }

    /** Someone who changes ports at random until it is closed. */
    static final class Chaos implements AutoCloseable {

        private final RandomGenerator random;
        private final FlinkHost host;
        private final Thread thread = new Thread(this::run, "chaos");
        private volatile boolean closed;
        final AtomicInteger inserted = new AtomicInteger();

        Chaos(long seed, int capacity) {
            this.random = new java.util.Random(seed);
            this.host = new FlinkHost(PipeliningOptions.of(Map.of("pipelining.queue", Integer.toString(capacity))));
            thread.start();
        }

        private void run() {
            while (!closed) {
                var ports = new HashSet<Integer>();
                for (Operator operator : host.graph().operators()) {
                    if (operator.mayBeThreaded() && random.nextInt(3) == 0) {
                        ports.add(operator.id());
                    }
                }
                try {
                    host.place(ports);
                    inserted.addAndGet(ports.size());
                } catch (PipeliningException e) {
                    throw new IllegalStateException(e);
                } catch (InterruptedException e) {
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(24)));
            }
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }
}

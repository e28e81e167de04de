package io.leeway.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientSettings;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.config.Surroundings;
import io.leeway.lazytables.internal.local.LocalServers;
import io.leeway.lazytables.internal.local.TaskThread;
import io.leeway.lazytables.internal.metrics.Metering;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.process.ClientProcess;
import io.leeway.lazytables.internal.remote.RemoteServers;
import io.leeway.lazytables.spi.CombineOp;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tables that threads and processes share, whose readers say how stale an answer may be.
 *
 * <pre>{@code
 * try (LazyTables tables = LazyTables.builder().workers(2).connect()) {
 *     Table counts = tables.table("counts", TableSpec.dense(CellType.LONG, 10));
 *     // in each of two threads, with its own number:
 *     Worker worker = tables.worker(number);
 *     for (int round = 0; round < 100; round++) {
 *         long seen = worker.getLong(counts, 7, 3, 1);   // at most one clock behind
 *         worker.increment(counts, 7, 3, 1);
 *         worker.clock();
 *     }
 *     // when both are done:
 *     tables.end();
 * }
 * }</pre>
 *
 * <p>Thread-safe; each {@link Worker} is one thread's.
 */
public final class LazyTables implements AutoCloseable {

    private final TaskThread thread = new TaskThread("lazytables-client-0");
    private final @Nullable LocalServers ownServers;
    private final @Nullable RemoteServers remoteServers;
    private final ClientProcess process;
    private final Worker[] workers;
    private final int number;
    private final Metering.Watch meters;
    private boolean closed;
    /** Seen at once by the thread that closes; others hear of it at their next wait at the latest. */
    private boolean isOver;

    private LazyTables(Builder builder) {
        LazyTablesConfig config = LazyTablesConfig.of(builder.allOptions());
        boolean remote = RemoteServers.areIn(config);
        EmbeddedServers given = builder.servers;
        if (remote && given != null) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.CONFIGURATION,
                    LazyTablesOptions.SERVERS + " or " + LazyTablesOptions.REGISTRY
                            + " and servers inside the Java machine contradict each other; give one");
        }
        if (given == null && !remote && config.get(LazyTablesOptions.PROCESSES) > 1) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.CONFIGURATION,
                    LazyTablesOptions.PROCESSES + "=" + config.get(LazyTablesOptions.PROCESSES)
                            + " processes need servers that they share, or each would work alone: give "
                            + LazyTablesOptions.SERVERS + " or " + LazyTablesOptions.REGISTRY);
        }
        Metering metering = Metering.of(config);
        remoteServers = remote ? new RemoteServers(config, builder.timeout) : null;
        ownServers = given == null && !remote
                ? new LocalServers(builder.embeddedServers, builder.processes, config, builder.ops)
                : null;
        LocalServers servers = given == null ? ownServers : given.inner;
        NetworkThread network = remoteServers == null ? thread : remoteServers.thread();
        number = remote ? config.get(LazyTablesOptions.PROCESS) : builder.process;
        var core = new ClientCore(new ClientSettings(
                number,
                remote ? config.get(LazyTablesOptions.PROCESSES) : builder.processes,
                builder.workers,
                remoteServers == null ? requireNonNull(servers).count() : remoteServers.count(),
                new SecureRandom().nextLong() | 1,
                builder.prefetch,
                builder.workerRows,
                builder.processRows,
                config.get(LazyTablesOptions.RESUME),
                config.get(LazyTablesOptions.KEPT_LIMIT)));
        process = new ClientProcess(core, network, builder.timeout, config.get(LazyTablesOptions.KEPT_LIMIT));
        workers = new Worker[builder.workers];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(this, process, core.worker(i));
        }
        try {
            process.sendWith(
                    remoteServers == null
                            ? requireNonNull(servers).connect(thread, process)
                            : remoteServers.connect(process, builder.timeout));
            if (config.get(LazyTablesOptions.RESUME)) {
                process.awaitPlace();
            } else {
                process.awaitWelcome();
            }
        } catch (RuntimeException e) {
            closeThreads();
            throw e;
        }
        meters = metering.instance(this::statistics, workers.length);
    }

    /** Who comes second waits for the first. */
    private synchronized void closeThreads() {
        if (closed) {
            return;
        }
        closed = true;
        thread.close();
        if (remoteServers != null) {
            remoteServers.close();
        }
        if (ownServers != null) {
            ownServers.close();
        }
    }

    /** An instance of its own for one worker, with a server inside. */
    public static LazyTables connect() {
        return builder().connect();
    }

    /** Settings for an instance. */
    public static Builder builder() {
        return new Builder();
    }

    /** The table of that name. All processes define it with an equal specification; it begins empty. */
    public Table table(String name, TableSpec spec) {
        return new Table(this, process.define(requireNonNull(name, "name"), requireNonNull(spec, "spec")));
    }

    /** The worker with this number, from 0; to be used by one thread. */
    public Worker worker(int index) {
        if (index < 0 || index >= workers.length) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "There are workers 0 to " + (workers.length - 1) + ", not " + index
                            + ": say how many there are with workers(n)");
        }
        return workers[index];
    }

    /** Whether it was closed or abandoned, so that its workers do nothing any more. */
    boolean isOver() {
        return isOver;
    }

    /** The number of this process among those that share the tables, from 0. */
    public int process() {
        return number;
    }

    /** The number of workers of this process. */
    public int workers() {
        return workers.length;
    }

    /** What this instance has done so far, and where it stands. */
    public Statistics statistics() {
        return process.statistics(remoteServers == null ? process.traffic() : remoteServers.traffic());
    }

    /**
     * Says that this process is done: {@linkplain Worker#end() ends} all its workers that have not ended, so that the
     * others go on without them. To be called behind all work, when no thread uses a worker any more, and before
     * {@link #close()}: in a try statement as the last of the block, where an exception passes it by.
     *
     * @throws LazyTablesException with code {@link LazyTablesException.Code#STEP_TOO_LONG} as {@link Worker#end()} does
     */
    public void end() {
        process.end();
    }

    /**
     * Ends the instance; its workers that wait, or complete another clock, get an exception. If all of them
     * {@linkplain #end() have ended}, this process is done and the others go on without it. Else it is not, as when an
     * exception leaves a try statement: its place stays, for a process that resumes ({@code lazytables.resume}); where
     * none can, others that wait for its clocks are told so at once ({@link LazyTablesException.Code#UNFINISHED}).
     * Waits, up to the builder's time limit, until the servers have the clocks that all its workers completed, and have
     * stored them if they store snapshots; what was done after them is lost. Who does not want to wait
     * {@linkplain #abandon() abandons}.
     *
     * @throws LazyTablesException if servers do not have all of that, with what each lacks; the instance is closed all
     *     the same. Nothing is thrown a second time, nor if a worker was told before why the instance cannot go on
     */
    @Override
    public void close() {
        try {
            process.close();
        } finally {
            isOver = true;
            meters.close();
            closeThreads();
        }
    }

    /**
     * Ends the instance as if its process had died, without a wait: nobody goes on without it, and one that resumes
     * ({@code lazytables.resume}) can take its place. For a host that runs several attempts of a task in one Java
     * machine: who fails abandons, who is done {@linkplain #end() ends} and closes. Its workers that wait get an
     * exception. Nothing happens if it is closed already.
     */
    public void abandon() {
        process.abandon();
        isOver = true;
        meters.close();
        closeThreads();
    }

    /** Settings for an instance; not thread-safe. */
    public static final class Builder {

        private int workers = 1;
        private int process;
        private int processes = 1;
        private int embeddedServers = 1;
        private @Nullable EmbeddedServers servers;
        private Prefetch prefetch = Prefetch.NONE;
        private int workerRows = Integer.MAX_VALUE;
        private int processRows = Integer.MAX_VALUE;
        private Duration timeout = Duration.ofMinutes(5);
        private final List<CombineOp> ops = new ArrayList<>();
        private final Map<String, String> options = new LinkedHashMap<>();

        private Builder() {}

        /**
         * An option by its key, see {@link LazyTablesOptions}; with {@code lazytables.servers} or
         * {@code lazytables.registry} the instance uses servers that are processes of their own. Options that are not
         * given here are looked for among system properties, under the same keys, and in the environment, such as
         * {@code LAZYTABLES_SERVERS}: so {@code lazytables run} tells its processes.
         */
        public Builder option(String key, String value) {
            options.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
            return this;
        }

        /** Several options by their keys. */
        public Builder options(Map<String, String> values) {
            values.forEach(this::option);
            return this;
        }

        /**
         * Those given here before those of the surroundings, of which servers inside the Java machine leave no place
         * for others.
         */
        private Map<String, String> allOptions() {
            Map<String, String> all = Surroundings.options();
            if (servers != null) {
                List.of(
                                LazyTablesOptions.SERVERS,
                                LazyTablesOptions.REGISTRY,
                                LazyTablesOptions.PROCESSES,
                                LazyTablesOptions.PROCESS)
                        .forEach(option -> all.remove(option.key()));
            }
            if (options.containsKey(LazyTablesOptions.SERVERS.key())) {
                all.remove(LazyTablesOptions.REGISTRY.key());
                all.remove(LazyTablesOptions.REGISTRY_AUTH.key());
            } else if (options.containsKey(LazyTablesOptions.REGISTRY.key())) {
                all.remove(LazyTablesOptions.SERVERS.key());
            }
            all.putAll(options);
            return all;
        }

        /** How many workers, and so threads, this process has; 1 if not said. */
        public Builder workers(int count) {
            workers = atLeastOne("workers", count);
            return this;
        }

        /** How many servers the instance starts inside; 1 if not said. */
        public Builder embeddedServers(int count) {
            embeddedServers = atLeastOne("servers", count);
            return this;
        }

        /** Shares servers of this Java machine with other instances, as the one with this number, from 0. */
        public Builder servers(EmbeddedServers shared, int number) {
            if (number < 0 || number >= shared.processes()) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.BAD_ARGUMENT,
                        "The servers wait for instances 0 to " + (shared.processes() - 1) + ", not " + number);
            }
            servers = shared;
            process = number;
            processes = shared.processes();
            return this;
        }

        /**
         * How long a read, {@link Worker#clock()} or {@link LazyTables#close()} waits before it ends in an exception
         * that says whom it waited for; 5 minutes if not said.
         */
        public Builder timeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.BAD_ARGUMENT, "A time limit of " + limit + " leaves no time");
            }
            timeout = limit;
            return this;
        }

        /** How rows are asked for before a read has to wait for them; {@link Prefetch#NONE} if not said. */
        public Builder prefetch(Prefetch how) {
            prefetch = requireNonNull(how, "how");
            return this;
        }

        /** How many rows each worker's own cache keeps from one clock to the next; any number if not said. */
        public Builder workerCacheRows(int limit) {
            workerRows = atLeastOne("rows", limit);
            return this;
        }

        /**
         * How many rows the cache that a process's workers share keeps from one clock to the next; any number if not
         * said.
         */
        public Builder processCacheRows(int limit) {
            processRows = atLeastOne("rows", limit);
            return this;
        }

        /** Makes an operation of the program's own known to the servers inside. */
        public Builder combineOp(CombineOp op) {
            ops.add(requireNonNull(op, "op"));
            return this;
        }

        /** Starts the instance. */
        public LazyTables connect() {
            return new LazyTables(this);
        }

        private static int atLeastOne(String what, int count) {
            if (count < 1) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.BAD_ARGUMENT, count + " " + what + ": there must be at least one");
            }
            return count;
        }
    }
}

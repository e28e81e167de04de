package io.leeway.lazytables;

import java.util.List;

/**
 * The names of all metrics. They are API. Tags take their values from closed sets; no metric carries names of tables,
 * keys of rows or addresses.
 *
 * @since 0.1
 */
public final class LazyTablesMetrics {

    /** Reads by what answered them. */
    public static final String READ = "lazytables.read";
    /** Reads by how stale the answer was. */
    public static final String STALENESS = "lazytables.read.staleness";
    /** What workers did besides waiting. */
    public static final String COMPUTE = "lazytables.worker.compute";
    /** What workers waited. */
    public static final String WAIT = "lazytables.worker.wait";
    /** Answers that were asked for ahead. */
    public static final String PREFETCH = "lazytables.prefetch";
    /** Clocks of instances. */
    public static final String CLOCK = "lazytables.clock";
    /** What is logged and not at the servers for good. */
    public static final String LOG = "lazytables.log.rows";
    /** Questions without answer. */
    public static final String PENDING = "lazytables.pending.reads";
    /** What instances sent and received. */
    public static final String BYTES = "lazytables.bytes";
    /** The same in messages. */
    public static final String MESSAGES = "lazytables.messages";
    /** Tables of servers. */
    public static final String SERVER_TABLES = "lazytables.server.tables";
    /** Rows of servers. */
    public static final String SERVER_ROWS = "lazytables.server.rows";
    /** Connections of servers. */
    public static final String SERVER_SESSIONS = "lazytables.server.sessions";
    /** Clocks of servers. */
    public static final String SERVER_CLOCK = "lazytables.server.clock";
    /** What waits in servers. */
    public static final String SERVER_PENDING = "lazytables.server.pending";
    /** What servers sent and received. */
    public static final String SERVER_BYTES = "lazytables.server.bytes";
    /** The same in messages. */
    public static final String SERVER_MESSAGES = "lazytables.server.messages";

    /** Tag: what answered, or what became of it. */
    public static final String TAG_OUTCOME = "outcome";
    /** Tag: how many clocks behind. */
    public static final String TAG_CLOCKS = "clocks";
    /** Tag: the number of the worker in its process. */
    public static final String TAG_WORKER = "worker";
    /** Tag: whose clock. */
    public static final String TAG_OF = "of";
    /** Tag: what is done with it. */
    public static final String TAG_STATE = "state";
    /** Tag: what waits. */
    public static final String TAG_KIND = "kind";
    /** Tag: which way. */
    public static final String TAG_DIRECTION = "direction";

    private static final String WAYS = "direction=in|out";

    private static final List<Metric> ALL = List.of(
            new Metric(
                    READ,
                    "counter",
                    "Reads, by what answered them: the worker's cache, the cache of the process, or a server that was"
                            + " waited for.",
                    "outcome=worker|process|server"),
            new Metric(
                    STALENESS,
                    "counter",
                    "Reads, by how many clocks the row was behind the clock of its reader.",
                    "clocks=0|1|2|3|4|5-8|9-16|17-32|more"),
            new Metric(
                    COMPUTE,
                    "timer",
                    "Clocks of workers, and the time of them in which neither reads nor ends of clocks waited.",
                    "worker=0…63|more"),
            new Metric(
                    WAIT,
                    "timer",
                    "Reads that waited for a server, and how long; ends of clocks that did add to the time.",
                    "worker=0…63|more"),
            new Metric(
                    PREFETCH,
                    "counter",
                    "Answers that were asked for ahead: used by a read, or replaced or dropped before.",
                    "outcome=useful|useless"),
            new Metric(
                    CLOCK,
                    "gauge",
                    "Clocks completed by the fastest worker, by the slowest instance, and by all workers of all"
                            + " processes.",
                    "of=worker|process|global"),
            new Metric(
                    LOG,
                    "gauge",
                    "Logs of rows: not sent yet, or kept until servers have them for good.",
                    "state=unsent|kept"),
            new Metric(PENDING, "gauge", "Rows that servers were asked for and have not answered.", ""),
            new Metric(BYTES, "counter", "Bytes, with headers, compressed, before encryption.", WAYS),
            new Metric(MESSAGES, "counter", "Messages, each of which may hold many questions or answers.", WAYS),
            new Metric(SERVER_TABLES, "gauge", "Tables.", ""),
            new Metric(SERVER_ROWS, "gauge", "Rows that were written.", ""),
            new Metric(SERVER_SESSIONS, "gauge", "Client processes that are connected.", ""),
            new Metric(SERVER_CLOCK, "gauge", "The clock that all processes have completed.", ""),
            new Metric(
                    SERVER_PENDING,
                    "gauge",
                    "Reads that wait for a clock, and logs of rows that strict tables put off.",
                    "kind=reads|writes"),
            new Metric(SERVER_BYTES, "counter", "Bytes, with headers, compressed, before encryption.", WAYS),
            new Metric(
                    SERVER_MESSAGES, "counter", "Messages, each of which may hold many questions or answers.", WAYS));

    private LazyTablesMetrics() {}

    /** All metrics, in the order of the documentation. */
    public static List<Metric> all() {
        return ALL;
    }

    /**
     * A metric.
     *
     * @param name under which it is registered
     * @param kind timer, counter or gauge
     * @param description in one sentence
     * @param tags with their values
     */
    public record Metric(String name, String kind, String description, String tags) {}
}

package io.leeway.eppi.node;

import java.util.List;

/**
 * The names of all metrics. They are API. Tags take their values from closed sets; no metric carries names of persons,
 * members or addresses.
 *
 * @since 0.1
 */
public final class EppiMetrics {

    /** Constructions by how they ended. */
    public static final String CONSTRUCTIONS = "eppi.constructions";
    /** How long they took. */
    public static final String CONSTRUCTION_SECONDS = "eppi.construction.time";
    /** The epoch of the last one. */
    public static final String EPOCH = "eppi.epoch";
    /** Bytes of connections. */
    public static final String BYTES = "eppi.bytes";
    /** Messages of connections. */
    public static final String MESSAGES = "eppi.messages";
    /** Gates. */
    public static final String GATES = "eppi.compute.gates";
    /** Rounds. */
    public static final String ROUNDS = "eppi.compute.rounds";
    /** Persons published everywhere. */
    public static final String EVERYWHERE = "eppi.persons.everywhere";
    /** Persons in the index. */
    public static final String PERSONS = "eppi.persons";
    /** Queries of the index. */
    public static final String QUERIES = "eppi.queries";
    /** How long they took. */
    public static final String QUERY_SECONDS = "eppi.query.time";
    /** Connections that were not taken. */
    public static final String REFUSED = "eppi.connections.refused";
    /** Searches at providers. */
    public static final String SEARCHES = "eppi.searches";
    /** Memberships of a provider that are not in the register. */
    public static final String NOT_ENROLLED = "eppi.members.not.enrolled";

    private static final List<Metric> ALL = List.of(
            new Metric(
                    CONSTRUCTIONS, "counter", "Constructions, by how they ended at this node.", "outcome=done|failed"),
            new Metric(CONSTRUCTION_SECONDS, "counter", "Seconds that constructions took, together.", ""),
            new Metric(EPOCH, "gauge", "Epoch of the newest index that this node knows.", ""),
            new Metric(BYTES, "counter", "Bytes of messages, before encryption.", "direction=in|out"),
            new Metric(MESSAGES, "counter", "Messages.", "direction=in|out"),
            new Metric(GATES, "counter", "AND gates that this coordinator computed with others.", ""),
            new Metric(ROUNDS, "counter", "Rounds of the secure computation.", ""),
            new Metric(EVERYWHERE, "gauge", "Persons of the newest index that are published everywhere.", ""),
            new Metric(PERSONS, "gauge", "Persons of the newest index.", ""),
            new Metric(QUERIES, "counter", "Queries of the index.", "outcome=found|unknown"),
            new Metric(QUERY_SECONDS, "counter", "Seconds that queries took in the index server, together.", ""),
            new Metric(
                    REFUSED,
                    "counter",
                    "Connections that were not taken: no member's certificate, another version or roster, or too slow.",
                    ""),
            new Metric(
                    SEARCHES,
                    "counter",
                    "Searches by other members at this provider.",
                    "outcome=granted|denied|limited|failed"),
            new Metric(
                    NOT_ENROLLED,
                    "gauge",
                    "Persons with records at this provider who are not in the register and so cannot be found.",
                    ""));

    private EppiMetrics() {}

    /** All metrics, in the order of the documentation. */
    public static List<Metric> all() {
        return ALL;
    }

    /**
     * A metric.
     *
     * @param name under which it is read, with underscores for dots
     * @param kind counter or gauge
     * @param description in one sentence
     * @param tags with their values
     */
    public record Metric(String name, String kind, String description, String tags) {}
}

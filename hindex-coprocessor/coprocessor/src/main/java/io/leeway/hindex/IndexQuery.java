package io.leeway.hindex;

import io.leeway.hindex.internal.read.Fetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is asked of an index: conditions on its columns, in the order of its key, and how the answer comes.
 *
 * <pre>{@code
 * IndexQuery.where(Condition.is("Berlin"), Condition.startsWith("M")).descending().limit(20)
 * }</pre>
 *
 * <p>Immutable; each method returns another query.
 *
 * @since 0.1
 */
public final class IndexQuery {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final List<Condition> conditions;
    private final boolean descending;
    private final long limit;
    private final long asOf;
    private final int versions;
    private final Fetch fetch;
    private final Duration timeout;

    private IndexQuery(
            List<Condition> conditions,
            boolean descending,
            long limit,
            long asOf,
            int versions,
            Fetch fetch,
            Duration timeout) {
        this.conditions = conditions;
        this.descending = descending;
        this.limit = limit;
        this.asOf = asOf;
        this.versions = versions;
        this.fetch = fetch;
        this.timeout = timeout;
    }

    /** All rows that fulfil these conditions: one for the index's first column, one for the second, and so on. */
    public static IndexQuery where(Condition first, Condition... next) {
        var conditions = new ArrayList<Condition>();
        conditions.add(first);
        conditions.addAll(List.of(next));
        return new IndexQuery(
                List.copyOf(conditions), false, Long.MAX_VALUE, Long.MAX_VALUE, 0, Fetch.INDEXED, TIMEOUT);
    }

    /** The other way round: what comes first in the index comes last. */
    public IndexQuery descending() {
        return new IndexQuery(conditions, true, limit, asOf, versions, fetch, timeout);
    }

    /** The first so many rows only. */
    public IndexQuery limit(long rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("a limit of " + rows + " rows; give 1 or more");
        }
        return new IndexQuery(conditions, descending, rows, asOf, versions, fetch, timeout);
    }

    /**
     * As it was at a point in time: versions with larger timestamps are not seen. As far back as the base table keeps
     * versions, and the index: it may have forgotten what is not among the newest {@link IndexDefinition#versions()}
     * any more.
     */
    public IndexQuery asOf(long timestamp) {
        if (timestamp < 0 || timestamp == Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "as of " + timestamp + "; give a timestamp of the table, as milliseconds since 1970");
        }
        return new IndexQuery(conditions, descending, limit, timestamp, versions, fetch, timeout);
    }

    /**
     * A row is found by so many of its newest versions, and comes once for each that fulfils the conditions; as many as
     * the index keeps unless given.
     */
    public IndexQuery versions(int newest) {
        if (newest < 1) {
            throw new IllegalArgumentException(newest + " versions; give 1 or more");
        }
        return new IndexQuery(conditions, descending, limit, asOf, newest, fetch, timeout);
    }

    /** With these columns of the base table; as many versions of them as the query looks at. */
    public IndexQuery withColumns(ColumnName... columns) {
        return new IndexQuery(conditions, descending, limit, asOf, versions, Fetch.columns(List.of(columns)), timeout);
    }

    /** With the whole rows of the base table. */
    public IndexQuery withRows() {
        return new IndexQuery(conditions, descending, limit, asOf, versions, Fetch.ROW, timeout);
    }

    /** How long to wait for the next rows, each time; a minute unless given. */
    public IndexQuery timeout(Duration longest) {
        if (longest.isNegative() || longest.isZero()) {
            throw new IllegalArgumentException("a timeout of " + longest + "; give a positive one");
        }
        return new IndexQuery(conditions, descending, limit, asOf, versions, fetch, longest);
    }

    List<Condition> conditions() {
        return conditions;
    }

    boolean isDescending() {
        return descending;
    }

    long rows() {
        return limit;
    }

    long asOf() {
        return asOf;
    }

    /** 0 for as many as the index keeps. */
    int versions() {
        return versions;
    }

    Fetch fetch() {
        return fetch;
    }

    Duration timeout() {
        return timeout;
    }

    /** Conditions hold values of rows, which are not shown. */
    @Override
    public String toString() {
        return conditions.size() + " conditions" + (descending ? ", descending" : "")
                + (limit == Long.MAX_VALUE ? "" : ", limit " + limit);
    }
}

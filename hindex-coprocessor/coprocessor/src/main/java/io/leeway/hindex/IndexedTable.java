package io.leeway.hindex;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.query.PageToken;
import io.leeway.hindex.internal.query.QueryPlanner;
import io.leeway.hindex.internal.query.ReadOrder;
import io.leeway.hindex.internal.query.ScanRange;
import io.leeway.hindex.internal.read.Endpoints;
import io.leeway.hindex.internal.read.Fetch;
import io.leeway.hindex.internal.read.Hit;
import io.leeway.hindex.internal.read.HitStream;
import io.leeway.hindex.internal.read.Lookup;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a table by value.
 *
 * <pre>{@code
 * IndexedTable people = IndexedTable.open(connection, TableName.valueOf("people"), "by_name");
 * try (IndexedRows rows = people.query(IndexQuery.where(Condition.startsWith("Mei")).limit(20))) {
 *     for (IndexedRow row : rows) {
 *         System.out.println(Bytes.toString(row.row()) + " is " + Bytes.toString(row.value()));
 *     }
 * }
 * }</pre>
 *
 * <p>A result is as fresh as the base table: each row was checked there, and writes that were acknowledged before the
 * call are seen. That an index was paused, disabled or dropped is noticed ten seconds after the table's first region
 * has, at the latest. Rows that change during the call are seen before or after the change, each for itself; one whose
 * value moves ahead of the reader may be seen twice, with different timestamps. Thread-safe; uses the connection and
 * does not close it.
 */
public final class IndexedTable {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final long TRUSTED_NANOS = Duration.ofSeconds(10).toNanos();

    private final Connection connection;
    private final TableName table;
    private final Endpoints endpoints = new Endpoints();
    private volatile Known known;

    private IndexedTable(Connection connection, TableName table, IndexPlan index) {
        this.connection = connection;
        this.table = table;
        this.known = new Known(index, System.nanoTime());
    }

    /** How the index is defined, and when that was. */
    private record Known(IndexPlan index, long nanos) {}

    /**
     * The table, by one of its indexes.
     *
     * @throws IllegalArgumentException if there is no such index
     * @throws IllegalStateException if it is not complete
     */
    public static IndexedTable open(Connection connection, TableName table, String index) throws IOException {
        return new IndexedTable(connection, table, plan(connection, table, plans -> plans.named(index)));
    }

    /**
     * The table, by an index that begins with these columns, in this order: the one with the fewest columns.
     *
     * @throws IllegalArgumentException if there is no such index that can be read, saying how to get one
     */
    public static IndexedTable openFor(Connection connection, TableName table, ColumnName... columns)
            throws IOException {
        List<ColumnName> first = List.of(columns);
        return new IndexedTable(connection, table, plan(connection, table, plans -> plans.beginningWith(table, first)));
    }

    /** The definition of the index, as it was a moment ago. */
    public IndexDefinition definition() {
        return known.index().definition();
    }

    /** An index that was disabled since is not written any more: its answers would be wrong. */
    private IndexPlan index() throws IOException {
        Known last = known;
        if (System.nanoTime() - last.nanos() < TRUSTED_NANOS) {
            return last.index();
        }
        IndexPlan plan =
                plan(connection, table, plans -> plans.named(last.index().name()));
        known = new Known(plan, System.nanoTime());
        return plan;
    }

    /**
     * As a region has it, which answers while there is no master, too. Who cannot read by that asks the master, who is
     * the first to know that an index is complete.
     */
    private static IndexPlan plan(Connection connection, TableName table, Function<TablePlan, IndexPlan> choice)
            throws IOException {
        try {
            return readable(choice.apply(TablePlan.of(new UpkeepClient(connection, table).describe())));
        } catch (IllegalArgumentException | IllegalStateException notByThat) {
            try (var base = connection.getTable(table)) {
                return readable(choice.apply(TablePlan.of(base.getDescriptor())));
            }
        }
    }

    private static IndexPlan readable(IndexPlan plan) {
        plan.requireReadable();
        return plan;
    }

    /**
     * The rows that fulfil a query, in the order of the index.
     *
     * @throws IllegalArgumentException if the index cannot answer it, saying what to ask or to do instead
     */
    public IndexedRows query(IndexQuery query) throws IOException {
        IndexPlan index = index();
        Lookup lookup = lookup(index, query);
        return new IndexedRows(
                index, stream(index, lookup, lookup.ranges(), query.rows(), query.rows(), query.timeout()));
    }

    /**
     * A page of the rows that fulfil a query: as many as its limit, or a few more, as versions of a row that have the
     * same value are not divided. A token may be kept as long as one likes, and is good for all connections.
     *
     * @param after null for the first page, else what the page before says
     * @throws IllegalArgumentException if the index cannot answer it, or the token is of another query
     */
    public IndexPage page(IndexQuery query, @Nullable String after) throws IOException {
        IndexPlan index = index();
        Lookup lookup = lookup(index, query);
        List<ScanRange> ranges = lookup.ranges();
        ReadOrder order = lookup.order();
        List<ScanRange> left = after == null ? ranges : PageToken.resume(ranges, order, after);
        var rows = new ArrayList<IndexedRow>();
        byte[] last = null;
        try (HitStream hits = stream(
                index, lookup, left, Long.MAX_VALUE, Math.max(query.rows(), query.rows() + 1), query.timeout())) {
            for (Hit hit = hits.next(); hit != null; hit = hits.next()) {
                if (rows.size() >= query.rows() && last != null && !Arrays.equals(last, hit.key())) {
                    return new IndexPage(rows, PageToken.after(ranges, order, last));
                }
                rows.add(new IndexedRow(index, hit));
                last = hit.key();
            }
        }
        return new IndexPage(rows, null);
    }

    /**
     * The rows whose first indexed column holds what a cell with these bytes holds, among the newest versions that the
     * index keeps, in the order of the index.
     *
     * @throws IllegalArgumentException if such a cell holds no value
     */
    public List<IndexedRow> readValue(byte[] cell) throws IOException {
        return readValue(cell, Long.MAX_VALUE);
    }

    /**
     * The same at a point in time; see {@link IndexQuery#asOf}.
     *
     * @param asOf versions with larger timestamps are not seen
     */
    public List<IndexedRow> readValue(byte[] cell, long asOf) throws IOException {
        IndexPlan index = index();
        List<ScanRange> ranges = QueryPlanner.planCell(index.keys(), cell);
        var order = new ReadOrder(index.keys().salt() > 0, false);
        var lookup = new Lookup(ranges, order, asOf, index.versions(), Fetch.INDEXED);
        var rows = new ArrayList<IndexedRow>();
        try (HitStream hits = stream(index, lookup, ranges, Long.MAX_VALUE, Long.MAX_VALUE, TIMEOUT)) {
            for (Hit hit = hits.next(); hit != null; hit = hits.next()) {
                rows.add(new IndexedRow(index, hit));
            }
        }
        return rows;
    }

    private HitStream stream(
            IndexPlan index, Lookup lookup, List<ScanRange> left, long limit, long expected, Duration timeout) {
        return HitStream.open(connection, table, index, lookup, left, limit, expected, timeout, endpoints);
    }

    private static Lookup lookup(IndexPlan index, IndexQuery query) {
        int versions = query.versions() == 0 ? index.versions() : query.versions();
        if (versions > index.versions()) {
            throw new IllegalArgumentException("index " + index.name() + " finds rows by their newest "
                    + index.versions() + " versions, not " + versions + "; ask for fewer, or define it with versions="
                    + versions + " and build it anew");
        }
        List<ScanRange> ranges = QueryPlanner.plan(index.keys(), query.conditions());
        var order = new ReadOrder(index.keys().salt() > 0, query.isDescending());
        return new Lookup(ranges, order, query.asOf(), versions, query.fetch());
    }
}

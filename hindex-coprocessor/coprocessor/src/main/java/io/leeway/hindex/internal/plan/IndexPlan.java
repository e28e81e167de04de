package io.leeway.hindex.internal.plan;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.IndexColumn;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexMode;
import io.leeway.hindex.internal.encode.CellValues;
import io.leeway.hindex.internal.encode.IndexKeys;
import io.leeway.hindex.internal.encode.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * One index of a table, as the server works with it. Immutable and thread-safe.
 *
 * <p>Its columns, indexed and covered, each counted once, are numbered; the indexed ones come first. What they hold
 * together is a {@link RowState}, from which the entries follow. An index of a single column has one state for each
 * version that it follows; one of several has one, of the newest version of each.
 *
 * <p>Made once when a region is opened, or a client opens an index: what every write asks is worked out here.
 */
public final class IndexPlan {

    /** The only family of entries in an index table. */
    private static final byte[] FAMILY = "i".getBytes(StandardCharsets.US_ASCII);

    /** Not empty: HBase's new version behaviour fails on deletes of the empty qualifier. */
    private static final byte[] QUALIFIER = "e".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] NOTHING = {};

    private final IndexDefinition definition;
    private final TableName table;
    private final IndexKeys keys;
    /** Keys of the first column alone, for queries that name no other. */
    private final IndexKeys firstKey;

    private final List<ColumnName> columns;
    private final byte[] family;
    /** By the columns' numbers. */
    private final byte[][] qualifiers;
    /** The numbers of the indexed columns, in the order of the key. */
    private final int[] ofKey;
    /** The numbers of the covered ones, in the order in which they stand in entries. */
    private final int[] covered;

    private final int keptVersions;
    private final boolean expires;

    private IndexPlan(IndexDefinition definition, TableName table, @Nullable ColumnFamilyDescriptor described) {
        this.definition = definition;
        this.table = table;
        this.keys = IndexKeys.of(definition);
        this.firstKey = new IndexKeys(keys.codecs().subList(0, 1), definition.salt());
        this.columns = List.copyOf(new LinkedHashSet<>(
                Stream.concat(definition.columns().stream().map(IndexColumn::name), definition.covered().stream())
                        .toList()));
        this.family = columns.get(0).family();
        this.qualifiers = columns.stream().map(ColumnName::qualifier).toArray(byte[][]::new);
        this.ofKey = definition.columns().stream()
                .mapToInt(column -> columns.indexOf(column.name()))
                .toArray();
        this.covered = definition.covered().stream().mapToInt(columns::indexOf).toArray();
        this.keptVersions = described == null ? 1 : described.getMaxVersions();
        this.expires = described != null && described.getTimeToLive() != HConstants.FOREVER;
    }

    /**
     * The plan for an index of this table.
     *
     * @throws IllegalArgumentException if the table cannot have such an index
     */
    public static IndexPlan of(IndexDefinition definition, TableDescriptor base) {
        TableName name = base.getTableName();
        var table = TableName.valueOf(name.getNamespaceAsString(), definition.indexTable(name.getQualifierAsString()));
        ColumnFamilyDescriptor family =
                base.getColumnFamily(definition.columns().get(0).name().family());
        if (family != null && family.getTimeToLive() != HConstants.FOREVER && family.getMinVersions() > 0) {
            requireOneColumn(definition);
        }
        return new IndexPlan(definition, table, family);
    }

    /** A state would depend on which of several expired cells a compaction has left. */
    private static void requireOneColumn(IndexDefinition definition) {
        if (definition.columns().size() > 1 || !definition.covered().isEmpty()) {
            throw new IllegalArgumentException("index " + definition.name()
                    + " has several or covered columns, whose family has a time to live and MIN_VERSIONS: which cells are"
                    + " left then is not known; take one of the two away, or index one column");
        }
    }

    /** The only family of entries in an index table. */
    public static byte[] entryFamily() {
        return FAMILY.clone();
    }

    /** The qualifier of entries that cover nothing. */
    public static byte[] entryQualifier() {
        return QUALIFIER.clone();
    }

    /** What users call it. */
    public String name() {
        return definition.name();
    }

    /** Its definition. */
    public IndexDefinition definition() {
        return definition;
    }

    /** Where its entries are. */
    public TableName table() {
        return table;
    }

    /** The first indexed column. */
    public ColumnName column() {
        return columns.get(0);
    }

    /** Its columns by their numbers. */
    public List<ColumnName> columns() {
        return columns;
    }

    /** Whether its entries depend on one column only. */
    public boolean isOfOneColumn() {
        return columns.size() == 1;
    }

    /** The family of all its columns. */
    public byte[] family() {
        return family.clone();
    }

    /** How its keys are made. */
    public IndexKeys keys() {
        return keys;
    }

    /** Into how many parts its keys are spread; 0 if they are not. */
    public int salt() {
        return definition.salt();
    }

    /** How many of a row's newest versions it finds. */
    public int versions() {
        return definition.versions();
    }

    /**
     * How many versions of a cell the store keeps.
     *
     * <p>What stands behind them may be there or not, see {@code RowChange}.
     */
    public int keptVersions() {
        return keptVersions;
    }

    /** Whether the cells of its family expire. */
    public boolean expires() {
        return expires;
    }

    /** Whether writes remove what they make obsolete. */
    public boolean isSync() {
        return definition.mode() == IndexMode.SYNC;
    }

    /** Whether entries may follow after their writes. */
    public boolean isAsync() {
        return definition.mode() == IndexMode.ASYNC;
    }

    /** Whether compactions look for what has become obsolete: in rows that are written once nothing does. */
    public boolean isRepaired() {
        return definition.mode() != IndexMode.IMMUTABLE;
    }

    /** Whether the index may be read. */
    public boolean isReadable() {
        return definition.state().isReadable();
    }

    /**
     * Fails unless the index may be read.
     *
     * @throws IllegalStateException saying what state it is in, and what ends that
     */
    public void requireReadable() {
        if (isReadable()) {
            return;
        }
        String remedy = switch (definition.state()) {
            case BUILDING ->
                "the master, or who gave hindex create or hindex build, is adding its entries: hindex build waits for"
                        + " that, or goes on with it";
            case PAUSED -> "hindex resume ends that";
            case DROPPING -> "it is being removed: define another";
            default -> "hindex build builds it anew";
        };
        throw new IllegalStateException("the index " + name() + " is "
                + definition.state().name().toLowerCase(Locale.ROOT) + " and cannot be read; " + remedy
                + "; until then scan the table");
    }

    /**
     * Whether ordinary scans may be answered by it: it has an entry of all that is in the table.
     *
     * <p>Not in mode async, where an entry may follow its row; nor where what a row shows changes by itself, as its
     * columns expire one after the other.
     */
    public boolean answersScans() {
        boolean changesByItself = expires && !isOfOneColumn();
        return isReadable() && definition.mode() != IndexMode.ASYNC && !changesByItself;
    }

    /** Whether writes and compactions keep it. */
    public boolean isKept() {
        return definition.state().isWritten();
    }

    /** Makes a scan read what the index needs of a row, and no more. */
    public void select(Scan scan) {
        for (byte[] qualifier : qualifiers) {
            scan.addColumn(family, qualifier);
        }
    }

    /** Makes a get read what the index needs of a row. */
    public void select(Get get) {
        for (byte[] qualifier : qualifiers) {
            get.addColumn(family, qualifier);
        }
    }

    /** Whether this is the family of its columns. */
    public boolean isOfFamily(byte[] name) {
        return Arrays.equals(family, name);
    }

    /** Whether the cell is of one of its columns. */
    public boolean isOfColumn(Cell cell) {
        return CellUtil.matchingFamily(cell, family) && isOfQualifier(cell);
    }

    /** Whether a put or delete of the family is of one of its columns. */
    private boolean isOfQualifier(Cell cell) {
        return number(cell) >= 0;
    }

    /**
     * The number of the column that a cell of the family is of; -1 if it is of another.
     *
     * <p>By going through them: an index has a few columns.
     */
    public int number(Cell cell) {
        for (int column = 0; column < qualifiers.length; column++) {
            if (CellUtil.matchingQualifier(cell, qualifiers[column])) {
                return column;
            }
        }
        return -1;
    }

    /** Whether the cell says something about one of its columns: it is of one, or deletes their whole family. */
    public boolean concerns(Cell cell) {
        return switch (cell.getType()) {
            case DeleteFamily, DeleteFamilyVersion -> CellUtil.matchingFamily(cell, family);
            case Put, Delete, DeleteColumn -> isOfColumn(cell);
        };
    }

    /**
     * What a row shows in its columns.
     *
     * <p>Writes, checks of reads and verifications all come here, so that they mean the same by what a row shows.
     *
     * @param cells what readers see of the columns that {@link #select} names, newest first, as many versions as the
     *     index has
     * @return one for each version of a single column; of several columns one
     */
    public List<RowState> states(Cell[] cells) {
        var states = new ArrayList<RowState>();
        for (Cell cell : cells) {
            int column = isOfColumn(cell) ? number(cell) : -1;
            if (column < 0) {
                continue;
            }
            if (isOfOneColumn() || states.isEmpty()) {
                states.add(new RowState(columns.size()));
            }
            RowState state = states.get(states.size() - 1);
            if (!state.has(column)) {
                state.set(column, CellUtil.cloneValue(cell), cell.getTimestamp());
            }
        }
        return states;
    }

    /** The entries that a row must have, by the cells of which {@link #states} speaks. */
    public List<Entry> entriesOf(byte[] row, Cell[] cells) {
        return states(cells).stream()
                .flatMap(state -> entries(row, state).stream())
                .toList();
    }

    /**
     * How many of the values that a row shows are not what the index's columns are declared as, or too long for a key:
     * no query finds them.
     *
     * @param cells of which {@link #states} speaks
     */
    public int malformed(byte[] row, Cell[] cells) {
        int malformed = 0;
        for (RowState state : states(cells)) {
            malformed += outcome(keys, row, state, new ArrayList<>(1)) == Outcome.MALFORMED ? 1 : 0;
        }
        return malformed;
    }

    /** The entries that say that the row is in this state; none for values that are not indexed. */
    public List<Entry> entries(byte[] row, RowState state) {
        return entries(row, state, null);
    }

    /** The entries that say that the row got this value of the only column at this time. */
    public List<Entry> entries(byte[] row, byte[] value, long timestamp) {
        return entries(row, RowState.of(value, timestamp), null);
    }

    /**
     * The same for a value that is written now.
     *
     * @throws IllegalArgumentException if the value is malformed and the index refuses that
     */
    public List<Entry> newEntries(byte[] row, byte[] value, long timestamp) {
        return newEntries(row, RowState.of(value, timestamp));
    }

    /**
     * The same for a state that comes about now.
     *
     * @throws IllegalArgumentException if a value is malformed and the index refuses that
     */
    public List<Entry> newEntries(byte[] row, RowState state) {
        String refused = definition.isStrict()
                ? "a cell of " + indexedColumns() + " is not what index " + name()
                        + " wants, or too long; correct the value"
                : null;
        return entries(row, state, refused);
    }

    private String indexedColumns() {
        return definition.columns().stream()
                .map(column -> column.name().toString())
                .reduce((all, one) -> all + " or " + one)
                .orElseThrow();
    }

    /** The way of every write: one key and no covered values are made without a list or a digest more than needed. */
    private List<Entry> entries(byte[] row, RowState state, @Nullable String refused) {
        List<byte[]> rows = entryKeys(keys, row, state, refused);
        if (rows.isEmpty()) {
            return List.of();
        }
        long timestamp = state.timestamp();
        byte[] content = covered.length == 0 ? NOTHING : CoveredValues.encode(state, covered);
        byte[] qualifier = covered.length == 0 ? QUALIFIER : CoveredValues.qualifier(QUALIFIER, content);
        if (rows.size() == 1) {
            return List.of(new Entry(this, rows.get(0), qualifier, timestamp, content));
        }
        return rows.stream()
                .map(key -> new Entry(this, key, qualifier, timestamp, content))
                .toList();
    }

    /** Null lets malformed values pass, which then have no keys. */
    private List<byte[]> entryKeys(IndexKeys of, byte[] row, RowState state, @Nullable String refused) {
        var rows = new ArrayList<byte[]>(1);
        Outcome outcome = outcome(of, row, state, rows);
        if (outcome == Outcome.MALFORMED && refused != null) {
            throw new IllegalArgumentException(refused);
        }
        return rows;
    }

    private Outcome outcome(IndexKeys of, byte[] row, RowState state, List<byte[]> rows) {
        var values = new CellValues(of.codecs().size());
        for (int i = 0; i < of.codecs().size(); i++) {
            byte[] value = state.value(ofKey[i]);
            if (value != null) {
                values.set(i, value, 0, value.length);
            }
        }
        return of.rows(values, row, 0, row.length, rows);
    }

    /**
     * What the keys of all entries start with that have this value of the first column, and of no other.
     *
     * <p>The row is left out, so what is found is what the keys have before it.
     */
    public List<byte[]> prefixes(byte[] value) {
        var state = new RowState(columns.size());
        state.set(0, value, 0);
        return entryKeys(
                firstKey,
                new byte[0],
                state,
                "this is no value of " + column() + " as index " + name() + " defines it");
    }

    /** The row of the base table that an entry with this key speaks of. */
    public byte[] row(byte[] key) {
        return keys.base(key);
    }

    /**
     * The values that an entry with this key speaks of, for people.
     *
     * <p>Folded text stays folded, as the key has no other.
     */
    public String valueText(byte[] key) {
        List<@Nullable Object> values = keys.values(key);
        return values.size() == 1 ? String.valueOf(values.get(0)) : values.toString();
    }

    /**
     * What an entry covers, in the order of the definition, null where the row has nothing.
     *
     * @param content the value of the entry's cell
     */
    public List<byte @Nullable []> covered(byte[] content) {
        return CoveredValues.decode(content, covered.length);
    }

    @Override
    public String toString() {
        return definition.toString();
    }
}

package io.leeway.hindex.internal.plan;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexMode;
import io.leeway.hindex.internal.encode.CellValues;
import io.leeway.hindex.internal.encode.IndexKeys;
import io.leeway.hindex.internal.encode.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** One index of a table, as the server works with it. Immutable and thread-safe. */
public final class IndexPlan {

    /** The only family of an index table. */
    private static final byte[] FAMILY = "i".getBytes(StandardCharsets.US_ASCII);

    /** Not empty: HBase's new version behaviour fails on deletes of the empty qualifier. */
    private static final byte[] QUALIFIER = "e".getBytes(StandardCharsets.US_ASCII);

    private final IndexDefinition definition;
    private final TableName table;
    private final IndexKeys keys;
    private final ColumnName column;
    private final byte[] family;
    private final byte[] qualifier;

    private IndexPlan(IndexDefinition definition, TableName table) {
        this.definition = definition;
        this.table = table;
        this.keys = IndexKeys.of(definition);
        this.column = definition.columns().get(0).name();
        this.family = column.family();
        this.qualifier = column.qualifier();
    }

    /** The plan for an index of this table. */
    public static IndexPlan of(IndexDefinition definition, TableName base) {
        if (definition.columns().size() > 1 || !definition.covered().isEmpty()) {
            throw new IllegalArgumentException("index " + definition.name()
                    + " has several or covered columns, which is not supported yet; define one index for each column");
        }
        if (definition.mode() == IndexMode.ASYNC) {
            throw new IllegalArgumentException(
                    "index " + definition.name() + " has mode async, which is not supported yet; use deferred");
        }
        String indexTable = definition.indexTable(base.getQualifierAsString());
        return new IndexPlan(definition, TableName.valueOf(base.getNamespaceAsString(), indexTable));
    }

    /** The only family of an index table. */
    public static byte[] entryFamily() {
        return FAMILY.clone();
    }

    /** The only qualifier of an index table. */
    public static byte[] entryQualifier() {
        return QUALIFIER.clone();
    }

    /** What users call it. */
    public String name() {
        return definition.name();
    }

    /** Where its entries are. */
    public TableName table() {
        return table;
    }

    /** The indexed column. */
    public ColumnName column() {
        return column;
    }

    /** How many of a row's newest versions it finds. */
    public int versions() {
        return definition.versions();
    }

    /** Whether writes remove what they make obsolete. */
    public boolean isSync() {
        return definition.mode() == IndexMode.SYNC;
    }

    /** Whether the index may be read; else what state it is in is in the text. */
    public void requireReadable() {
        if (!definition.state().isReadable()) {
            throw new IllegalStateException("index " + name() + " is " + definition.state() + " and cannot be read");
        }
    }

    /** Whether writes and compactions keep it. */
    public boolean isKept() {
        return definition.state().isWritten();
    }

    /** Whether this is the family of the indexed column. */
    public boolean isOfFamily(byte[] name) {
        return Arrays.equals(family, name);
    }

    /** Whether the cell is of the indexed column. */
    public boolean isOfColumn(Cell cell) {
        return CellUtil.matchingFamily(cell, family) && CellUtil.matchingQualifier(cell, qualifier);
    }

    /** Whether a put or delete of the family is of the indexed column. */
    public boolean isOfQualifier(Cell cell) {
        return CellUtil.matchingQualifier(cell, qualifier);
    }

    /** Whether the cell says something about the indexed column: it is of the column, or deletes its whole family. */
    public boolean concerns(Cell cell) {
        return switch (cell.getType()) {
            case DeleteFamily, DeleteFamilyVersion -> CellUtil.matchingFamily(cell, family);
            case Put, Delete, DeleteColumn -> isOfColumn(cell);
        };
    }

    /** The entries that say that the row got this value at this time; none for a value that is not indexed. */
    public List<Entry> entries(byte[] row, byte[] value, long timestamp) {
        return entryKeys(row, value, null).stream()
                .map(key -> new Entry(this, key, timestamp))
                .toList();
    }

    /**
     * The same for a value that is written now.
     *
     * @throws IllegalArgumentException if the value is malformed and the index refuses that
     */
    public List<Entry> newEntries(byte[] row, byte[] value, long timestamp) {
        String refused = definition.isStrict()
                ? "a cell of " + column + " is not what index " + name() + " wants, or too long; correct the value"
                : null;
        return entryKeys(row, value, refused).stream()
                .map(key -> new Entry(this, key, timestamp))
                .toList();
    }

    private List<byte[]> entryKeys(byte[] row, byte[] value, @Nullable String refused) {
        var values = new CellValues(1);
        values.set(0, value, 0, value.length);
        var rows = new ArrayList<byte[]>(1);
        Outcome outcome = keys.rows(values, row, 0, row.length, rows);
        if (outcome == Outcome.MALFORMED && refused != null) {
            throw new IllegalArgumentException(refused);
        }
        return rows;
    }

    /** What the keys of all entries of a value start with, and of no other. */
    public List<byte[]> prefixes(byte[] value) {
        return entryKeys(new byte[0], value, "this is no value of " + column + " as index " + name() + " defines it");
    }

    /** The row of the base table that an entry with this key speaks of. */
    public byte[] row(byte[] key) {
        return keys.base(key);
    }

    /** The value that an entry with this key speaks of, for people. */
    public String valueText(byte[] key) {
        return String.valueOf(keys.values(key).get(0));
    }

    /** Whether a row with this value has an entry with this key. */
    public boolean isEntryOf(byte[] key, Cell cell) {
        var values = new CellValues(1);
        values.set(0, cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
        return keys.isRowOf(key, values);
    }

    @Override
    public String toString() {
        return definition.toString();
    }
}

package io.leeway.hindex.internal.plan;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.IndexDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * All indexes of one table, read from the table's own attributes: a region starts without an outside catalogue, and
 * with what it was opened with. Immutable and thread-safe.
 */
public final class TablePlan {

    private final List<IndexPlan> indexes;

    private TablePlan(List<IndexPlan> indexes) {
        this.indexes = List.copyOf(indexes);
    }

    /**
     * The indexes that a table's attributes define.
     *
     * @throws IllegalArgumentException if one is not a definition, or the table cannot have it
     */
    public static TablePlan of(TableDescriptor table) {
        var indexes = new ArrayList<IndexPlan>();
        table.getValues().forEach((key, value) -> {
            String attribute = Bytes.toString(key.get(), key.getOffset(), key.getLength());
            if (attribute.startsWith(IndexDefinition.ATTRIBUTE_PREFIX)) {
                String name = attribute.substring(IndexDefinition.ATTRIBUTE_PREFIX.length());
                String text = Bytes.toString(value.get(), value.getOffset(), value.getLength());
                indexes.add(IndexPlan.of(IndexDefinition.parse(name, text), table));
            }
        });
        return new TablePlan(indexes);
    }

    /** A table without indexes. */
    public static TablePlan none() {
        return new TablePlan(List.of());
    }

    /**
     * The indexes that writes and compactions keep.
     *
     * <p>Regions know no others, so that nothing is done for an index that is disabled.
     */
    public TablePlan kept() {
        return new TablePlan(indexes.stream().filter(IndexPlan::isKept).toList());
    }

    /** All indexes. */
    public List<IndexPlan> indexes() {
        return indexes;
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return indexes.isEmpty();
    }

    /**
     * The indexes over columns of one family that compactions repair.
     *
     * <p>A compaction is of one family.
     */
    public List<IndexPlan> repairedOfFamily(byte[] family) {
        return indexes.stream()
                .filter(index -> index.isRepaired() && index.isOfFamily(family))
                .toList();
    }

    /** The index of this name. */
    public IndexPlan named(String name) {
        return indexes.stream()
                .filter(index -> index.name().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("there is no index " + name + "; there are "
                        + indexes.stream().map(IndexPlan::name).toList()));
    }

    /**
     * The index with the fewest columns that begins with these, and can be read.
     *
     * <p>Fewer columns mean shorter keys, and entries that say no more than was asked for.
     *
     * @throws IllegalArgumentException if there is none, saying how to get one
     */
    public IndexPlan beginningWith(TableName table, List<ColumnName> columns) {
        return indexes.stream()
                .filter(index -> index.definition().state().isReadable())
                .filter(index -> index.columns().size() >= columns.size()
                        && index.columns().subList(0, columns.size()).equals(columns))
                .min(Comparator.comparing(index -> index.columns().size()))
                .orElseThrow(() -> new IllegalArgumentException("no index of " + table
                        + " that can be read begins with " + columns + "; there are "
                        + indexes.stream()
                                .map(index -> index.name() + " over " + index.columns() + ", which is "
                                        + index.definition().state())
                                .toList()
                        + "; ask one of these, or define another: alter '" + table
                        + "', METADATA => {'hindex.index.NAME' => 'columns="
                        + columns.stream().map(column -> column + ":ENCODING").collect(Collectors.joining(", "))
                        + "'}, and build it"));
    }
}

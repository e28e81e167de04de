package io.leeway.it.hbase;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.Encoding;
import io.leeway.hindex.IndexColumn;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives every table that a test creates indexes over the columns that the test writes.
 *
 * <p>In the master, before hindex's own observer, which does the rest as for any user: it creates the tables for the entries
 * and has the table name the region observer. An observer of all regions that is named in the site file would do less: without
 * a definition it has nothing to do, and many of HBase's tests overwrite that setting.
 */
public final class IndexEveryTable implements MasterCoprocessor, MasterObserver {

    private static volatile List<String> qualifiers = List.of();

    /** For HBase. */
    public IndexEveryTable() {}

    /** What the class writes that is run next. */
    static void expect(List<String> nextQualifiers) {
        qualifiers = List.copyOf(nextQualifiers);
    }

    @Override
    public Optional<MasterObserver> getMasterObserver() {
        return Optional.of(this);
    }

    @Override
    public TableDescriptor preCreateTableRegionsInfos(
            ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table) throws IOException {
        var changed = TableDescriptorBuilder.newBuilder(table);
        if (IndexTables.base(table) != null) {
            return changed.setCoprocessor(CountedEntries.class.getName()).build();
        }
        if (table.getTableName().getNamespaceAsString().equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR)) {
            return table;
        }
        int number = 0;
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            for (String qualifier : qualifiers) {
                // Documented: such families have no indexes.
                if (!family.isNewVersionBehavior() && !family.isMobEnabled()) {
                    IndexDefinition index = index(number++, family, qualifier);
                    changed.setValue(index.attribute(), index.toText());
                }
            }
        }
        return changed.build();
    }

    /**
     * Lists leave out the tables of entries, since many tests delete, or count, all tables that they list; who asks for them by
     * name, or by how their names begin, as hindex does, gets them.
     */
    @Override
    public void postGetTableDescriptors(
            ObserverContext<MasterCoprocessorEnvironment> context,
            @Nullable List<TableName> names,
            List<TableDescriptor> found,
            @Nullable String pattern) {
        boolean isList = names == null || names.isEmpty();
        if (isList && (pattern == null || !pattern.contains(".hindex."))) {
            found.removeIf(table -> IndexTables.base(table) != null);
        }
    }

    @Override
    public void postGetTableNames(
            ObserverContext<MasterCoprocessorEnvironment> context,
            List<TableDescriptor> found,
            @Nullable String pattern) {
        found.removeIf(table -> IndexTables.base(table) != null);
    }

    private static IndexDefinition index(int number, ColumnFamilyDescriptor family, String qualifier) {
        String column = qualifier.equals("-") ? "" : qualifier;
        return IndexDefinition.builder("own" + number)
                .column(new IndexColumn(ColumnName.of(family.getNameAsString(), column), Encoding.BYTES))
                .build();
    }
}

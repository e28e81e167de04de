package io.leeway.hindex.internal.plan;

import io.leeway.hindex.HindexEndpoint;
import io.leeway.hindex.HindexObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/*
 * All versions, since a row may have had a value several times, and each time is an entry of its own that is removed
 * alone. The new version behaviour, since an entry that was removed may come back at the same timestamp: when a delete
 * makes an older version fresh again, or a client gives a timestamp twice. With HBase's default such an entry would stay
 * hidden behind its removal.
 */
/** What the tables look like that hold entries: made so, and recognized by it. Without state. */
public final class IndexTables {

    /** Says of which base table a table holds entries; nobody else's table is ever removed. */
    private static final String ENTRIES_OF = "hindex-entries-of";

    /** How far a build is; beside the entries, so that it goes and comes with them. */
    private static final byte[] LOG_FAMILY = "b".getBytes(StandardCharsets.US_ASCII);

    /** Until when regions of the base table have written their entries. */
    private static final byte[] WATERMARK_FAMILY = "w".getBytes(StandardCharsets.US_ASCII);

    private IndexTables() {}

    /** The family that says how far a build is. */
    public static byte[] logFamily() {
        return LOG_FAMILY.clone();
    }

    /**
     * The base table of an index table; null for any other table.
     *
     * <p>By the attribute and not by the name: anybody may call a table so.
     */
    public static @Nullable TableName base(TableDescriptor table) {
        String base = table.getValue(ENTRIES_OF);
        return base == null ? null : TableName.valueOf(base);
    }

    /**
     * Where the table is split from the beginning: a salted one into its parts.
     *
     * <p>The salt is one byte before the key, so each part begins with its number.
     */
    public static byte[][] splits(IndexPlan index) {
        int parts = Math.max(1, index.salt());
        var splits = new byte[parts - 1][];
        for (int part = 1; part < parts; part++) {
            splits[part - 1] = new byte[] {(byte) part};
        }
        return splits;
    }

    /** The family that says until when regions of the base table have written their entries. */
    public static byte[] watermarkFamily() {
        return WATERMARK_FAMILY.clone();
    }

    /** What has become of an index's table, and what to do, where that is why a call failed; empty where it is not. */
    public static Optional<String> fault(Throwable cause) {
        if (cause instanceof TableNotFoundException) {
            return Optional.of(" does not exist; build the index, which creates it (hindex build), or drop it");
        }
        return cause instanceof TableNotEnabledException
                ? Optional.of(" is disabled; enable it (hindex build), or disable the index (hindex disable)")
                : Optional.empty();
    }

    /**
     * The table for the entries of an index of this base table.
     *
     * <p>Entries live as long as the cells of the family. Where cells stay beyond that, by MIN_VERSIONS, their entries
     * have to as well.
     */
    public static TableDescriptor descriptor(IndexPlan index, TableDescriptor base) {
        ColumnFamilyDescriptor indexed = indexable(index, base);
        var family = ColumnFamilyDescriptorBuilder.newBuilder(IndexPlan.entryFamily())
                .setMaxVersions(HConstants.ALL_VERSIONS)
                .setKeepDeletedCells(KeepDeletedCells.FALSE)
                .setNewVersionBehavior(true);
        if (indexed.getMinVersions() == 0) {
            family.setTimeToLive(indexed.getTimeToLive());
        }
        try {
            return TableDescriptorBuilder.newBuilder(index.table())
                    .setColumnFamily(family.build())
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LOG_FAMILY))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(WATERMARK_FAMILY))
                    .setValue(ENTRIES_OF, base.getTableName().getNameAsString())
                    .setCoprocessor(endpoint(base))
                    .build();
        } catch (IOException e) {
            throw new IllegalStateException("HBase takes no endpoint", e);
        }
    }

    /**
     * What a table has that one for the entries of this index has not, or lacks, in words; empty if nothing.
     *
     * <p>Only what would let somebody else at the entries, or make them wrong; all else an operator may set.
     */
    public static String strange(TableDescriptor found, IndexPlan index, TableDescriptor base) {
        TableDescriptor wanted = descriptor(index, base);
        var strange = new ArrayList<String>();
        if (!found.getColumnFamilyNames().equals(wanted.getColumnFamilyNames())) {
            strange.add("other column families");
        } else if (!Objects.requireNonNull(found.getColumnFamily(IndexPlan.entryFamily()))
                .isNewVersionBehavior()) {
            strange.add("entries without versions of their own");
        }
        if (!coprocessors(found).equals(coprocessors(wanted))) {
            strange.add("other coprocessors");
        }
        return String.join(" and ", strange);
    }

    private static Set<String> coprocessors(TableDescriptor table) {
        return table.getCoprocessorDescriptors().stream()
                .map(CoprocessorDescriptor::getClassName)
                .collect(Collectors.toSet());
    }

    /**
     * Fails unless an index's family is one whose cells compactions see as they are.
     *
     * @throws IllegalArgumentException saying why not, and what to do
     */
    public static void requireIndexable(IndexPlan index, TableDescriptor base) {
        indexable(index, base);
    }

    private static ColumnFamilyDescriptor indexable(IndexPlan index, TableDescriptor base) {
        ColumnFamilyDescriptor family = base.getColumnFamily(index.column().family());
        if (family == null) {
            throw new IllegalArgumentException("index " + index.name() + " is over " + index.column() + ", but "
                    + base.getTableName() + " has no such family");
        }
        if (family.isNewVersionBehavior()) {
            throw new IllegalArgumentException("the family of " + index.column()
                    + " has NEW_VERSION_BEHAVIOR, whose deletes hindex does not model; index another family");
        }
        if (family.isMobEnabled()) {
            throw new IllegalArgumentException("the family of " + index.column()
                    + " has IS_MOB: its files have references in place of large values, by which compactions do not find"
                    + " the entries of index " + index.name()
                    + "; keep the column in a family with IS_MOB => 'false', and"
                    + " large values in another");
        }
        return family;
    }

    /**
     * From the same jar as the observer of the base table.
     *
     * <p>With two jars a server would have all that is shared twice.
     */
    private static CoprocessorDescriptor endpoint(TableDescriptor base) {
        var endpoint = CoprocessorDescriptorBuilder.newBuilder(HindexEndpoint.class.getName());
        base.getCoprocessorDescriptors().stream()
                .filter(each -> each.getClassName().equals(HindexObserver.class.getName()))
                .forEach(observer -> observer.getJarPath().ifPresent(endpoint::setJarPath));
        return endpoint.build();
    }
}

package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexState;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/*
 * Model: whoever changes a table's attributes says what indexes it shall have; how far they are is ours to say. So a new
 * index is never complete, except that of a new table; a step from state to state is one that IndexState allows; and what
 * decides about the keys of entries does not change while there are entries.
 */
/**
 * What a change of a table's attributes means for its indexes: a pure function of the descriptors before and after, for
 * the master's observer and for {@link Operations}. Nothing is asked of HBase, nothing is done. Immutable.
 */
public final class DefinitionChange {

    /**
     * What file systems take for the name of a directory.
     *
     * <p>In bytes.
     */
    private static final int MOST_NAME = 255;

    private final TableDescriptor table;
    private final List<IndexPlan> added;
    private final List<IndexPlan> restarted;
    private final List<IndexPlan> activated;

    private DefinitionChange(
            TableDescriptor table, List<IndexPlan> added, List<IndexPlan> restarted, List<IndexPlan> activated) {
        this.table = table;
        this.added = added;
        this.restarted = restarted;
        this.activated = activated;
    }

    /**
     * A new table: it has no rows, so its indexes are complete.
     *
     * <p>Other states than the preset one are kept: who creates a table with a disabled index wants that.
     *
     * @param observer to be named by the table; empty if all tables have it
     * @throws IllegalArgumentException if what is defined cannot be
     */
    public static DefinitionChange created(TableDescriptor table, String observer) {
        var named = new HashMap<String, IndexDefinition>();
        for (IndexPlan index : TablePlan.of(table).indexes()) {
            IndexDefinition given = index.definition();
            named.put(given.name(), given.state() == IndexState.BUILDING ? with(given, IndexState.ACTIVE) : given);
        }
        TableDescriptor completed = completed(table, named, observer);
        List<IndexPlan> indexes = TablePlan.of(completed).indexes();
        requireNames(indexes);
        return new DefinitionChange(completed, indexes, List.of(), List.of());
    }

    /**
     * A table that has been changed.
     *
     * <p>Three kinds of indexes are told apart, by what must be done before the table's regions are opened with them:
     * new ones need a table; those that were not kept for a while begin from nothing; those that are to be read must be
     * complete, which the caller finds out. One that is only in the old descriptor is gone, and its table goes
     * afterwards, see {@link Reconciler}.
     *
     * @throws IllegalArgumentException if what is defined cannot be
     */
    public static DefinitionChange changed(TableDescriptor before, TableDescriptor after, String observer) {
        Map<String, IndexDefinition> old = definitions(before);
        var named = new HashMap<String, IndexDefinition>();
        var added = new ArrayList<String>();
        var restarted = new ArrayList<String>();
        var activated = new ArrayList<String>();
        for (IndexPlan index : TablePlan.of(after).indexes()) {
            IndexDefinition given = index.definition();
            String name = given.name();
            IndexDefinition was = old.get(name);
            if (was == null) {
                added.add(name);
                named.put(name, given.state().isReadable() ? with(given, IndexState.BUILDING) : given);
                continue;
            }
            requireSameKeys(was, given);
            requireLooked(was, given);
            if (was.state() != given.state()) {
                requireStep(was, given);
                if (was.state() == IndexState.DISABLED && given.state().isWritten()) {
                    restarted.add(name);
                }
                if (given.state().isReadable()) {
                    activated.add(name);
                }
            }
            named.put(name, given);
        }
        TableDescriptor completed = completed(after, named, observer);
        TablePlan plan = TablePlan.of(completed);
        requireNames(plans(plan, added));
        return new DefinitionChange(completed, plans(plan, added), plans(plan, restarted), plans(plan, activated));
    }

    /** HBase keeps a table in a directory of its name, and fails late where the file system takes no such name. */
    private static void requireNames(List<IndexPlan> indexes) {
        for (IndexPlan index : indexes) {
            int length = index.table().getQualifier().length;
            if (length > MOST_NAME) {
                throw new IllegalArgumentException("the table for the entries of index " + index.name() + " would be "
                        + index.table() + ", whose name has " + length + " bytes, and may have " + MOST_NAME
                        + "; give the index a shorter name");
            }
        }
    }

    private static List<IndexPlan> plans(TablePlan plan, List<String> names) {
        return names.stream().map(plan::named).toList();
    }

    /**
     * A table whose old definitions cannot be read is to be corrected by the change.
     *
     * <p>Then all indexes count as new; were the old ones required, the table could never be put right.
     */
    private static Map<String, IndexDefinition> definitions(TableDescriptor table) {
        var definitions = new HashMap<String, IndexDefinition>();
        try {
            TablePlan.of(table).indexes().forEach(index -> definitions.put(index.name(), index.definition()));
        } catch (IllegalArgumentException unreadable) {
            definitions.clear();
        }
        return definitions;
    }

    /** Entries that are there would be under keys that nobody looks for, and nobody would ever remove them. */
    private static void requireSameKeys(IndexDefinition was, IndexDefinition given) {
        boolean same = was.columns().equals(given.columns())
                && was.covered().equals(given.covered())
                && was.versions() == given.versions()
                && was.salt() == given.salt();
        if (!same) {
            throw new IllegalArgumentException("the index " + given.name() + " is " + was.toText()
                    + ", and its columns, covers, versions and salt cannot be changed; define another index, and drop"
                    + " this one when that is complete");
        }
    }

    /**
     * What was accepted while it was not strict is not looked at but by a build from the beginning.
     *
     * <p>A strict index promises that every value has its entry, and scans are answered by that.
     */
    private static void requireLooked(IndexDefinition was, IndexDefinition given) {
        if (given.isStrict() && !was.isStrict() && given.state() != IndexState.DISABLED) {
            throw new IllegalArgumentException("the index " + given.name()
                    + " may have been kept over values that are not what it wants: disable it (hindex disable), set"
                    + " strict=true, and build it (hindex build)");
        }
    }

    private static void requireStep(IndexDefinition was, IndexDefinition given) {
        try {
            was.state().become(given.state());
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException("index " + given.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * The descriptor with states as they are, and with the observer if an index is defined: without it nobody would
     * keep that.
     */
    private static TableDescriptor completed(
            TableDescriptor table, Map<String, IndexDefinition> definitions, String observer) {
        if (definitions.isEmpty()) {
            return table;
        }
        var builder = TableDescriptorBuilder.newBuilder(table);
        definitions.values().forEach(definition -> builder.setValue(definition.attribute(), definition.toText()));
        if (!observer.isEmpty() && !table.hasCoprocessor(observer)) {
            try {
                builder.setCoprocessor(observer);
            } catch (IOException e) {
                throw new IllegalArgumentException("the table cannot name " + observer, e);
            }
        }
        return builder.build();
    }

    /**
     * A table without indexes: it does not name the observer any more, if it did so as {@link #completed} has it.
     *
     * <p>One with a path or with properties was named by an operator, who wants it there.
     */
    static TableDescriptor released(TableDescriptor table, String observer) {
        boolean isOurs = !observer.isEmpty()
                && table.getCoprocessorDescriptors().stream()
                        .anyMatch(each -> each.getClassName().equals(observer)
                                && each.getJarPath().isEmpty()
                                && each.getProperties().isEmpty());
        return isOurs
                ? TableDescriptorBuilder.newBuilder(table)
                        .removeCoprocessor(observer)
                        .build()
                : table;
    }

    private static IndexDefinition with(IndexDefinition definition, IndexState state) {
        return definition.toBuilder().state(state).build();
    }

    /** The table as it shall be. */
    public TableDescriptor table() {
        return table;
    }

    /** Indexes that were not there before. */
    public List<IndexPlan> added() {
        return added;
    }

    /** Indexes that were not kept for a while and begin anew, from nothing. */
    public List<IndexPlan> restarted() {
        return restarted;
    }

    /** Indexes that are to be read from now on, so they must be complete. */
    public List<IndexPlan> activated() {
        return activated;
    }
}

package io.leeway.lazybase.internal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A table.
 *
 * @param id number within the catalogue, never given to another table
 * @param name as users type it
 * @param columns in the order of definition
 * @param views the primary view first
 * @param nextColumn the number that the next column gets
 * @param identity number of the column whose values the pipeline gives: one for each primary key, from 1, for ever; 0 if there is none
 * @param references columns with such numbers of other tables
 */
public record Table(
        int id,
        String name,
        List<Column> columns,
        List<View> views,
        int nextColumn,
        int identity,
        List<Reference> references) {

    public Table {
        columns = List.copyOf(columns);
        views = List.copyOf(views);
        references = List.copyOf(references);
    }

    /** One whose ids nobody gives. */
    public Table(int id, String name, List<Column> columns, List<View> views, int nextColumn) {
        this(id, name, columns, views, nextColumn, 0, List.of());
    }

    private Table with(List<Column> newColumns, List<View> newViews, int next) {
        return new Table(id, name, newColumns, newViews, next, identity, references);
    }

    /** Under another name. */
    public Table renamed(String newName) {
        return new Table(id, newName, columns, views, nextColumn, identity, references);
    }

    /** Another table of the same definition, whose numbers begin with the given one. */
    public Table again(int newId) {
        var orders = new ArrayList<View>();
        for (View view : views) {
            orders.add(new View(newId + 1 + orders.size(), view.name(), view.key(), view.columns()));
        }
        return new Table(newId, name, columns, orders, nextColumn, identity, references);
    }

    /** The primary view. */
    public View primary() {
        return views.get(0);
    }

    /** The column with this number, or null if it was dropped or never there. */
    public @Nullable Column column(int id) {
        for (Column column : columns) {
            if (column.id() == id) {
                return column;
            }
        }
        return null;
    }

    /** The column with this number, which is there. */
    public Column columnOf(int id) {
        Column column = column(id);
        if (column == null) {
            throw new IllegalStateException("table " + name + " has no column " + id);
        }
        return column;
    }

    /** Where the column with this name stands, or -1. Upper and lower case are the same if no other column fits better. */
    public int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        String lower = column.toLowerCase(Locale.ROOT);
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().toLowerCase(Locale.ROOT).equals(lower)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The column that rows are given for under this name: one of the table's, or a part of a natural key, {@code column.part}; null if there is
     * none.
     */
    public @Nullable Column given(String column) {
        int place = indexOf(column);
        if (place >= 0) {
            return columns.get(place);
        }
        for (Reference reference : references) {
            Column own = column(reference.column());
            for (int i = 0; own != null && i < reference.key().size(); i++) {
                Column part = reference.key().get(i);
                String path = own.name() + "." + part.name();
                if (path.equalsIgnoreCase(column)) {
                    return new Column(reference.part(i), path, part.type(), part.precision(), part.scale(), true);
                }
            }
        }
        return null;
    }

    /** Whether the column with this number belongs to the primary key. */
    public boolean isKey(int column) {
        return primary().key().contains(column);
    }

    /** With one column more at the end; the primary view has it as well. */
    public Table withColumn(Column column) {
        var all = new ArrayList<>(columns);
        all.add(column);
        var orders = new ArrayList<>(views);
        var stored = new ArrayList<>(primary().columns());
        stored.add(column.id());
        orders.set(0, new View(primary().id(), primary().name(), primary().key(), stored));
        return with(all, orders, Math.max(nextColumn, column.id() + 1));
    }

    /** Without a column; views that carry it as data lose it. */
    public Table withoutColumn(int column) {
        var all = new ArrayList<>(columns);
        all.removeIf(each -> each.id() == column);
        var orders = new ArrayList<View>();
        for (View view : views) {
            var stored = new ArrayList<>(view.columns());
            stored.removeIf(each -> each == column);
            orders.add(new View(view.id(), view.name(), view.key(), stored));
        }
        return with(all, orders, nextColumn);
    }

    /** With a column under another name. */
    public Table withRenamed(int column, String newName) {
        var all = new ArrayList<>(columns);
        all.replaceAll(each -> each.id() == column ? each.renamed(newName) : each);
        return with(all, views, nextColumn);
    }

    /** With one secondary view more. */
    public Table withView(View view) {
        var orders = new ArrayList<>(views);
        orders.add(view);
        return with(columns, orders, nextColumn);
    }

    /** Without a secondary view. */
    public Table withoutView(int view) {
        var orders = new ArrayList<>(views);
        orders.removeIf(each -> each.id() == view);
        return with(columns, orders, nextColumn);
    }
}

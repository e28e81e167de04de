package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database at one moment, usable without the database. Immutable.
 *
 * <p>For policies that are checked on the command line or in a build, where there is no database.
 *
 * @param dialect the database
 * @param searchPath where unqualified names are looked up
 * @param ignoresCaseOfTables whether table names are compared without regard to case
 * @param ignoresCaseOfColumns the same for columns
 * @param relations the tables
 */
public record SchemaSnapshot(
        Dialect dialect,
        List<String> searchPath,
        boolean ignoresCaseOfTables,
        boolean ignoresCaseOfColumns,
        List<Relation> relations)
        implements TableSource {

    public SchemaSnapshot {
        Objects.requireNonNull(dialect, "dialect");
        searchPath = List.copyOf(searchPath);
        relations = relations.stream()
                // So that two snapshots of one schema are equal.
                .sorted((a, b) -> a.table().name().compareTo(b.table().name()))
                .toList();
    }

    @Override
    public @Nullable Relation find(List<String> name, List<String> path) {
        String table = name.get(name.size() - 1);
        if (name.size() > 1) {
            // The database's name in front is not compared, as a text does not say which database it is of.
            return named(new TableId(name.get(name.size() - 2), table));
        }
        for (String schema : path) {
            Relation found = named(new TableId(schema, table));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Override
    public @Nullable Relation known(String canonical) {
        for (Relation relation : relations) {
            if (relation.table().name().equals(canonical)) {
                return relation;
            }
        }
        return null;
    }

    private @Nullable Relation named(TableId id) {
        String canonical = id.canonical();
        for (Relation relation : relations) {
            String name = relation.table().name();
            if (ignoresCaseOfTables ? name.equalsIgnoreCase(canonical) : name.equals(canonical)) {
                return relation;
            }
        }
        return null;
    }

    @Override
    public int column(Table table, String name) {
        return Columns.position(table, name, ignoresCaseOfColumns);
    }

    /** All that are in it, as a snapshot has no more than was written. */
    @Override
    public List<String> names(List<String> path) {
        return relations.stream().map(relation -> relation.table().name()).toList();
    }

    @Override
    public Schema schema() {
        var tables = new LinkedHashMap<String, Table>();
        for (Relation relation : relations) {
            tables.put(relation.table().name(), relation.table());
        }
        return new Schema(tables);
    }
}

package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Arbiters;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads PostgreSQL's catalogue, 14 and later, in four statements for any number of tables. Except for views, whose
 * query it has printed, it calls no function that takes locks, so that it does not wait for somebody's DDL.
 *
 * <p>A constraint counts only while PostgreSQL enforces it on every row that a query can see at any moment of a
 * transaction. That leaves out
 *
 * <ul>
 *   <li>deferrable keys and foreign keys, which may be violated until the commit;
 *   <li>constraints that are not valid, not enforced, or whose triggers are switched off;
 *   <li>everything declared on a table with inheritance children: children have keys of their own, and may drop NOT
 *       NULL. Partitions are different: a partitioned table's constraints hold for all of them, unless a partition is a
 *       foreign table;
 *   <li>the rows that PostgreSQL keeps for each partition of a referenced table: they look like foreign keys to that
 *       one partition and are not;
 *   <li>foreign keys to tables with row level security, whose rows this session may not see.
 * </ul>
 *
 * <p>No locks, as a statement that waits for somebody's ALTER TABLE while it is decided on would hold up the request,
 * or end in a deadlock with its own transaction.
 */
final class PostgresCatalog implements Catalog {

    private static final Set<String> SYSTEM = Set.of("pg_catalog", "information_schema", "pg_toast");

    private final String database;

    private PostgresCatalog(String database) {
        this.database = database;
    }

    static PostgresCatalog open(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_catalog.current_database()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new PostgresCatalog(row.getString(1));
        }
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public List<String> searchPath(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        // With the schemas that are searched without being named, in their order; a name of the
                        // path that does not exist is left out by the server.
                        connection.prepareStatement("SELECT pg_catalog.current_schemas(true)::pg_catalog.text[]");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return strings(row, 1);
        }
    }

    @Override
    public List<String> implicitPath(List<String> searchPath) {
        return searchPath.contains("pg_catalog") ? List.of() : List.of("pg_catalog");
    }

    /** PostgreSQL's names are exact once they are folded. */
    @Override
    public boolean isSame(TableId asked, TableId found) {
        return asked.equals(found);
    }

    @Override
    public boolean ignoresCaseOfColumns() {
        return false;
    }

    @Override
    public Map<TableId, Relation> read(Connection connection, Collection<TableId> asked) throws SQLException {
        var reading = new Reading(connection);
        reading.relations(asked);
        if (!reading.asked.isEmpty()) {
            reading.referencedTables();
            reading.columns();
            reading.keys();
            reading.foreignKeys();
            reading.doings();
        }
        return reading.result();
    }

    @Override
    public List<TableId> names(Connection connection, List<String> schemas) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PostgresSql.NAMES)) {
            statement.setArray(1, connection.createArrayOf("text", schemas.toArray()));
            var names = new ArrayList<TableId>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    names.add(new TableId(row.getString(1), row.getString(2)));
                }
            }
            return names;
        }
    }

    @Override
    public WriteReach writeReach(Connection connection) throws SQLException {
        var next = new HashMap<String, Set<String>>();
        var unbounded = new HashSet<String>();
        try (PreparedStatement statement = connection.prepareStatement(PostgresSql.WRITE_REACH);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String from = new TableId(row.getString(1), row.getString(2)).canonical();
                String schema = row.getString(3);
                // A trigger's function may write anything.
                if (schema == null) {
                    unbounded.add(from);
                } else {
                    String to = new TableId(schema, row.getString(4)).canonical();
                    next.computeIfAbsent(from, name -> new HashSet<>()).add(to);
                }
            }
        }
        return new WriteReach(next, unbounded, moving(connection));
    }

    /** Columns that the statement does not name and that change with the row. */
    private static Map<String, Set<String>> moving(Connection connection) throws SQLException {
        var moving = new HashMap<String, Set<String>>();
        try (PreparedStatement statement = connection.prepareStatement(PostgresSql.MOVING);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String table = new TableId(row.getString(1), row.getString(2)).canonical();
                moving.computeIfAbsent(table, name -> new HashSet<>()).add(row.getString(3));
            }
        }
        return moving;
    }

    private static List<String> strings(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    private static List<Long> longs(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of((Long[]) array.getArray());
    }

    private static List<Boolean> booleans(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of((Boolean[]) array.getArray());
    }

    /** What is known while one batch is read; tables are known by their oid. */
    private static final class Reading {

        private final Connection connection;
        private final Map<Long, TableDraft> drafts = new LinkedHashMap<>();
        private final Map<Long, Map<String, PostgresColumn>> columns = new HashMap<>();
        private final Set<Long> asked = new HashSet<>();
        private final Set<Long> loose = new HashSet<>();
        private final List<PendingForeignKey> pending = new ArrayList<>();

        Reading(Connection connection) {
            this.connection = connection;
        }

        /** Schemas and names as two arrays, so that one statement finds any number of tables. */
        void relations(Collection<TableId> names) throws SQLException {
            String[] schemas = names.stream().map(TableId::schema).toArray(String[]::new);
            String[] tables = names.stream().map(TableId::name).toArray(String[]::new);
            try (PreparedStatement statement = connection.prepareStatement(PostgresSql.RELATIONS)) {
                statement.setArray(1, connection.createArrayOf("text", schemas));
                statement.setArray(2, connection.createArrayOf("text", tables));
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        relation(row);
                    }
                }
            }
        }

        private void relation(ResultSet row) throws SQLException {
            long oid = row.getLong(1);
            var id = new TableId(row.getString(2), row.getString(3));
            Relation.Kind kind = kind(id.schema(), row.getString(4), row.getString(5));
            var draft = new TableDraft(id, kind);
            if (row.getBoolean(6)) {
                // Rows of the children are rows of this table in queries, and its keys do not hold among them.
                loose.add(oid);
                draft.note("keys, foreign keys and NOT NULL are left out: other tables inherit from it");
            }
            String definition = row.getString(7);
            if (definition != null) {
                draft.definition(definition, strings(row, 8));
            }
            drafts.put(oid, draft);
            asked.add(oid);
        }

        private static Relation.Kind kind(String schema, String relkind, String persistence) {
            if (SYSTEM.contains(schema)) {
                return Relation.Kind.SYSTEM;
            }
            if (persistence.equals("t")) {
                return Relation.Kind.TEMPORARY;
            }
            // All others (views, materialised ones, foreign tables, sequences) have rows that these constraints do
            // not govern.
            return relkind.equals("r") || relkind.equals("p") ? Relation.Kind.TABLE : Relation.Kind.VIEW;
        }

        /** The foreign keys, and drafts of the tables that they refer to and nobody asked for. */
        void referencedTables() throws SQLException {
            try (PreparedStatement statement = byOid(PostgresSql.FOREIGN_KEYS, asked);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    long target = row.getLong(3);
                    var id = new TableId(row.getString(4), row.getString(5));
                    // Needed for its columns' equality, and told only if somebody asks for it.
                    drafts.computeIfAbsent(target, oid -> new TableDraft(id, Relation.Kind.TABLE));
                    pending.add(new PendingForeignKey(
                            row.getLong(1),
                            row.getString(2),
                            target,
                            strings(row, 6),
                            strings(row, 7),
                            row.getString(8)));
                }
            }
        }

        void columns() throws SQLException {
            try (PreparedStatement statement = byOid(PostgresSql.COLUMNS, drafts.keySet());
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    column(row);
                }
            }
        }

        private void column(ResultSet row) throws SQLException {
            long oid = row.getLong(1);
            TableDraft draft = drafts.get(oid);
            if (draft == null) {
                return;
            }
            PostgresColumn column = PostgresColumn.read(row);
            boolean enforced = draft.kind() != Relation.Kind.VIEW && !loose.contains(oid);
            draft.column(column.name(), column.type(), !(column.notNull() && enforced), false);
            columns.computeIfAbsent(oid, key -> new HashMap<>()).put(column.name(), column);
        }

        void keys() throws SQLException {
            try (PreparedStatement statement = byOid(PostgresSql.KEYS, drafts.keySet());
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    key(row);
                }
            }
        }

        private void key(ResultSet row) throws SQLException {
            long oid = row.getLong(1);
            TableDraft draft = drafts.get(oid);
            if (draft == null || draft.kind() == Relation.Kind.VIEW) {
                return;
            }
            String name = row.getString(2);
            List<String> names = strings(row, 6);
            // It is no key of all the rows, but an insert can strike it.
            if (loose.contains(oid)) {
                draft.otherUnique(name, names);
                return;
            }
            String reason = row.getString(5);
            // An index with an operator class or a collation of its own calls other values equal than the column
            // does: two rows with equal columns may be there.
            if (reason == null && !comparesAsColumns(oid, names, row)) {
                reason = "its equality is not that of its columns";
            }
            if (reason == null) {
                boolean primary = row.getBoolean(3);
                draft.key(name, names, primary, !primary && !row.getBoolean(4));
            } else {
                draft.otherUnique(name, names);
                draft.note("key " + name + " is left out: " + reason);
            }
        }

        /**
         * What triggers and foreign keys do to rows that a statement does not name is a write of its own
         * ({@link Arbiters.Doing}).
         */
        void doings() throws SQLException {
            try (PreparedStatement statement = byOid(PostgresSql.DOINGS, asked);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    TableDraft draft = drafts.get(row.getLong(1));
                    String doing = row.getString(2);
                    if (draft != null && doing != null) {
                        draft.does(Arbiters.Doing.valueOf(doing));
                    } else if (draft != null && draft.kind() != Relation.Kind.VIEW) {
                        draft.cascading(row.getString(3));
                    }
                }
            }
        }

        /** Whether the index calls values equal that the column's type and collation call equal. */
        private boolean comparesAsColumns(long oid, List<String> names, ResultSet row) throws SQLException {
            List<Long> inputs = longs(row, 7);
            List<Boolean> defaults = booleans(row, 8);
            List<Boolean> patterns = booleans(row, 9);
            List<Long> collations = longs(row, 10);
            Map<String, PostgresColumn> known = columns.getOrDefault(oid, Map.of());
            for (int i = 0; i < names.size(); i++) {
                PostgresColumn column = known.get(names.get(i));
                if (column == null
                        || !column.isComparedBy(inputs.get(i), defaults.get(i), patterns.get(i), collations.get(i))) {
                    return false;
                }
            }
            return true;
        }

        void foreignKeys() {
            for (PendingForeignKey key : pending) {
                TableDraft from = drafts.get(key.source);
                TableDraft to = drafts.get(key.target);
                // Rows of children are rows of the table, and have no such reference.
                if (from == null || to == null || from.kind() == Relation.Kind.VIEW || loose.contains(key.source)) {
                    continue;
                }
                if (key.reason == null) {
                    from.foreignKey(key.name, key.columns, to, key.targetColumns);
                } else {
                    from.note("foreign key " + key.name + " is left out: " + key.reason);
                }
            }
        }

        Map<TableId, Relation> result() {
            var result = new LinkedHashMap<TableId, Relation>();
            drafts.forEach((oid, draft) -> {
                if (asked.contains(oid)) {
                    result.put(draft.id(), draft.build());
                }
            });
            return result;
        }

        /** By oid: between two statements a name could come to mean another table. */
        private PreparedStatement byOid(String sql, Collection<Long> oids) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(sql);
            try {
                statement.setArray(1, connection.createArrayOf("int8", oids.toArray()));
                return statement;
            } catch (SQLException e) {
                statement.close();
                throw e;
            }
        }
    }

    private record PendingForeignKey(
            long source,
            String name,
            long target,
            List<String> columns,
            List<String> targetColumns,
            @Nullable String reason) {}
}

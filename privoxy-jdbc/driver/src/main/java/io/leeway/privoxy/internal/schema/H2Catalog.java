package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Arbiters;
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
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads H2's INFORMATION_SCHEMA. Foreign keys that are switched off at the moment ({@code SET REFERENTIAL_INTEGRITY
 * FALSE}) are left out; that one was created with NOCHECK over rows that violate it H2 does not tell. Linked tables
 * count as views.
 *
 * <p>Names are compared in capitals in the queries and exactly in Java, since H2's catalogue keeps names as they were
 * written while the mode decides how they are found.
 */
final class H2Catalog implements Catalog {

    private static final String TABLES = """
            SELECT T.TABLE_SCHEMA, T.TABLE_NAME, T.TABLE_TYPE, T.STORAGE_TYPE, V.VIEW_DEFINITION
            FROM INFORMATION_SCHEMA.TABLES T
            LEFT JOIN INFORMATION_SCHEMA.VIEWS V ON V.TABLE_SCHEMA = T.TABLE_SCHEMA AND V.TABLE_NAME = T.TABLE_NAME
            WHERE ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(T.TABLE_NAME))
            """;

    /**
     * The time of an update may also be set by a domain, of which a column tells only that it has one; then any domain
     * with one counts.
     */
    private static final String COLUMNS = """
            SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE, NUMERIC_SCALE, COLLATION_NAME,
                   IS_VISIBLE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION,
                   COALESCE(COLUMN_ON_UPDATE, CASE WHEN DOMAIN_NAME IS NOT NULL THEN (
                     SELECT MAX(DOMAIN_ON_UPDATE) FROM INFORMATION_SCHEMA.DOMAINS) END)
            FROM INFORMATION_SCHEMA.COLUMNS
            WHERE ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(TABLE_NAME))
            ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
            """;

    /** IS_UNIQUE is asked of each column: an index may have further columns that are no part of what is unique. */
    private static final String KEYS = """
            SELECT I.TABLE_SCHEMA, I.TABLE_NAME, I.INDEX_NAME, I.INDEX_TYPE_NAME = 'PRIMARY KEY',
                   COALESCE(I.NULLS_DISTINCT, '') <> 'NO', C.COLUMN_NAME
            FROM INFORMATION_SCHEMA.INDEXES I
            JOIN INFORMATION_SCHEMA.INDEX_COLUMNS C
              ON C.INDEX_SCHEMA = I.INDEX_SCHEMA AND C.INDEX_NAME = I.INDEX_NAME AND C.TABLE_NAME = I.TABLE_NAME
            WHERE C.IS_UNIQUE AND I.INDEX_TYPE_NAME IN ('PRIMARY KEY', 'UNIQUE INDEX', 'UNIQUE HASH INDEX')
              AND ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(I.TABLE_NAME))
            ORDER BY I.TABLE_SCHEMA, I.TABLE_NAME, I.INDEX_NAME, C.ORDINAL_POSITION
            """;

    /** ENFORCED is "NO" while referential integrity is switched off for the table or the database. */
    private static final String FOREIGN_KEYS = """
            SELECT F.TABLE_SCHEMA, F.TABLE_NAME, F.CONSTRAINT_NAME, F.COLUMN_NAME, T.TABLE_SCHEMA, T.TABLE_NAME,
                   T.COLUMN_NAME, C.ENFORCED
            FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R
            JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS C
              ON C.CONSTRAINT_SCHEMA = R.CONSTRAINT_SCHEMA AND C.CONSTRAINT_NAME = R.CONSTRAINT_NAME
            JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE F
              ON F.CONSTRAINT_SCHEMA = R.CONSTRAINT_SCHEMA AND F.CONSTRAINT_NAME = R.CONSTRAINT_NAME
            JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE T
              ON T.CONSTRAINT_SCHEMA = R.UNIQUE_CONSTRAINT_SCHEMA AND T.CONSTRAINT_NAME = R.UNIQUE_CONSTRAINT_NAME
                AND T.ORDINAL_POSITION = F.POSITION_IN_UNIQUE_CONSTRAINT
            WHERE ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(F.TABLE_NAME))
            ORDER BY F.TABLE_SCHEMA, F.TABLE_NAME, F.CONSTRAINT_NAME, F.ORDINAL_POSITION
            """;

    /**
     * A trigger before an INSERT may give the row another key than the statement did, so that a conflict clause strikes
     * another row.
     */
    private static final String TRIGGERS = """
            SELECT EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE FROM INFORMATION_SCHEMA.TRIGGERS
            WHERE ACTION_TIMING <> 'AFTER' AND EVENT_MANIPULATION LIKE '%INSERT%'
              AND ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(EVENT_OBJECT_TABLE))
            """;

    /**
     * With SET DEFAULT a delete makes rows of another table refer to another row: a write that the statement does not
     * name.
     */
    private static final String REDIRECTS = """
            SELECT T.TABLE_SCHEMA, T.TABLE_NAME
            FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R
            JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS T
              ON T.CONSTRAINT_SCHEMA = R.UNIQUE_CONSTRAINT_SCHEMA AND T.CONSTRAINT_NAME = R.UNIQUE_CONSTRAINT_NAME
            WHERE R.DELETE_RULE = 'SET DEFAULT'
              AND ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(T.TABLE_NAME))
            """;

    /** To change such a column would change rows of other tables; the statement is refused ({@link Arbiters}). */
    private static final String CASCADING_COLUMNS = """
            SELECT T.TABLE_SCHEMA, T.TABLE_NAME, T.COLUMN_NAME
            FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R
            JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE T
              ON T.CONSTRAINT_SCHEMA = R.UNIQUE_CONSTRAINT_SCHEMA AND T.CONSTRAINT_NAME = R.UNIQUE_CONSTRAINT_NAME
            WHERE R.UPDATE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
              AND ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), UPPER(T.TABLE_NAME))
            """;

    private static final String CASCADING = """
            SELECT T.TABLE_SCHEMA, T.TABLE_NAME, F.TABLE_SCHEMA, F.TABLE_NAME
            FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R
            JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS F
              ON F.CONSTRAINT_SCHEMA = R.CONSTRAINT_SCHEMA AND F.CONSTRAINT_NAME = R.CONSTRAINT_NAME
            JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS T
              ON T.CONSTRAINT_SCHEMA = R.UNIQUE_CONSTRAINT_SCHEMA AND T.CONSTRAINT_NAME = R.UNIQUE_CONSTRAINT_NAME
            WHERE R.UPDATE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
              OR R.DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
            """;

    /**
     * Columns that change with a row although no statement names them: facts about them do not outlive an UPDATE of
     * others.
     */
    private static final String MOVING = """
            SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS
            WHERE IS_GENERATED = 'ALWAYS' OR COLUMN_ON_UPDATE IS NOT NULL
              OR DOMAIN_NAME IS NOT NULL AND EXISTS (
                SELECT 1 FROM INFORMATION_SCHEMA.DOMAINS WHERE DOMAIN_ON_UPDATE IS NOT NULL)
            """;

    private static final String NAMES = """
            SELECT TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLES
            WHERE ARRAY_CONTAINS(CAST(? AS CHARACTER VARYING ARRAY), TABLE_SCHEMA) ORDER BY 1, 2
            """;

    private final String database;
    private final boolean ignoresCase;

    private H2Catalog(String database, boolean ignoresCase) {
        this.database = database;
        this.ignoresCase = ignoresCase;
    }

    static H2Catalog open(Connection connection) throws SQLException {
        // Only with CASE_INSENSITIVE_IDENTIFIERS are quoted names, too, compared without regard to case.
        boolean ignoresCase = !connection.getMetaData().supportsMixedCaseQuotedIdentifiers();
        return new H2Catalog(connection.getCatalog(), ignoresCase);
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public List<String> searchPath(Connection connection) throws SQLException {
        return List.of(connection.getSchema());
    }

    @Override
    public List<String> implicitPath(List<String> searchPath) {
        return List.of();
    }

    @Override
    public boolean isSame(TableId asked, TableId found) {
        return ignoresCase
                ? asked.schema().equalsIgnoreCase(found.schema())
                        && asked.name().equalsIgnoreCase(found.name())
                : asked.equals(found);
    }

    @Override
    public boolean ignoresCaseOfColumns() {
        return ignoresCase;
    }

    @Override
    public Map<TableId, Relation> read(Connection connection, Collection<TableId> asked) throws SQLException {
        var reading = new Reading(connection, asked);
        reading.relations();
        // Most names that are asked for and mean nothing are names of WITH; the five other queries are spared then.
        if (!reading.found.isEmpty()) {
            reading.referencedTables();
            reading.columns();
            reading.keys();
            reading.foreignKeys();
            reading.cascading();
        }
        return reading.result();
    }

    @Override
    public List<TableId> names(Connection connection, List<String> schemas) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NAMES)) {
            statement.setObject(1, schemas.toArray());
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
        try (PreparedStatement statement = connection.prepareStatement(CASCADING);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String from = new TableId(row.getString(1), row.getString(2)).canonical();
                String to = new TableId(row.getString(3), row.getString(4)).canonical();
                // From the referred table to those that refer to it: a change there is carried on.
                next.computeIfAbsent(from, name -> new HashSet<>()).add(to);
            }
        }
        return new WriteReach(next, triggered(connection), moving(connection));
    }

    private static Map<String, Set<String>> moving(Connection connection) throws SQLException {
        var moving = new HashMap<String, Set<String>>();
        try (PreparedStatement statement = connection.prepareStatement(MOVING);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String table = new TableId(row.getString(1), row.getString(2)).canonical();
                moving.computeIfAbsent(table, name -> new HashSet<>()).add(row.getString(3));
            }
        }
        return moving;
    }

    /** What a trigger's code does nobody can read from the catalogue. */
    private static Set<String> triggered(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE FROM INFORMATION_SCHEMA.TRIGGERS");
                ResultSet row = statement.executeQuery()) {
            var tables = new HashSet<String>();
            while (row.next()) {
                tables.add(new TableId(row.getString(1), row.getString(2)).canonical());
            }
            return tables;
        }
    }

    /** What is known while one batch is read. */
    private final class Reading {

        private final Connection connection;
        private final Collection<TableId> asked;
        private final Map<TableId, TableDraft> drafts = new LinkedHashMap<>();
        private final Set<TableId> found = new HashSet<>();
        private final Map<String, PendingForeignKey> pending = new LinkedHashMap<>();

        Reading(Connection connection, Collection<TableId> asked) {
            this.connection = connection;
            this.asked = asked;
        }

        void relations() throws SQLException {
            each(TABLES, asked, row -> {
                var id = new TableId(row.getString(1), row.getString(2));
                // The query compares in capitals only, so what it finds may be another table.
                if (asked.stream().anyMatch(name -> isSame(name, id))) {
                    found.add(id);
                    var draft = new TableDraft(id, kind(id.schema(), row.getString(3), row.getString(4)));
                    // What a view is made of, for queries on it that can be put in its place.
                    if (draft.kind() == Relation.Kind.VIEW && row.getString(5) != null) {
                        draft.definition(row.getString(5), List.of());
                    }
                    drafts.put(id, draft);
                }
            });
        }

        private Relation.Kind kind(String schema, String type, String storage) {
            if (schema.equalsIgnoreCase("INFORMATION_SCHEMA")) {
                return Relation.Kind.SYSTEM;
            }
            if (type.equals("LOCAL TEMPORARY")) {
                return Relation.Kind.TEMPORARY;
            }
            // A linked table's rows are another database's, whose constraints H2 does not check.
            boolean own = !type.equals("VIEW") && !storage.equals("TABLE LINK") && !storage.equals("EXTERNAL");
            return own ? Relation.Kind.TABLE : Relation.Kind.VIEW;
        }

        void referencedTables() throws SQLException {
            each(FOREIGN_KEYS, found, row -> {
                var from = new TableId(row.getString(1), row.getString(2));
                String name = row.getString(3);
                var to = new TableId(row.getString(5), row.getString(6));
                boolean enforced = "YES".equals(row.getString(8));
                if (found.contains(from)) {
                    // Its columns are needed to see whether both sides compare alike; it is not told unless it was
                    // asked for.
                    drafts.computeIfAbsent(to, id -> new TableDraft(id, Relation.Kind.TABLE));
                    PendingForeignKey key = pending.computeIfAbsent(
                            from.canonical() + ' ' + name,
                            id -> new PendingForeignKey(
                                    name, from, to, enforced, new ArrayList<>(), new ArrayList<>()));
                    key.columns.add(row.getString(4));
                    key.targetColumns.add(row.getString(7));
                }
            });
        }

        void columns() throws SQLException {
            each(COLUMNS, drafts.keySet(), row -> {
                TableDraft draft = drafts.get(new TableId(row.getString(1), row.getString(2)));
                if (draft != null) {
                    // A view's columns are declared NOT NULL by guess.
                    boolean enforced = draft.kind() != Relation.Kind.VIEW;
                    boolean notNull = row.getString(5).equals("NO") && enforced;
                    draft.column(row.getString(3), H2Types.of(row), !notNull, !row.getBoolean(8));
                    if (row.getString(11) != null) {
                        draft.stamped(row.getString(3));
                    }
                }
            });
        }

        void keys() throws SQLException {
            var columns = new LinkedHashMap<IndexId, List<String>>();
            each(KEYS, drafts.keySet(), row -> {
                var table = new TableId(row.getString(1), row.getString(2));
                var index = new IndexId(table, row.getString(3), row.getBoolean(4), row.getBoolean(5));
                columns.computeIfAbsent(index, id -> new ArrayList<>()).add(row.getString(6));
            });
            columns.forEach((index, names) -> {
                TableDraft draft = drafts.get(index.table);
                if (draft != null && draft.kind() != Relation.Kind.VIEW) {
                    draft.key(index.name, names, index.primary, !index.primary && index.nullsDistinct);
                }
            });
        }

        void cascading() throws SQLException {
            each(CASCADING_COLUMNS, found, row -> {
                TableDraft draft = drafts.get(new TableId(row.getString(1), row.getString(2)));
                if (draft != null && draft.kind() != Relation.Kind.VIEW) {
                    draft.cascading(row.getString(3));
                }
            });
            // After columns and keys, since these say which table a trigger's doings belong to.
            does(TRIGGERS, Arbiters.Doing.REWRITES);
            does(REDIRECTS, Arbiters.Doing.REDIRECTS);
        }

        private void does(String sql, Arbiters.Doing doing) throws SQLException {
            each(sql, found, row -> {
                TableDraft draft = drafts.get(new TableId(row.getString(1), row.getString(2)));
                if (draft != null) {
                    draft.does(doing);
                }
            });
        }

        /** Last, when the columns of both tables are known. */
        void foreignKeys() {
            for (PendingForeignKey key : pending.values()) {
                TableDraft from = drafts.get(key.from);
                TableDraft to = drafts.get(key.to);
                if (from == null || to == null) {
                    continue;
                }
                if (key.enforced) {
                    from.foreignKey(key.name, key.columns, to, key.targetColumns);
                } else {
                    from.note("foreign key " + key.name + " is left out: referential integrity is switched off");
                }
            }
        }

        Map<TableId, Relation> result() {
            var result = new LinkedHashMap<TableId, Relation>();
            drafts.forEach((id, draft) -> {
                if (found.contains(id)) {
                    result.put(id, draft.build());
                }
            });
            return result;
        }

        private void each(String sql, Collection<TableId> tables, RowReader reader) throws SQLException {
            Object[] names = tables.stream()
                    // In capitals, as names may be written in any case where the database does not tell them apart.
                    .map(table -> table.name().toUpperCase(Locale.ROOT))
                    .distinct()
                    .toArray();
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setObject(1, names);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        reader.read(row);
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private record IndexId(TableId table, String name, boolean primary, boolean nullsDistinct) {}

    private record PendingForeignKey(
            String name,
            TableId from,
            TableId to,
            boolean enforced,
            List<String> columns,
            List<String> targetColumns) {}
}

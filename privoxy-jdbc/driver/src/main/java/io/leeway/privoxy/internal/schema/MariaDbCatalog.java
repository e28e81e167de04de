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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the INFORMATION_SCHEMA of MariaDB and MySQL. Every statement names one schema and the tables wanted, since the
 * server otherwise opens all tables that exist.
 *
 * <ul>
 *   <li>Only engines known to enforce UNIQUE on all rows have keys; the others (MERGE, FEDERATED, CONNECT …) count as
 *       views. Foreign keys exist in InnoDB only, and only those are in INFORMATION_SCHEMA.
 *   <li>Prefix keys and keys on expressions are left out.
 *   <li>DATE and DATETIME columns count as nullable even when declared NOT NULL: {@code IS NULL} is true for their zero
 *       dates.
 *   <li>A temporary table hides the base table of the same name.
 *   <li>Triggers and cascades are hidden from accounts without certain privileges; any write may then change anything.
 * </ul>
 */
final class MariaDbCatalog implements Catalog {

    private static final Set<String> SYSTEM = Set.of("information_schema", "performance_schema", "mysql", "sys");
    /**
     * A MERGE table shows rows of tables with keys of their own, FEDERATED and CONNECT those of other servers: equal
     * keys can be there twice.
     */
    private static final Set<String> KEEPS_KEYS = Set.of("innodb", "aria", "myisam", "memory");

    /** A system-versioned table is a table whose old rows queries do not show unless they ask. */
    private static final Set<String> BASE_TYPES = Set.of("BASE TABLE", "SYSTEM VERSIONED");

    private static final Set<String> CASCADES = Set.of("CASCADE", "SET NULL", "SET DEFAULT");

    /** Both rows of a name are told, the temporary table's and the base table's that it hides. */
    private static final String TABLES = """
            SELECT TABLE_NAME, TABLE_TYPE, ENGINE FROM INFORMATION_SCHEMA.TABLES
            WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s)
            """;

    private static final String VIEWS = """
            SELECT TABLE_NAME, VIEW_DEFINITION FROM INFORMATION_SCHEMA.VIEWS
            WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s)
            """;

    private static final String COLUMNS = """
            SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, NUMERIC_SCALE, EXTRA,
                   CHARACTER_SET_NAME, COLUMN_DEFAULT, GENERATION_EXPRESSION
            FROM INFORMATION_SCHEMA.COLUMNS
            WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s) ORDER BY TABLE_NAME, ORDINAL_POSITION
            """;

    /** STATISTICS has a row for each column; SUB_PART is set for a prefix, the column is NULL for an expression. */
    private static final String KEYS = """
            SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART, /*period*/ FALSE FROM INFORMATION_SCHEMA.STATISTICS K
            WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s) AND NON_UNIQUE = 0
            ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
            """;

    /** In place of the mark in {@link #KEYS}: WITHOUT OVERLAPS strikes more than equal rows. Told since 11.4. */
    private static final String PERIODS = """
            EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.KEY_PERIOD_USAGE P WHERE P.TABLE_SCHEMA = K.TABLE_SCHEMA
              AND P.TABLE_NAME = K.TABLE_NAME AND P.CONSTRAINT_NAME = K.INDEX_NAME)""";

    private static final String FOREIGN_KEYS = """
            SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME,
                   REFERENCED_COLUMN_NAME
            FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE
            WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s) AND REFERENCED_TABLE_NAME IS NOT NULL
            ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION
            """;

    private static final String CASCADING_COLUMNS = """
            SELECT K.REFERENCED_TABLE_NAME, K.REFERENCED_COLUMN_NAME
            FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE K
            JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R
              ON R.CONSTRAINT_SCHEMA = K.CONSTRAINT_SCHEMA AND R.CONSTRAINT_NAME = K.CONSTRAINT_NAME
                AND R.TABLE_NAME = K.TABLE_NAME
            WHERE K.REFERENCED_TABLE_SCHEMA = ? AND K.REFERENCED_TABLE_NAME IN (%s)
              AND R.UPDATE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
            """;

    private static final String TRIGGERS = """
            SELECT EVENT_OBJECT_TABLE FROM INFORMATION_SCHEMA.TRIGGERS
            WHERE EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE IN (%s)
              AND ACTION_TIMING = 'BEFORE' AND EVENT_MANIPULATION = 'INSERT'
            """;

    /**
     * Of others it is not known what they are computed from.
     *
     * <p>A default may call functions and name columns; what is not recognised may compute a key from others, so that a
     * conflict clause strikes any row.
     */
    private static final Pattern PLAIN_DEFAULT = Pattern.compile(
            "null|[-+*/%() 0-9.]+|'(?:[^'\\\\]|'')*'|(?:current_timestamp|curdate|curtime|uuid)\\((?:[0-9])?\\)|nextval\\([^()]*\\)",
            Pattern.CASE_INSENSITIVE);

    /**
     * What gives each row another value, by which their order shows.
     *
     * <p>Rows that are written in a hidden order would show it by their numbers, so these defaults are for rows in a
     * determined order only.
     */
    private static final Pattern COUNTING_DEFAULT = Pattern.compile(
            "(?:nextval|next\\s+value|uuid\\w*|sys_guid|rand|sysdate)\\b|nextval\\(", Pattern.CASE_INSENSITIVE);

    /**
     * Of all schemas: a reference may come from another one. Without rights on the other table the server hides its
     * name.
     */
    private static final String CASCADING = """
            SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME, UPDATE_RULE, DELETE_RULE
            FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS
            """;

    /** Generated columns, and those that note the time of an update. */
    private static final String MOVING = """
            SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS
            WHERE GENERATION_EXPRESSION <> '' OR EXTRA LIKE '%GENERATED%' OR EXTRA LIKE '%on update%'
            """;

    private final String database;
    private final boolean ignoresCaseOfTables;
    private final String keys;

    private MariaDbCatalog(String database, boolean ignoresCaseOfTables, boolean tellsPeriods) {
        this.database = database;
        this.ignoresCaseOfTables = ignoresCaseOfTables;
        this.keys = tellsPeriods ? KEYS.replace("/*period*/ FALSE", PERIODS) : KEYS.replace("/*period*/ ", "");
    }

    /**
     * Two questions in one round trip: whether names of tables are folded, and whether the catalogue tells of periods.
     */
    static MariaDbCatalog open(Connection connection) throws SQLException {
        try (PreparedStatement statement = WholeAnswer.prepare(connection, """
                        SELECT @@lower_case_table_names, COUNT(*) FROM INFORMATION_SCHEMA.TABLES
                        WHERE TABLE_SCHEMA = 'information_schema' AND TABLE_NAME = 'KEY_PERIOD_USAGE'
                        """);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new MariaDbCatalog("def", row.getInt(1) != 0, row.getInt(2) != 0);
        }
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public List<String> searchPath(Connection connection) throws SQLException {
        try (PreparedStatement statement = WholeAnswer.prepare(connection, "SELECT DATABASE()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            String current = row.getString(1);
            return current == null ? List.of() : List.of(current);
        }
    }

    @Override
    public List<String> implicitPath(List<String> searchPath) {
        return List.of();
    }

    @Override
    public boolean isSame(TableId asked, TableId found) {
        return id(asked.schema(), asked.name()).equals(found);
    }

    /**
     * One spelling for one table, where the server sees no difference.
     *
     * <p>Where the server ignores case one table has several names, and facts about the one would not meet those about
     * the other.
     */
    private TableId id(String schema, String name) {
        boolean fold = ignoresCaseOfTables || schema.equalsIgnoreCase("information_schema");
        return fold ? new TableId(lower(schema), lower(name)) : new TableId(schema, name);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** Always, whatever the file system. */
    @Override
    public boolean ignoresCaseOfColumns() {
        return true;
    }

    /** Schema by schema: INFORMATION_SCHEMA opens only the tables that a constant schema and name ask for. */
    @Override
    public Map<TableId, Relation> read(Connection connection, Collection<TableId> asked) throws SQLException {
        var reading = new Reading(connection);
        for (Map.Entry<String, Set<String>> group : bySchema(asked).entrySet()) {
            reading.relations(group.getKey(), group.getValue());
        }
        var found = new ArrayList<>(reading.drafts.keySet());
        for (Map.Entry<String, Set<String>> group : bySchema(found).entrySet()) {
            reading.referencedTables(group.getKey(), group.getValue());
        }
        for (Map.Entry<String, Set<String>> group :
                bySchema(reading.drafts.keySet()).entrySet()) {
            reading.columns(group.getKey(), group.getValue());
        }
        for (Map.Entry<String, Set<String>> group : bySchema(reading.views()).entrySet()) {
            reading.definitions(group.getKey(), group.getValue());
        }
        // Of the tables that are referred to, too: by their primary key or by another one.
        for (Map.Entry<String, Set<String>> group :
                bySchema(reading.drafts.keySet()).entrySet()) {
            reading.keys(group.getKey(), group.getValue());
        }
        for (Map.Entry<String, Set<String>> group : bySchema(found).entrySet()) {
            reading.cascading(group.getKey(), group.getValue());
        }
        reading.foreignKeys();
        return reading.result(found);
    }

    /** One schema at a time, see {@link #read}. */
    @Override
    public List<TableId> names(Connection connection, List<String> schemas) throws SQLException {
        var names = new ArrayList<TableId>();
        for (String schema : schemas) {
            try (PreparedStatement statement = WholeAnswer.prepare(
                    connection,
                    "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME")) {
                statement.setString(1, schema);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        names.add(id(schema, row.getString(1)));
                    }
                }
            }
        }
        return names;
    }

    @Override
    public WriteReach writeReach(Connection connection) throws SQLException {
        var next = new HashMap<String, Set<String>>();
        try (PreparedStatement statement = WholeAnswer.prepare(connection, CASCADING);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                if (CASCADES.contains(row.getString(5)) || CASCADES.contains(row.getString(6))) {
                    if (row.getString(2) == null) {
                        return WriteReach.UNKNOWN; // from a table that the account does not see
                    }
                    String from = id(row.getString(1), row.getString(2)).canonical();
                    String to = id(row.getString(3), row.getString(4)).canonical();
                    next.computeIfAbsent(from, name -> new HashSet<>()).add(to);
                }
            }
        }
        // What the account is not shown may be there.
        return showsAll(connection)
                ? new WriteReach(next, triggered(connection), moving(connection))
                : WriteReach.UNKNOWN;
    }

    /**
     * Whether the account would see all triggers and cascades of the tables that it sees. If it would not of one table,
     * that one may change with any other.
     */
    private static boolean showsAll(Connection connection) throws SQLException {
        MariaDbSight sight = MariaDbSight.read(connection);
        if (sight.everywhere()) {
            return true;
        }
        try (PreparedStatement statement = WholeAnswer.prepare(
                        connection, "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES");
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String schema = row.getString(1);
                // The server's own tables have no triggers of users.
                boolean own = BASE_TYPES.contains(row.getString(3)) && !SYSTEM.contains(lower(schema));
                if (own && !sight.includes(schema, row.getString(2))) {
                    return false;
                }
            }
            return true;
        }
    }

    private Map<String, Set<String>> moving(Connection connection) throws SQLException {
        var moving = new HashMap<String, Set<String>>();
        try (PreparedStatement statement = WholeAnswer.prepare(connection, MOVING);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String table = id(row.getString(1), row.getString(2)).canonical();
                moving.computeIfAbsent(table, name -> new HashSet<>()).add(row.getString(3));
            }
        }
        return moving;
    }

    /** Any trigger: what it writes is in its body, which is not read. */
    private Set<String> triggered(Connection connection) throws SQLException {
        try (PreparedStatement statement = WholeAnswer.prepare(
                        connection, "SELECT EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE FROM INFORMATION_SCHEMA.TRIGGERS");
                ResultSet row = statement.executeQuery()) {
            var tables = new HashSet<String>();
            while (row.next()) {
                tables.add(id(row.getString(1), row.getString(2)).canonical());
            }
            return tables;
        }
    }

    private static Map<String, Set<String>> bySchema(Collection<TableId> tables) {
        return tables.stream()
                .collect(Collectors.groupingBy(
                        TableId::schema, TreeMap::new, Collectors.mapping(TableId::name, Collectors.toSet())));
    }

    /** What is known while one batch is read. */
    private final class Reading {

        private final Connection connection;
        private final Map<TableId, TableDraft> drafts = new LinkedHashMap<>();
        private final Map<String, PendingForeignKey> pending = new LinkedHashMap<>();

        Reading(Connection connection) {
            this.connection = connection;
        }

        void relations(String schema, Set<String> names) throws SQLException {
            each(TABLES, schema, names, row -> {
                var id = id(schema, row.getString(1));
                Relation.Kind kind = kind(schema, row.getString(2), row.getString(3));
                TableDraft known = drafts.get(id);
                // The temporary one is what a statement gets.
                if (known == null || kind == Relation.Kind.TEMPORARY) {
                    var draft = new TableDraft(id, kind);
                    drafts.put(id, draft);
                    if (isOutsideSnapshots(row.getString(3))) {
                        draft.outsideSnapshots();
                    }
                }
            });
        }

        /** Also of engines with snapshots of their own, which are of another moment. A view has no engine. */
        private boolean isOutsideSnapshots(@Nullable String engine) {
            return engine != null && !lower(engine).equals("innodb");
        }

        private Relation.Kind kind(String schema, String type, String engine) {
            if (SYSTEM.contains(lower(schema))) {
                return Relation.Kind.SYSTEM;
            }
            if (type.equals("TEMPORARY")) {
                return Relation.Kind.TEMPORARY;
            }
            // Of an engine that is not known nothing is believed.
            boolean own = BASE_TYPES.contains(type) && engine != null && KEEPS_KEYS.contains(lower(engine));
            return own ? Relation.Kind.TABLE : Relation.Kind.VIEW;
        }

        void referencedTables(String schema, Set<String> names) throws SQLException {
            each(FOREIGN_KEYS, schema, names, row -> {
                var from = id(schema, row.getString(1));
                String name = row.getString(2);
                var to = id(row.getString(4), row.getString(5));
                if (!drafts.containsKey(from)) {
                    return;
                }
                // A target that the account cannot see has no columns then, and the reference is left out.
                drafts.computeIfAbsent(to, id -> new TableDraft(id, Relation.Kind.TABLE));
                PendingForeignKey key = pending.computeIfAbsent(
                        from.canonical() + ' ' + name,
                        id -> new PendingForeignKey(name, from, to, new ArrayList<>(), new ArrayList<>()));
                key.columns.add(row.getString(3));
                key.targetColumns.add(row.getString(6));
            });
        }

        void columns(String schema, Set<String> names) throws SQLException {
            each(COLUMNS, schema, names, row -> {
                TableDraft draft = drafts.get(id(schema, row.getString(1)));
                if (draft == null || draft.kind() == Relation.Kind.TEMPORARY) {
                    return;
                }
                MariaDbColumn column = MariaDbColumn.read(row);
                boolean enforced = draft.kind() != Relation.Kind.VIEW;
                draft.column(column.name(), column.type(), !(column.notNull() && enforced), column.hidden());
                String extra = lower(Objects.requireNonNullElse(row.getString(8), ""));
                if (extra.contains("auto_increment")) {
                    draft.numbered(column.name());
                }
                if (extra.contains("on update")) {
                    draft.stamped(column.name());
                }
                String preset = row.getString(10);
                if (preset != null && COUNTING_DEFAULT.matcher(preset).find()) {
                    draft.does(Arbiters.Doing.COUNTS);
                }
                boolean plain = preset == null || PLAIN_DEFAULT.matcher(preset).matches();
                if (!plain || row.getString(11) != null) {
                    draft.computed(column.name());
                }
            });
        }

        void cascading(String schema, Set<String> names) throws SQLException {
            each(CASCADING_COLUMNS, schema, names, row -> {
                TableDraft draft = drafts.get(id(schema, row.getString(1)));
                if (draft != null && draft.kind() == Relation.Kind.TABLE) {
                    draft.cascading(row.getString(2));
                }
            });
            each(TRIGGERS, schema, names, row -> {
                TableDraft draft = drafts.get(id(schema, row.getString(1)));
                if (draft != null) {
                    draft.does(Arbiters.Doing.REWRITES);
                }
            });
        }

        List<TableId> views() {
            return drafts.values().stream()
                    .filter(draft -> draft.kind() == Relation.Kind.VIEW)
                    .map(TableDraft::id)
                    .toList();
        }

        /** Queries of views; empty for users who may not see them. All names in them are qualified. */
        void definitions(String schema, Set<String> names) throws SQLException {
            each(VIEWS, schema, names, row -> {
                TableDraft draft = drafts.get(id(schema, row.getString(1)));
                String sql = row.getString(2);
                if (draft != null && sql != null && !sql.isEmpty()) {
                    draft.definition(sql, List.of());
                }
            });
        }

        void keys(String schema, Set<String> names) throws SQLException {
            var indexes = new LinkedHashMap<IndexId, List<String>>();
            var partial = new HashSet<IndexId>();
            each(keys, schema, names, row -> {
                var index = new IndexId(id(schema, row.getString(1)), row.getString(2));
                String column = row.getString(3);
                indexes.computeIfAbsent(index, key -> new ArrayList<>()).add(column == null ? "" : column);
                if (column == null || row.getString(4) != null || row.getBoolean(5)) {
                    partial.add(index);
                }
            });
            indexes.forEach((index, columns) -> {
                TableDraft draft = drafts.get(index.table);
                if (draft != null && draft.kind() == Relation.Kind.TABLE) {
                    key(draft, index.name, columns, partial.contains(index));
                }
            });
        }

        private void key(TableDraft draft, String name, List<String> columns, boolean partial) {
            if (partial) {
                // It strikes rows all the same: a conflict clause has to count with it, although no proof may use
                // it.
                draft.otherUnique(name, columns);
                draft.note("key " + name + " is left out: it is on a prefix, an expression or a period");
            } else {
                boolean primary = name.equals("PRIMARY");
                // A unique index takes any number of NULLs.
                draft.key(name, columns, primary, !primary);
            }
        }

        void foreignKeys() {
            for (PendingForeignKey key : pending.values()) {
                TableDraft from = drafts.get(key.from);
                TableDraft to = drafts.get(key.to);
                if (from != null && to != null && from.kind() == Relation.Kind.TABLE) {
                    from.foreignKey(key.name, key.columns, to, key.targetColumns);
                }
            }
        }

        Map<TableId, Relation> result(List<TableId> found) {
            var result = new LinkedHashMap<TableId, Relation>();
            for (TableId id : found) {
                TableDraft draft = drafts.get(id);
                if (draft != null) {
                    result.put(id, draft.build());
                }
            }
            return result;
        }

        private void each(String sql, String schema, Set<String> names, RowReader reader) throws SQLException {
            // Values and not text: a table's name may contain a quote.
            String marks = names.stream().map(name -> "?").collect(Collectors.joining(", "));
            try (PreparedStatement statement = WholeAnswer.prepare(connection, sql.formatted(marks))) {
                statement.setString(1, schema);
                int index = 2;
                for (String name : names) {
                    statement.setString(index++, name);
                }
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

    private record IndexId(TableId table, String name) {}

    private record PendingForeignKey(
            String name, TableId from, TableId to, List<String> columns, List<String> targetColumns) {}
}

package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.schema.impl.TableFunctionImpl;
import org.jspecify.annotations.Nullable;

/**
 * What tools ask PostgreSQL's catalogue, answered from the definitions: schemas, tables, columns, types, keys.
 *
 * <p>All relations that tools look at have PostgreSQL 15's columns, which a resource lists; those that LazyBase has nothing for are empty.
 * What is not listed is not known and an error, never an invented row. Arrays are texts, as PostgreSQL writes them. Our own relations
 * are in the schema {@code lazybase}.
 */
final class PgCatalog {

    static final int PUBLIC = 2200;
    static final int PG_CATALOG = 11;
    static final int INFORMATION = 13_000;
    static final int OWNER = 10;
    static final int FIRST_TABLE = 16_384;
    static final String DATABASE = "lazybase";
    private static final int FIRST_CONSTRAINT = 1_000_000;
    private static final int HEAP = 2;
    private static final int BTREE = 403;
    private static final int BTREE_FAMILY = 1976;

    /** The columns of all relations, by schema and name. */
    private static final Map<String, List<Field>> KNOWN = known();

    private final Map<String, Relation> relations = new LinkedHashMap<>();

    private final Catalog catalog;

    private PgCatalog(Catalog catalog) {
        this.catalog = catalog;
        KNOWN.forEach((name, fields) -> relations.put(name, new Relation(name, fields)));
        fillFixed();
        fillTypes();
        catalog.tables().forEach(this::fillTable);
    }

    private static Map<String, List<Field>> known() {
        try (InputStream in = PgCatalog.class.getResourceAsStream("catalogue.txt")) {
            if (in == null) {
                throw new IllegalStateException("catalogue.txt is not on the class path");
            }
            var all = new LinkedHashMap<String, List<Field>>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                int end = line.indexOf(' ');
                if (end > 0) {
                    all.put(line.substring(0, end), Field.all(line.substring(end + 1)));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number of a table or view as PostgreSQL's tools see it. */
    static int oid(int id) {
        return FIRST_TABLE + id;
    }

    /** PostgreSQL's name of the index that is the primary key. */
    static String nameOf(Table table, View view) {
        return view.id() == table.primary().id() ? table.name() + "_pkey" : view.name();
    }

    static void addTo(CalciteSchema root, Catalog catalog, Engine engine) {
        var all = new PgCatalog(catalog).relations;
        CalciteSchema schema = root.add("pg_catalog", new AbstractSchema());
        CalciteSchema information = root.add("information_schema", new AbstractSchema());
        CalciteSchema open = root.getSubSchema("public", true);
        for (Map.Entry<String, Relation> each : all.entrySet()) {
            String name = each.getKey().substring(each.getKey().indexOf('.') + 1);
            boolean inCatalogue = each.getKey().startsWith("pg_catalog.");
            (inCatalogue ? schema : information).add(name, each.getValue());
            // The catalogue is searched before all other schemas, but a table of the user's keeps its name.
            if (inCatalogue && open != null && open.getTable(name, true) == null) {
                open.add(name, each.getValue());
            }
        }
        schema.add("pg_arrays", arrays(all));
        for (java.lang.reflect.Method method : PgFunctions.class.getMethods()) {
            if (method.getDeclaringClass() != PgFunctions.class || open == null) {
                continue;
            }
            if (ScannableTable.class.isAssignableFrom(method.getReturnType())) {
                open.plus().add(method.getName(), TableFunctionImpl.create(method));
            } else {
                open.plus().add(method.getName(), ScalarFunctionImpl.create(method));
            }
        }
        CalciteSchema own = root.add("lazybase", new AbstractSchema());
        own.add("answer", new Answer());
        own.add("stages", StageRows.of(engine.pipeline()));
        own.add("ingests", engine.ingests().relation());
    }

    /** A column's name and type. */
    record Field(String name, ColumnType type) {

        /** Of columns such as {@code oid:i relname:s}: i is an integer, l a bigint, s a text, b a boolean, d a double. */
        static List<Field> all(String columns) {
            var fields = new ArrayList<Field>();
            for (String column : columns.split(" ")) {
                String[] parts = column.split(":");
                ColumnType type = switch (parts[1].charAt(0)) {
                    // PostgreSQL has smallints, too; generated code does not hand them to functions that take integers.
                    case 'i', 'h' -> ColumnType.INTEGER;
                    case 'l' -> ColumnType.BIGINT;
                    case 'b' -> ColumnType.BOOLEAN;
                    case 'd' -> ColumnType.DOUBLE;
                    case 't' -> ColumnType.TIMESTAMPTZ;
                    default -> ColumnType.TEXT;
                };
                fields.add(new Field(parts[0], type));
            }
            return List.copyOf(fields);
        }
    }

    /** Rows that are there already. */
    static class Relation extends AbstractTable implements ScannableTable {

        private final String name;
        private final List<Field> fields;
        private final List<@Nullable Object[]> rows = new ArrayList<>();

        Relation(String name, List<Field> fields) {
            this.name = name;
            this.fields = fields;
        }

        private int indexOf(String column) {
            for (int i = 0; i < fields.size(); i++) {
                if (fields.get(i).name.equals(column)) {
                    return i;
                }
            }
            throw new IllegalStateException(name + " has no column " + column);
        }

        /**
         * Adds a row.
         *
         * @param values name and value in turn; other columns are 0 or false, texts NULL
         */
        void add(@Nullable Object... values) {
            @Nullable Object[] row = new Object[fields.size()];
            for (int i = 0; i < row.length; i++) {
                row[i] = switch (fields.get(i).type) {
                    case INTEGER -> 0;
                    case BIGINT -> 0L;
                    case BOOLEAN -> false;
                    case DOUBLE -> 0.0;
                    default -> null;
                };
            }
            for (int i = 0; i < values.length; i += 2) {
                int place = indexOf(String.valueOf(values[i]));
                row[place] = values[i + 1];
            }
            rows.add(row);
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory factory) {
            var builder = factory.builder();
            for (Field field : fields) {
                builder.add(field.name, Types.of(factory, new Column(0, field.name, field.type, 0, 0, false), true));
            }
            return builder.build();
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            return Linq4j.asEnumerable(rows);
        }
    }

    /** What the session's last answer said of itself. */
    private static final class Answer extends Relation {

        Answer() {
            super("answer", Field.all("snapshot:s age_ms:s stages:s row_count:s rows_read:s bytes_read:s"));
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            QueryContext context = (QueryContext) root.get(QueryContext.NAME);
            if (context == null) {
                return Linq4j.emptyEnumerable();
            }
            return Linq4j.singletonEnumerable(context.session().lastAnswer().toArray());
        }
    }

    private Relation pg(String name) {
        return of("pg_catalog." + name);
    }

    private Relation of(String name) {
        Relation relation = relations.get(name);
        if (relation == null) {
            throw new IllegalStateException(name + " is not listed in catalogue.txt");
        }
        return relation;
    }

    /** The elements of all arrays that the catalogue has: what functions that return sets become joins with. */
    private static Relation arrays(Map<String, Relation> all) {
        var texts = new TreeSet<String>();
        for (String[] each :
                new String[][] {{"pg_index", "indkey"}, {"pg_constraint", "conkey"}, {"pg_constraint", "confkey"}}) {
            Relation relation = all.get("pg_catalog." + each[0]);
            if (relation != null) {
                relation.rows.stream()
                        .map(row -> row[relation.indexOf(each[1])])
                        .filter(java.util.Objects::nonNull)
                        .forEach(value -> texts.add(value.toString()));
            }
        }
        var arrays = new Relation("pg_arrays", Field.all("arr:s x:i n:i"));
        for (String text : texts) {
            List<String> elements = PgFunctions.elements(text);
            for (int i = 0; i < elements.size(); i++) {
                arrays.add("arr", text, "x", Integer.valueOf(elements.get(i)), "n", i + 1);
            }
        }
        return arrays;
    }

    private void fillFixed() {
        pg("pg_namespace").add("oid", PG_CATALOG, "nspname", "pg_catalog", "nspowner", OWNER);
        pg("pg_namespace").add("oid", PUBLIC, "nspname", "public", "nspowner", OWNER);
        pg("pg_namespace").add("oid", INFORMATION, "nspname", "information_schema", "nspowner", OWNER);
        for (String schema : List.of("public", "information_schema", "pg_catalog")) {
            of("information_schema.schemata")
                    .add("catalog_name", DATABASE, "schema_name", schema, "schema_owner", "lazybase");
        }
        pg("pg_database")
                .add(
                        "oid",
                        1,
                        "datname",
                        DATABASE,
                        "datdba",
                        OWNER,
                        "encoding",
                        6,
                        "datlocprovider",
                        "c",
                        "datallowconn",
                        true,
                        "datconnlimit",
                        -1,
                        "dattablespace",
                        1663,
                        "datcollate",
                        "C",
                        "datctype",
                        "C");
        pg("pg_tablespace").add("oid", 1663, "spcname", "pg_default", "spcowner", OWNER);
        pg("pg_roles")
                .add(
                        "rolname",
                        "lazybase",
                        "rolinherit",
                        true,
                        "rolcanlogin",
                        true,
                        "rolconnlimit",
                        -1,
                        "rolpassword",
                        "********",
                        "oid",
                        OWNER);
        pg("pg_user").add("usename", "lazybase", "usesysid", OWNER, "passwd", "********");
        pg("pg_am").add("oid", HEAP, "amname", "heap", "amtype", "t");
        pg("pg_am").add("oid", BTREE, "amname", "btree", "amtype", "i");
        for (String[] setting : new String[][] {
            {"max_index_keys", "32"},
            {"server_version", "15.0"},
            {"server_version_num", "150000"},
            {"server_encoding", "UTF8"},
            {"standard_conforming_strings", "on"},
            {"default_transaction_isolation", "repeatable read"}
        }) {
            pg("pg_settings").add("name", setting[0], "setting", setting[1], "context", "internal");
        }
    }

    private void fillTypes() {
        for (ColumnType type : ColumnType.values()) {
            String category = switch (type) {
                case BOOLEAN -> "B";
                case SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL -> "N";
                case TEXT, VARCHAR -> "S";
                case DATE, TIME, TIMESTAMP, TIMESTAMPTZ -> "D";
                case JSON, BYTEA, UUID -> "U";
            };
            fillType(type.oid(), type.pgName(), lengthOf(type), category, "b");
        }
        // Types of the catalogue itself; no column of a table has them.
        fillType(18, "char", 1, "Z", "b");
        fillType(19, "name", 64, "S", "b");
        fillType(26, "oid", 4, "N", "b");
        fillType(27, "tid", 6, "U", "b");
        fillType(28, "xid", 4, "U", "b");
        fillType(705, "unknown", -2, "X", "p");
    }

    private static int lengthOf(ColumnType type) {
        return switch (type) {
            case BOOLEAN -> 1;
            case SMALLINT -> 2;
            case INTEGER, REAL, DATE -> 4;
            case BIGINT, DOUBLE, TIME, TIMESTAMP, TIMESTAMPTZ -> 8;
            case UUID -> 16;
            case TEXT, VARCHAR, JSON, BYTEA, DECIMAL -> -1;
        };
    }

    private void fillType(int oid, String name, int length, String category, String kind) {
        pg("pg_type")
                .add(
                        "oid",
                        oid,
                        "typname",
                        name,
                        "typnamespace",
                        PG_CATALOG,
                        "typowner",
                        OWNER,
                        "typlen",
                        length,
                        "typbyval",
                        length > 0 && length <= 8,
                        "typtype",
                        kind,
                        "typcategory",
                        category,
                        "typisdefined",
                        true,
                        "typdelim",
                        ",",
                        "typinput",
                        name + "in",
                        "typoutput",
                        name + "out",
                        "typalign",
                        "i",
                        "typstorage",
                        length < 0 ? "x" : "p",
                        "typtypmod",
                        -1);
    }

    /** Ids of keys of another table look like what they are: a foreign key. */
    private void fillReference(Table table, Reference reference) {
        Table keys = catalog.table(reference.table());
        if (keys == null || table.column(reference.column()) == null) {
            return;
        }
        pg("pg_constraint")
                .add(
                        "oid",
                        referenceOid(table, reference),
                        "conname",
                        table.name() + "_" + table.columnOf(reference.column()).name() + "_fkey",
                        "connamespace",
                        PUBLIC,
                        "contype",
                        "f",
                        "convalidated",
                        true,
                        "conrelid",
                        oid(table.id()),
                        "conindid",
                        oid(keys.views().get(1).id()),
                        "confrelid",
                        oid(keys.id()),
                        "confupdtype",
                        "a",
                        "confdeltype",
                        "a",
                        "confmatchtype",
                        "s",
                        "conislocal",
                        true,
                        "connoinherit",
                        true,
                        "conkey",
                        "{" + place(table, reference.column()) + "}",
                        "confkey",
                        "{" + place(keys, keys.identity()) + "}");
    }

    static int referenceOid(Table table, Reference reference) {
        return oid(table.primary().id()) + FIRST_CONSTRAINT * (1 + reference.column());
    }

    private static int place(Table table, int column) {
        return table.columns().indexOf(table.columnOf(column)) + 1;
    }

    private void fillTable(Table table) {
        fillClass(oid(table.id()), table.name(), "r", table.columns().size());
        int place = 1;
        for (Column column : table.columns()) {
            fillAttribute(oid(table.id()), table, column, place);
            fillInformation(table, column, place++);
        }
        for (View view : table.views()) {
            fillView(table, view);
        }
        int index = oid(table.primary().id());
        String primary = table.name() + "_pkey";
        pg("pg_constraint")
                .add(
                        "oid",
                        index + FIRST_CONSTRAINT,
                        "conname",
                        primary,
                        "connamespace",
                        PUBLIC,
                        "contype",
                        "p",
                        "convalidated",
                        true,
                        "conrelid",
                        oid(table.id()),
                        "conindid",
                        index,
                        "confupdtype",
                        " ",
                        "confdeltype",
                        " ",
                        "confmatchtype",
                        " ",
                        "conislocal",
                        true,
                        "connoinherit",
                        true,
                        "conkey",
                        "{" + String.join(",", places(table, table.primary())) + "}");
        table.references().forEach(reference -> fillReference(table, reference));
        pg("pg_tables")
                .add("schemaname", "public", "tablename", table.name(), "tableowner", "lazybase", "hasindexes", true);
        of("information_schema.tables")
                .add(
                        "table_catalog",
                        DATABASE,
                        "table_schema",
                        "public",
                        "table_name",
                        table.name(),
                        "table_type",
                        "BASE TABLE",
                        "is_insertable_into",
                        "YES",
                        "is_typed",
                        "NO");
        of("information_schema.table_constraints")
                .add(
                        "constraint_catalog",
                        DATABASE,
                        "constraint_schema",
                        "public",
                        "constraint_name",
                        primary,
                        "table_catalog",
                        DATABASE,
                        "table_schema",
                        "public",
                        "table_name",
                        table.name(),
                        "constraint_type",
                        "PRIMARY KEY",
                        "is_deferrable",
                        "NO",
                        "initially_deferred",
                        "NO",
                        "enforced",
                        "YES");
        int number = 1;
        for (int id : table.primary().key()) {
            for (String relation : List.of("key_column_usage", "constraint_column_usage")) {
                of("information_schema." + relation)
                        .add(
                                "constraint_catalog",
                                DATABASE,
                                "constraint_schema",
                                "public",
                                "constraint_name",
                                primary,
                                "table_catalog",
                                DATABASE,
                                "table_schema",
                                "public",
                                "table_name",
                                table.name(),
                                "column_name",
                                table.columnOf(id).name());
            }
            List<@Nullable Object[]> rows = of("information_schema.key_column_usage").rows;
            rows.get(rows.size() - 1)[of("information_schema.key_column_usage").indexOf("ordinal_position")] = number++;
        }
    }

    private void fillClass(int oid, String name, String kind, int columns) {
        boolean isTable = kind.equals("r");
        pg("pg_class")
                .add(
                        "oid",
                        oid,
                        "relname",
                        name,
                        "relnamespace",
                        PUBLIC,
                        "relowner",
                        OWNER,
                        "relam",
                        isTable ? HEAP : BTREE,
                        "relfilenode",
                        oid,
                        "reltuples",
                        -1.0,
                        "relhasindex",
                        isTable,
                        "relpersistence",
                        "p",
                        "relkind",
                        kind,
                        "relnatts",
                        columns,
                        "relispopulated",
                        true,
                        "relreplident",
                        isTable ? "d" : "n");
    }

    private void fillAttribute(int relation, Table table, Column column, int place) {
        int length = lengthOf(column.type());
        pg("pg_attribute")
                .add(
                        "attrelid",
                        relation,
                        "attname",
                        column.name(),
                        "atttypid",
                        column.type().oid(),
                        "attstattarget",
                        -1,
                        "attlen",
                        length,
                        "attnum",
                        place,
                        "attcacheoff",
                        -1,
                        "atttypmod",
                        modifier(column),
                        "attbyval",
                        length > 0 && length <= 8,
                        "attalign",
                        "i",
                        "attstorage",
                        length < 0 ? "x" : "p",
                        "attcompression",
                        "",
                        "attnotnull",
                        isNotNull(table, column),
                        "attidentity",
                        column.id() == table.identity() ? "a" : "",
                        "attgenerated",
                        "",
                        "attislocal",
                        true);
    }

    private static boolean isNotNull(Table table, Column column) {
        return column.notNull() || table.isKey(column.id());
    }

    private void fillView(Table table, View view) {
        boolean primary = view.id() == table.primary().id();
        String name = nameOf(table, view);
        fillClass(oid(view.id()), name, "i", view.key().size());
        int place = 1;
        for (int id : view.key()) {
            fillAttribute(oid(view.id()), table, table.columnOf(id), place++);
        }
        int count = view.key().size();
        pg("pg_index")
                .add(
                        "indexrelid",
                        oid(view.id()),
                        "indrelid",
                        oid(table.id()),
                        "indnatts",
                        count,
                        "indnkeyatts",
                        count,
                        "indisunique",
                        primary,
                        "indisprimary",
                        primary,
                        "indimmediate",
                        true,
                        "indisvalid",
                        true,
                        "indisready",
                        true,
                        "indislive",
                        true,
                        "indkey",
                        String.join(" ", places(table, view)),
                        "indcollation",
                        "0 ".repeat(count).strip(),
                        "indclass",
                        (BTREE_FAMILY + " ").repeat(count).strip(),
                        "indoption",
                        "0 ".repeat(count).strip());
        pg("pg_indexes")
                .add(
                        "schemaname",
                        "public",
                        "tablename",
                        table.name(),
                        "indexname",
                        name,
                        "indexdef",
                        PgFunctions.definition(table, view));
    }

    private static List<String> places(Table table, View view) {
        var places = new ArrayList<String>();
        for (int id : view.key()) {
            places.add(Integer.toString(table.columns().indexOf(table.columnOf(id)) + 1));
        }
        return places;
    }

    static int modifier(Column column) {
        return switch (column.type()) {
            case DECIMAL -> (column.precision() << 16 | column.scale()) + 4;
            case VARCHAR -> column.precision() == 0 ? -1 : column.precision() + 4;
            default -> -1;
        };
    }

    private void fillInformation(Table table, Column column, int place) {
        ColumnType type = column.type();
        Integer digits = switch (type) {
            case SMALLINT -> 16;
            case INTEGER -> 32;
            case BIGINT -> 64;
            case REAL -> 24;
            case DOUBLE -> 53;
            case DECIMAL -> column.precision();
            default -> null;
        };
        boolean whole = type == ColumnType.SMALLINT || type == ColumnType.INTEGER || type == ColumnType.BIGINT;
        Integer scale = type == ColumnType.DECIMAL ? (Integer) column.scale() : whole ? (Integer) 0 : null;
        Integer length = type == ColumnType.VARCHAR && column.precision() > 0 ? (Integer) column.precision() : null;
        boolean time = type == ColumnType.TIME || type == ColumnType.TIMESTAMP || type == ColumnType.TIMESTAMPTZ;
        of("information_schema.columns")
                .add(
                        "table_catalog",
                        DATABASE,
                        "table_schema",
                        "public",
                        "table_name",
                        table.name(),
                        "column_name",
                        column.name(),
                        "ordinal_position",
                        place,
                        "is_nullable",
                        isNotNull(table, column) ? "NO" : "YES",
                        "data_type",
                        PgFunctions.format_type(type.oid(), -1),
                        "character_maximum_length",
                        length,
                        "character_octet_length",
                        length == null ? null : 4 * length,
                        "numeric_precision",
                        digits,
                        "numeric_precision_radix",
                        digits == null ? null : (Integer) (type == ColumnType.DECIMAL ? 10 : 2),
                        "numeric_scale",
                        scale,
                        "datetime_precision",
                        time ? (Integer) 3 : null,
                        "interval_precision",
                        null,
                        "maximum_cardinality",
                        null,
                        "udt_catalog",
                        DATABASE,
                        "udt_schema",
                        "pg_catalog",
                        "udt_name",
                        type.pgName(),
                        "dtd_identifier",
                        Integer.toString(place),
                        "is_self_referencing",
                        "NO",
                        "is_identity",
                        "NO",
                        "identity_cycle",
                        "NO",
                        "is_generated",
                        "NEVER",
                        "is_updatable",
                        "YES");
    }
}

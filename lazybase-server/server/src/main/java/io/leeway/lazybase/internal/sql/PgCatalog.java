package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import java.util.ArrayList;
import java.util.List;
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
import org.jspecify.annotations.Nullable;

/**
 * What tools ask PostgreSQL's catalogue, answered from the definitions: schemas, tables, columns, types, keys. What is not here is not
 * known and an error, never an invented row. Our own relations are in the schema {@code lazybase}.
 */
final class PgCatalog {

    static final int PUBLIC = 2200;
    static final int PG_CATALOG = 11;
    static final int OWNER = 10;
    static final int FIRST_TABLE = 16_384;

    private PgCatalog() {}

    /** The number of a table or view as PostgreSQL's tools see it. */
    static int oid(int id) {
        return FIRST_TABLE + id;
    }

    static void addTo(CalciteSchema root, Catalog catalog, Engine engine) {
        CalciteSchema schema = root.add("pg_catalog", new AbstractSchema());
        CalciteSchema open = root.getSubSchema("public", true);
        for (Relation relation : relations(catalog)) {
            schema.add(relation.name, relation);
            // The catalogue is searched before all other schemas, but a table of the user's keeps its name.
            if (open != null && open.getTable(relation.name, true) == null) {
                open.add(relation.name, relation);
            }
        }
        for (java.lang.reflect.Method method : PgFunctions.class.getMethods()) {
            if (method.getDeclaringClass() == PgFunctions.class) {
                String name = method.getName();
                var function = ScalarFunctionImpl.create(method);
                schema.plus().add(name, function);
                if (open != null) {
                    open.plus().add(name, function);
                }
            }
        }
        CalciteSchema own = root.add("lazybase", new AbstractSchema());
        own.add("answer", new Answer());
        own.add("stages", StageRows.of(engine.pipeline()));
        CalciteSchema information = root.add("information_schema", new AbstractSchema());
        information.add("tables", informationTables(catalog));
        information.add("columns", informationColumns(catalog));
    }

    /** A column's name and type. */
    record Field(String name, ColumnType type) {}

    /** Rows that are there already. */
    static class Relation extends AbstractTable implements ScannableTable {

        private final String name;
        private final List<Field> fields;
        private final List<@Nullable Object[]> rows = new ArrayList<>();

        /** With columns such as {@code oid:i relname:s}: i is an integer, l a bigint, s a text, b a boolean, d a double. */
        Relation(String name, String columns) {
            this.name = name;
            this.fields = new ArrayList<>();
            for (String column : columns.split(" ")) {
                String[] parts = column.split(":");
                ColumnType type = switch (parts[1].charAt(0)) {
                    case 'i' -> ColumnType.INTEGER;
                    case 'h' -> ColumnType.SMALLINT;
                    case 'l' -> ColumnType.BIGINT;
                    case 'b' -> ColumnType.BOOLEAN;
                    case 'd' -> ColumnType.DOUBLE;
                    default -> ColumnType.TEXT;
                };
                fields.add(new Field(parts[0], type));
            }
        }

        Relation row(@Nullable Object... values) {
            if (values.length != fields.size()) {
                throw new IllegalStateException(name + " has " + fields.size() + " columns, not " + values.length);
            }
            rows.add(values);
            return this;
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
            super("answer", "snapshot:s age_ms:s stages:s row_count:s rows_read:s bytes_read:s");
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

    private static List<Relation> relations(Catalog catalog) {
        var all = new ArrayList<Relation>();
        all.add(new Relation("pg_namespace", "oid:i nspname:s nspowner:i nspacl:s")
                .row(PG_CATALOG, "pg_catalog", OWNER, null)
                .row(PUBLIC, "public", OWNER, null));
        all.add(classes(catalog));
        all.add(attributes(catalog));
        all.add(types());
        all.add(indexes(catalog));
        all.add(constraints(catalog));
        all.add(new Relation(
                        "pg_database",
                        "oid:i datname:s datdba:i encoding:i datcollate:s datctype:s datallowconn:b datistemplate:b"
                                + " datacl:s")
                .row(1, "lazybase", OWNER, 6, "C", "C", true, false, null));
        all.add(new Relation("pg_roles", "oid:i rolname:s rolsuper:b rolcreatedb:b rolcreaterole:b rolcanlogin:b")
                .row(OWNER, "lazybase", false, false, false, true));
        all.add(new Relation("pg_am", "oid:i amname:s amtype:s")
                .row(2, "heap", "t")
                .row(403, "btree", "i"));
        all.add(new Relation("pg_description", "objoid:i classoid:i objsubid:i description:s"));
        all.add(new Relation("pg_attrdef", "oid:i adrelid:i adnum:h adbin:s"));
        all.add(new Relation("pg_inherits", "inhrelid:i inhparent:i inhseqno:i inhdetachpending:b"));
        all.add(new Relation("pg_tablespace", "oid:i spcname:s"));
        all.add(new Relation("pg_collation", "oid:i collname:s collnamespace:i"));
        all.add(new Relation(
                "pg_policy",
                "oid:i polname:s polrelid:i polcmd:s polpermissive:b polroles:s polqual:s polwithcheck:s"));
        all.add(new Relation("pg_trigger", "oid:i tgrelid:i tgname:s tgisinternal:b"));
        all.add(new Relation("pg_enum", "oid:i enumtypid:i enumsortorder:d enumlabel:s"));
        all.add(new Relation("pg_range", "rngtypid:i rngsubtype:i"));
        all.add(new Relation("pg_proc", "oid:i proname:s pronamespace:i prorettype:i"));
        all.add(new Relation("pg_settings", "name:s setting:s")
                .row("max_index_keys", "32")
                .row("server_version", "15.0"));
        return all;
    }

    private static Relation classes(Catalog catalog) {
        var relation = new Relation(
                "pg_class",
                "oid:i relname:s relnamespace:i reltype:i reloftype:i relowner:i relam:i relfilenode:i reltablespace:i"
                        + " relpages:i reltuples:d reltoastrelid:i relhasindex:b relisshared:b relpersistence:s relkind:s"
                        + " relnatts:h relchecks:h relhasrules:b relhastriggers:b relrowsecurity:b relforcerowsecurity:b"
                        + " relispartition:b relreplident:s relpartbound:s reloptions:s relacl:s relhasoids:b");
        for (Table table : catalog.tables()) {
            add(relation, oid(table.id()), table.name(), "r", table.columns().size());
            for (View view : table.views()) {
                String name = view.id() == table.primary().id() ? table.name() + "_pkey" : view.name();
                add(relation, oid(view.id()), name, "i", view.key().size());
            }
        }
        return relation;
    }

    private static void add(Relation relation, int oid, String name, String kind, int columns) {
        relation.row(
                oid,
                name,
                PUBLIC,
                0,
                0,
                OWNER,
                kind.equals("r") ? 2 : 403,
                oid,
                0,
                0,
                -1.0,
                0,
                kind.equals("r"),
                false,
                "p",
                kind,
                (short) columns,
                (short) 0,
                false,
                false,
                false,
                false,
                false,
                "d",
                null,
                null,
                null,
                false);
    }

    private static Relation attributes(Catalog catalog) {
        var relation = new Relation(
                "pg_attribute",
                "attrelid:i attname:s atttypid:i attlen:h attnum:h atttypmod:i attnotnull:b atthasdef:b attidentity:s"
                        + " attgenerated:s attisdropped:b attcollation:i attstorage:s attcompression:s attstattarget:i"
                        + " attacl:s attndims:i");
        for (Table table : catalog.tables()) {
            int number = 1;
            for (Column column : table.columns()) {
                relation.row(
                        oid(table.id()),
                        column.name(),
                        column.type().oid(),
                        (short) -1,
                        (short) number++,
                        modifier(column),
                        column.notNull(),
                        false,
                        "",
                        "",
                        false,
                        0,
                        "p",
                        "",
                        -1,
                        null,
                        0);
            }
            for (View view : table.views()) {
                int place = 1;
                for (int id : view.key()) {
                    Column column = table.columnOf(id);
                    relation.row(
                            oid(view.id()),
                            column.name(),
                            column.type().oid(),
                            (short) -1,
                            (short) place++,
                            modifier(column),
                            column.notNull(),
                            false,
                            "",
                            "",
                            false,
                            0,
                            "p",
                            "",
                            -1,
                            null,
                            0);
                }
            }
        }
        return relation;
    }

    static int modifier(Column column) {
        return switch (column.type()) {
            case DECIMAL -> (column.precision() << 16 | column.scale()) + 4;
            case VARCHAR -> column.precision() == 0 ? -1 : column.precision() + 4;
            default -> -1;
        };
    }

    private static Relation types() {
        var relation = new Relation(
                "pg_type",
                "oid:i typname:s typnamespace:i typowner:i typlen:h typbyval:b typtype:s typcategory:s typisdefined:b"
                        + " typdelim:s typrelid:i typelem:i typarray:i typinput:s typnotnull:b typbasetype:i typtypmod:i"
                        + " typndims:i typcollation:i typdefault:s");
        for (ColumnType type : ColumnType.values()) {
            relation.row(
                    type.oid(),
                    type.pgName(),
                    PG_CATALOG,
                    OWNER,
                    (short) -1,
                    false,
                    "b",
                    "U",
                    true,
                    ",",
                    0,
                    0,
                    0,
                    type.pgName() + "in",
                    false,
                    0,
                    -1,
                    0,
                    0,
                    null);
        }
        return relation;
    }

    private static Relation indexes(Catalog catalog) {
        var relation = new Relation(
                "pg_index",
                "indexrelid:i indrelid:i indnatts:h indnkeyatts:h indisunique:b indisprimary:b indisclustered:b"
                        + " indisvalid:b indisreplident:b indisexclusion:b indimmediate:b indisready:b indkey:s indpred:s"
                        + " indexprs:s indoption:s");
        for (Table table : catalog.tables()) {
            for (View view : table.views()) {
                boolean primary = view.id() == table.primary().id();
                var places = new ArrayList<String>();
                view.key()
                        .forEach(id ->
                                places.add(Integer.toString(table.columns().indexOf(table.columnOf(id)) + 1)));
                short count = (short) view.key().size();
                relation.row(
                        oid(view.id()),
                        oid(table.id()),
                        count,
                        count,
                        primary,
                        primary,
                        primary,
                        true,
                        false,
                        false,
                        true,
                        true,
                        String.join(" ", places),
                        null,
                        null,
                        "0 ".repeat(count).strip());
            }
        }
        return relation;
    }

    private static Relation constraints(Catalog catalog) {
        var relation = new Relation(
                "pg_constraint",
                "oid:i conname:s connamespace:i contype:s condeferrable:b condeferred:b convalidated:b conrelid:i"
                        + " contypid:i conindid:i conparentid:i confrelid:i confupdtype:s confdeltype:s confmatchtype:s");
        for (Table table : catalog.tables()) {
            int index = oid(table.primary().id());
            relation.row(
                    index + 1_000_000,
                    table.name() + "_pkey",
                    PUBLIC,
                    "p",
                    false,
                    false,
                    true,
                    oid(table.id()),
                    0,
                    index,
                    0,
                    0,
                    " ",
                    " ",
                    " ");
        }
        return relation;
    }

    private static Relation informationTables(Catalog catalog) {
        var relation = new Relation("tables", "table_catalog:s table_schema:s table_name:s table_type:s");
        catalog.tables().forEach(table -> relation.row("lazybase", "public", table.name(), "BASE TABLE"));
        return relation;
    }

    private static Relation informationColumns(Catalog catalog) {
        var relation = new Relation(
                "columns",
                "table_catalog:s table_schema:s table_name:s column_name:s ordinal_position:i column_default:s"
                        + " is_nullable:s data_type:s udt_name:s");
        for (Table table : catalog.tables()) {
            int place = 1;
            for (Column column : table.columns()) {
                relation.row(
                        "lazybase",
                        "public",
                        table.name(),
                        column.name(),
                        place++,
                        null,
                        column.notNull() ? "NO" : "YES",
                        PgFunctions.format_type(column.type().oid(), -1),
                        column.type().pgName());
            }
        }
        return relation;
    }
}

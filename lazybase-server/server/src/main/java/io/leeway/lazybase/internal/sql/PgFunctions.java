package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Functions of PostgreSQL that its tools call. Their names are PostgreSQL's. Called by generated code, which hands over nothing but the
 * arguments, so what they need to know of the session is with the thread while it runs a query.
 *
 * <p>Arrays are texts: {@code {1,2}}, whose first element is 1, or {@code 1 2}, PostgreSQL's vectors, whose first is 0.
 */
public final class PgFunctions {

    /** What functions know: the definitions, the files and the settings of the session. */
    record Surroundings(State state, QueryContext.SessionInfo session) {}

    private static final List<String> ANSWER =
            List.of("snapshot", "age_ms", "stages", "row_count", "rows_read", "bytes_read");
    private static final ThreadLocal<@Nullable Surroundings> SURROUNDINGS = new ThreadLocal<>();
    private static final Catalog NOTHING = Catalog.EMPTY;

    private PgFunctions() {}

    static void enter(Surroundings surroundings) {
        SURROUNDINGS.set(surroundings);
    }

    static void leave() {
        SURROUNDINGS.remove();
    }

    private static Catalog catalog() {
        Surroundings mine = SURROUNDINGS.get();
        return mine == null ? NOTHING : mine.state.catalog();
    }

    // What the server is.

    public static String version() {
        return "PostgreSQL 15.0 (LazyBase)";
    }

    public static String current_database() {
        return PgCatalog.DATABASE;
    }

    public static String current_schema() {
        return "public";
    }

    public static String current_schemas(@Nullable Boolean implicit) {
        return implicit != null && implicit ? "{pg_catalog,public}" : "{public}";
    }

    public static String pg_encoding_to_char(@Nullable Integer encoding) {
        return "UTF8";
    }

    public static int pg_char_to_encoding(@Nullable String name) {
        return 6;
    }

    public static String getdatabaseencoding() {
        return "UTF8";
    }

    public static boolean pg_is_in_recovery() {
        return false;
    }

    public static int pg_backend_pid() {
        return 0;
    }

    public static int pg_my_temp_schema() {
        return 0;
    }

    public static boolean pg_is_other_temp_schema(@Nullable Integer schema) {
        return false;
    }

    public static double random() {
        return java.util.concurrent.ThreadLocalRandom.current().nextDouble();
    }

    public static long pg_stat_get_numscans(@Nullable Integer relation) {
        return 0;
    }

    public static @Nullable String current_setting(@Nullable String name) {
        Surroundings mine = SURROUNDINGS.get();
        String value = mine == null || name == null ? null : mine.session.setting(name);
        if (value == null && name != null) {
            throw new LazyBaseException(Code.NOT_FOUND, "There is no setting " + name + ".");
        }
        return value;
    }

    public static @Nullable String current_setting(@Nullable String name, @Nullable Boolean orNull) {
        Surroundings mine = SURROUNDINGS.get();
        return mine == null || name == null ? null : mine.session.setting(name);
    }

    /** What the session's last answer said of itself; for tools that show neither parameters nor notices. */
    public static @Nullable String lazybase_answer(@Nullable String what) {
        Surroundings mine = SURROUNDINGS.get();
        if (mine == null || what == null) {
            return null;
        }
        int place = ANSWER.indexOf(what);
        if (place < 0) {
            throw new LazyBaseException(
                    Code.NOT_FOUND, "An answer says " + String.join(", ", ANSWER) + ", not " + what + ".");
        }
        return mine.session.lastAnswer().get(place);
    }

    public static String pg_get_userbyid(@Nullable Integer oid) {
        return "lazybase";
    }

    // Types.

    public static @Nullable String format_type(@Nullable Integer oid, @Nullable Integer modifier) {
        ColumnType type = null;
        for (ColumnType each : ColumnType.values()) {
            if (oid != null && each.oid() == oid) {
                type = each;
            }
        }
        if (type == null) {
            return oid == null
                    ? null
                    : switch (oid) {
                        case 18 -> "\"char\"";
                        case 19 -> "name";
                        case 26 -> "oid";
                        case 27 -> "tid";
                        case 28 -> "xid";
                        case 705 -> "unknown";
                        default -> "???";
                    };
        }
        int limit = modifier == null ? -1 : modifier - 4;
        return switch (type) {
            case BOOLEAN -> "boolean";
            case SMALLINT -> "smallint";
            case INTEGER -> "integer";
            case BIGINT -> "bigint";
            case REAL -> "real";
            case DOUBLE -> "double precision";
            case DECIMAL -> limit < 0 ? "numeric" : "numeric(" + (limit >> 16) + "," + (limit & 0xFFFF) + ")";
            case VARCHAR -> limit < 0 ? "character varying" : "character varying(" + limit + ")";
            case TIME -> "time without time zone";
            case TIMESTAMP -> "timestamp without time zone";
            case TIMESTAMPTZ -> "timestamp with time zone";
            default -> type.pgName();
        };
    }

    public static @Nullable Integer to_regtype(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String plain = unqualified(name);
        for (ColumnType type : ColumnType.values()) {
            if (type.pgName().equals(plain) || plain.equals(format_type(type.oid(), -1))) {
                return type.oid();
            }
        }
        return null;
    }

    // Names and numbers.

    private static String unqualified(String name) {
        String plain = name.strip();
        int dot = plain.lastIndexOf('.');
        plain = dot < 0 ? plain : plain.substring(dot + 1);
        return plain.startsWith("\"") && plain.endsWith("\"") && plain.length() > 1
                ? plain.substring(1, plain.length() - 1)
                : plain.toLowerCase(Locale.ROOT);
    }

    public static @Nullable Integer to_regclass(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String plain = unqualified(name);
        if (!plain.isEmpty() && plain.chars().allMatch(Character::isDigit)) {
            return Integer.valueOf(plain);
        }
        for (Table table : catalog().tables()) {
            if (table.name().equals(plain)) {
                return PgCatalog.oid(table.id());
            }
            for (View view : table.views()) {
                if (PgCatalog.nameOf(table, view).equals(plain)) {
                    return PgCatalog.oid(view.id());
                }
            }
        }
        // PostgreSQL's own numbers; what describes the catalogue is empty here, so none of them finds anything.
        return switch (plain) {
            case "pg_class" -> 1259;
            case "pg_namespace" -> 2615;
            case "pg_type" -> 1247;
            case "pg_proc" -> 1255;
            case "pg_attribute" -> 1249;
            case "pg_constraint" -> 2606;
            case "pg_database" -> 1262;
            case "pg_extension" -> 3079;
            case "pg_trigger" -> 2620;
            case "pg_authid", "pg_roles" -> 1260;
            default -> plain.startsWith("pg_") ? (Integer) 1 : null;
        };
    }

    /** {@code 'name'::regclass}. */
    public static @Nullable Integer pg_regclass(@Nullable String name) {
        Integer oid = to_regclass(name);
        if (oid == null && name != null) {
            throw new LazyBaseException(Code.NOT_FOUND, "There is no table " + name + ".");
        }
        return oid;
    }

    /** {@code oid::regclass} as a text. */
    public static @Nullable String pg_regclass_name(@Nullable Object oid) {
        if (oid == null || oid instanceof String) {
            return (String) oid;
        }
        int number = ((Number) oid).intValue();
        for (Table table : catalog().tables()) {
            if (PgCatalog.oid(table.id()) == number) {
                return quote_ident(table.name());
            }
            for (View view : table.views()) {
                if (PgCatalog.oid(view.id()) == number) {
                    return quote_ident(PgCatalog.nameOf(table, view));
                }
            }
        }
        return Integer.toString(number);
    }

    public static @Nullable Integer pg_regnamespace(@Nullable String name) {
        return name == null
                ? null
                : switch (unqualified(name)) {
                    case "public" -> PgCatalog.PUBLIC;
                    case "pg_catalog" -> PgCatalog.PG_CATALOG;
                    case "information_schema" -> PgCatalog.INFORMATION;
                    default -> throw new LazyBaseException(Code.NOT_FOUND, "There is no schema " + name + ".");
                };
    }

    public static @Nullable String pg_regnamespace_name(@Nullable Integer oid) {
        return oid == null
                ? null
                : switch (oid) {
                    case PgCatalog.PUBLIC -> "public";
                    case PgCatalog.PG_CATALOG -> "pg_catalog";
                    case PgCatalog.INFORMATION -> "information_schema";
                    default -> Integer.toString(oid);
                };
    }

    public static @Nullable String pg_regproc(@Nullable String name) {
        return name == null ? null : unqualified(name);
    }

    public static @Nullable String quote_ident(@Nullable String name) {
        if (name == null) {
            return null;
        }
        return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    public static @Nullable String quote_literal(@Nullable String text) {
        return text == null ? null : "'" + text.replace("'", "''") + "'";
    }

    // Visibility and rights.

    public static boolean pg_table_is_visible(@Nullable Integer oid) {
        return oid != null && oid >= PgCatalog.FIRST_TABLE;
    }

    public static boolean pg_type_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_function_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_operator_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_collation_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_conversion_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_opclass_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_opfamily_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_statistics_obj_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_ts_config_is_visible(@Nullable Integer oid) {
        return true;
    }

    public static boolean pg_relation_is_publishable(@Nullable Object relation) {
        return false;
    }

    public static boolean has_database_privilege(@Nullable Object database, @Nullable String privilege) {
        return true;
    }

    public static boolean has_schema_privilege(@Nullable Object schema, @Nullable String privilege) {
        return true;
    }

    public static boolean has_schema_privilege(@Nullable Object user, @Nullable Object schema, String privilege) {
        return true;
    }

    public static boolean has_table_privilege(@Nullable Object table, @Nullable String privilege) {
        return true;
    }

    public static boolean has_table_privilege(@Nullable Object user, @Nullable Object table, String privilege) {
        return true;
    }

    public static boolean has_any_column_privilege(@Nullable Object table, @Nullable String privilege) {
        return true;
    }

    public static boolean has_column_privilege(@Nullable Object table, @Nullable Object column, String privilege) {
        return true;
    }

    // Sizes.

    private static long bytes(@Nullable Object relation, boolean table, boolean indexes) {
        Integer oid = relation instanceof Number number ? (Integer) number.intValue() : to_regclass((String) relation);
        Surroundings mine = SURROUNDINGS.get();
        if (mine == null || oid == null) {
            return 0;
        }
        long sum = 0;
        for (Table each : mine.state.catalog().tables()) {
            for (View view : each.views()) {
                boolean primary = view.id() == each.primary().id();
                boolean asTable = PgCatalog.oid(each.id()) == oid && (primary ? table : indexes);
                if (asTable || (PgCatalog.oid(view.id()) == oid && !primary)) {
                    sum += mine.state.partsOf(view.id()).stream()
                            .mapToLong(part -> part.bytes())
                            .sum();
                }
            }
            if (PgCatalog.oid(each.id()) == oid && table) {
                for (var flight : mine.state.flights()) {
                    var run = flight.runs().get(each.id());
                    sum += run == null ? 0 : run.bytes();
                }
            }
        }
        return sum;
    }

    public static long pg_relation_size(@Nullable Object relation) {
        return bytes(relation, true, false);
    }

    public static long pg_table_size(@Nullable Object relation) {
        return bytes(relation, true, false);
    }

    public static long pg_indexes_size(@Nullable Object relation) {
        return bytes(relation, false, true);
    }

    public static long pg_total_relation_size(@Nullable Object relation) {
        return bytes(relation, true, true);
    }

    public static long pg_database_size(@Nullable Object database) {
        long sum = 0;
        for (Table table : catalog().tables()) {
            sum += bytes(PgCatalog.oid(table.id()), true, true);
        }
        return sum;
    }

    public static @Nullable String pg_size_pretty(@Nullable Long bytes) {
        if (bytes == null) {
            return null;
        }
        double size = bytes;
        String[] units = {"bytes", "kB", "MB", "GB", "TB"};
        int unit = 0;
        while (size >= 10 * 1024 && unit < units.length - 1) {
            size /= 1024;
            unit++;
        }
        return Math.round(size) + " " + units[unit];
    }

    // Definitions.

    private static String columns(Table table, View view) {
        var names = new ArrayList<String>();
        view.key().forEach(id -> names.add(quote_ident(table.columnOf(id).name())));
        return "(" + String.join(", ", names) + ")";
    }

    static String definition(Table table, View view) {
        boolean primary = view.id() == table.primary().id();
        return "CREATE " + (primary ? "UNIQUE " : "") + "INDEX " + quote_ident(PgCatalog.nameOf(table, view))
                + " ON public." + quote_ident(table.name()) + " USING btree " + columns(table, view);
    }

    public static @Nullable String pg_get_indexdef(@Nullable Integer oid) {
        return pg_get_indexdef(oid, 0, false);
    }

    public static @Nullable String pg_get_indexdef(
            @Nullable Integer oid, @Nullable Integer column, @Nullable Object pretty) {
        for (Table table : catalog().tables()) {
            for (View view : table.views()) {
                if (oid == null || PgCatalog.oid(view.id()) != oid) {
                    continue;
                }
                if (column == null || column == 0) {
                    return definition(table, view);
                }
                return column > view.key().size()
                        ? null
                        : quote_ident(table.columnOf(view.key().get(column - 1)).name());
            }
        }
        return null;
    }

    public static @Nullable String pg_get_constraintdef(@Nullable Integer oid) {
        for (Table table : catalog().tables()) {
            if (oid != null && PgCatalog.oid(table.primary().id()) + 1_000_000 == oid) {
                return "PRIMARY KEY " + columns(table, table.primary());
            }
            for (Reference reference : table.references()) {
                Table keys = catalog().table(reference.table());
                if (oid != null && keys != null && PgCatalog.referenceOid(table, reference) == oid) {
                    return "FOREIGN KEY ("
                            + quote_ident(table.columnOf(reference.column()).name()) + ") REFERENCES "
                            + quote_ident(keys.name()) + "("
                            + quote_ident(keys.columnOf(keys.identity()).name()) + ")";
                }
            }
        }
        return null;
    }

    public static @Nullable String pg_get_constraintdef(@Nullable Integer oid, @Nullable Object pretty) {
        return pg_get_constraintdef(oid);
    }

    // There is nothing of which these could tell anything: no defaults, descriptions, functions, triggers, rules,
    // sequences.

    public static @Nullable String pg_get_expr(@Nullable String expression, @Nullable Integer relation) {
        return null;
    }

    public static @Nullable String pg_get_expr(
            @Nullable String expression, @Nullable Integer relation, @Nullable Boolean pretty) {
        return null;
    }

    public static @Nullable String obj_description(@Nullable Object oid) {
        return null;
    }

    public static @Nullable String obj_description(@Nullable Object oid, @Nullable String catalog) {
        return null;
    }

    public static @Nullable String shobj_description(@Nullable Object oid, @Nullable String catalog) {
        return null;
    }

    public static @Nullable String col_description(@Nullable Object oid, @Nullable Integer column) {
        return null;
    }

    public static @Nullable String pg_get_function_result(@Nullable Integer oid) {
        return null;
    }

    public static @Nullable String pg_get_function_arguments(@Nullable Integer oid) {
        return null;
    }

    public static @Nullable String pg_get_function_identity_arguments(@Nullable Integer oid) {
        return null;
    }

    public static @Nullable String pg_get_function_sqlbody(@Nullable Integer oid) {
        return null;
    }

    public static @Nullable String pg_get_functiondef(@Nullable Integer oid) {
        return null;
    }

    public static @Nullable String pg_get_viewdef(@Nullable Object oid) {
        return null;
    }

    public static @Nullable String pg_get_viewdef(@Nullable Object oid, @Nullable Boolean pretty) {
        return null;
    }

    public static @Nullable String pg_get_ruledef(@Nullable Object oid) {
        return null;
    }

    public static @Nullable String pg_get_triggerdef(@Nullable Object oid) {
        return null;
    }

    public static @Nullable String pg_get_partkeydef(@Nullable Object oid) {
        return null;
    }

    public static @Nullable String pg_get_statisticsobjdef_columns(@Nullable Object oid) {
        return null;
    }

    public static @Nullable String pg_get_serial_sequence(@Nullable String table, @Nullable String column) {
        return null;
    }

    public static @Nullable String pg_tablespace_location(@Nullable Integer oid) {
        return "";
    }

    // Arrays.

    static List<String> elements(String array) {
        String text = array.strip();
        boolean braces = text.startsWith("{") && text.endsWith("}");
        String inner = braces ? text.substring(1, text.length() - 1) : text;
        if (inner.isBlank()) {
            return List.of();
        }
        var elements = new ArrayList<String>();
        for (String element : inner.split(braces ? "," : " ", -1)) {
            String plain = element.strip();
            elements.add(
                    plain.length() > 1 && plain.startsWith("\"") && plain.endsWith("\"")
                            ? plain.substring(1, plain.length() - 1)
                            : plain);
        }
        return elements;
    }

    private static List<String> elementsOf(@Nullable Object array) {
        if (array instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return array == null ? List.of() : elements(array.toString());
    }

    public static @Nullable String array_to_string(@Nullable Object array, @Nullable String separator) {
        return array == null || separator == null ? null : String.join(separator, elementsOf(array));
    }

    public static @Nullable Integer array_upper(@Nullable String array, @Nullable Integer dimension) {
        int size = elementsOf(array).size();
        return array == null || size == 0 ? null : (Integer) (array.startsWith("{") ? size : size - 1);
    }

    public static @Nullable Integer array_length(@Nullable String array, @Nullable Integer dimension) {
        int size = elementsOf(array).size();
        return array == null || size == 0 || dimension == null || dimension != 1 ? null : (Integer) size;
    }

    public static @Nullable Integer array_lower(@Nullable String array, @Nullable Integer dimension) {
        Integer size = array_length(array, dimension);
        return size == null || array == null ? null : (Integer) (array.startsWith("{") ? 1 : 0);
    }

    /** The parts of a qualified name. */
    public static @Nullable String parse_ident(@Nullable String name) {
        if (name == null) {
            return null;
        }
        var parts = new ArrayList<String>();
        for (Lexer.Token token : Lexer.tokens(name)) {
            if (token.kind() == Lexer.Kind.WORD) {
                parts.add(token.text().toLowerCase(Locale.ROOT));
            } else if (token.kind() == Lexer.Kind.QUOTED) {
                parts.add('"' + token.text().replace("\\", "\\\\").replace("\"", "\\\"") + '"');
            }
        }
        return "{" + String.join(",", parts) + "}";
    }

    /** {@code array[place]}. */
    public static @Nullable String pg_element(@Nullable String array, @Nullable Integer place) {
        if (array == null || place == null) {
            return null;
        }
        return pg_item(array, array.startsWith("{") ? place : (Integer) (place + 1));
    }

    /** {@code array[place]} where elements are numbers. */
    public static @Nullable Integer pg_number(@Nullable String array, @Nullable Integer place) {
        String element = pg_element(array, place);
        return element == null ? null : Integer.valueOf(element);
    }

    /** The element of an array that stands at a place, from 1. */
    public static @Nullable String pg_item(@Nullable String array, @Nullable Integer place) {
        List<String> elements = elementsOf(array);
        return place == null || place < 1 || place > elements.size() ? null : elements.get(place - 1);
    }

    /** What {@code generate_subscripts} gives for the element at a place, from 1. */
    public static @Nullable Integer pg_subscript(@Nullable String array, @Nullable Integer place) {
        return array == null || place == null ? null : (Integer) (array.startsWith("{") ? place : place - 1);
    }

    /** {@code value = ANY (array)}. */
    public static @Nullable Boolean pg_any(@Nullable Object value, @Nullable Object array) {
        return value == null || array == null
                ? null
                : (Boolean) elementsOf(array).contains(value.toString());
    }

    // Sets.

    public static ScannableTable generate_series(@Nullable Integer from, @Nullable Integer to) {
        return new Series(from, to, 1);
    }

    public static ScannableTable generate_series(@Nullable Integer from, @Nullable Integer to, @Nullable Integer step) {
        return new Series(from, to, step == null ? 1 : step);
    }

    private static final class Series extends AbstractTable implements ScannableTable {

        private final long from;
        private final long to;
        private final int step;

        Series(@Nullable Integer from, @Nullable Integer to, int step) {
            this.from = from == null ? 1 : from;
            this.to = from == null || to == null ? this.from - step : to;
            this.step = step;
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory factory) {
            return factory.builder().add("generate_series", SqlTypeName.INTEGER).build();
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            if (step == 0) {
                throw new LazyBaseException(Code.BAD_VALUE, "The step of generate_series is 0.");
            }
            long count = Math.max(0, (to - from) / step + 1);
            return Linq4j.asEnumerable(() -> java.util.stream.LongStream.range(0, count)
                    .mapToObj(i -> new @Nullable Object[] {(int) (from + i * step)})
                    .iterator());
        }
    }

    public static ScannableTable pg_get_keywords() {
        return new Keywords();
    }

    private static final class Keywords extends AbstractTable implements ScannableTable {

        @Override
        public RelDataType getRowType(RelDataTypeFactory factory) {
            RelDataType text = factory.createSqlType(SqlTypeName.VARCHAR);
            return factory.builder()
                    .add("word", text)
                    .add("catcode", text)
                    .add("catdesc", text)
                    .build();
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            var rows = new ArrayList<@Nullable Object[]>();
            for (String word : QueryPlanner.reservedWords()) {
                rows.add(new @Nullable Object[] {word.toLowerCase(Locale.ROOT), "R", "reserved"});
            }
            return Linq4j.asEnumerable(rows);
        }
    }
}

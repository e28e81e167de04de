package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.sql.Engine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.flight.sql.SqlInfoBuilder;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;

/** What tools ask before they write SQL: tables, columns, keys, what the server can do. Thread-safe. */
final class CatalogueAnswers {

    static final String SCHEMA = "public";
    private static final String TABLE = "TABLE";
    private static final String ARROW = "18.3.0";

    private final Engine engine;
    private final BufferAllocator allocator;
    private final SqlInfoBuilder info = new SqlInfoBuilder()
            .withFlightSqlServerName("LazyBase")
            .withFlightSqlServerVersion("0.1")
            .withFlightSqlServerArrowVersion(ARROW)
            .withFlightSqlServerReadOnly(false)
            .withFlightSqlServerSql(true)
            .withFlightSqlServerSubstrait(false)
            .withFlightSqlServerTransaction(FlightSql.SqlSupportedTransaction.SQL_SUPPORTED_TRANSACTION_NONE)
            .withFlightSqlServerBulkIngestion(true)
            .withFlightSqlServerBulkIngestionTransaction(false)
            .withSqlIdentifierQuoteChar("\"")
            .withSqlDdlTable(true)
            .withSqlDdlSchema(false)
            .withSqlDdlCatalog(false);

    CatalogueAnswers(Engine engine, BufferAllocator allocator) {
        this.engine = engine;
        this.allocator = allocator;
    }

    void sqlInfo(FlightSql.CommandGetSqlInfo command, ServerStreamListener listener) {
        info.send(command.getInfoList(), listener);
    }

    void catalogs(ServerStreamListener listener) {
        send(Schemas.GET_CATALOGS_SCHEMA, listener, List.of(new Object[][] {{SqlProducer.DATABASE}}));
    }

    void schemas(FlightSql.CommandGetDbSchemas command, ServerStreamListener listener) {
        var rows = new ArrayList<Object[]>();
        if (isOurs(command.hasCatalog(), command.getCatalog())
                && like(command.hasDbSchemaFilterPattern(), command.getDbSchemaFilterPattern(), SCHEMA)) {
            rows.add(new Object[] {SqlProducer.DATABASE, SCHEMA});
        }
        send(Schemas.GET_SCHEMAS_SCHEMA, listener, rows);
    }

    void tables(FlightSql.CommandGetTables command, ServerStreamListener listener) {
        var rows = new ArrayList<Object[]>();
        boolean wanted = isOurs(command.hasCatalog(), command.getCatalog())
                && like(command.hasDbSchemaFilterPattern(), command.getDbSchemaFilterPattern(), SCHEMA)
                && (command.getTableTypesCount() == 0
                        || command.getTableTypesList().contains(TABLE));
        for (Table table : wanted ? tables() : List.<Table>of()) {
            if (like(command.hasTableNameFilterPattern(), command.getTableNameFilterPattern(), table.name())) {
                Object[] row = {
                    SqlProducer.DATABASE,
                    SCHEMA,
                    table.name(),
                    TABLE,
                    command.getIncludeSchema()
                            ? ArrowRows.schema(table.columns()).serializeAsMessage()
                            : ""
                };
                rows.add(row);
            }
        }
        send(
                command.getIncludeSchema() ? Schemas.GET_TABLES_SCHEMA : Schemas.GET_TABLES_SCHEMA_NO_SCHEMA,
                listener,
                rows);
    }

    private List<Table> tables() {
        return engine.pipeline().catalog().tables().stream()
                .sorted(Comparator.comparing(Table::name))
                .toList();
    }

    void tableTypes(ServerStreamListener listener) {
        send(Schemas.GET_TABLE_TYPES_SCHEMA, listener, List.of(new Object[][] {{TABLE}}));
    }

    void primaryKeys(FlightSql.CommandGetPrimaryKeys command, ServerStreamListener listener) {
        var rows = new ArrayList<Object[]>();
        Table table = engine.pipeline().catalog().table(command.getTable());
        if (table != null
                && isOurs(command.hasCatalog(), command.getCatalog())
                && (!command.hasDbSchema() || command.getDbSchema().equals(SCHEMA))) {
            for (int id : table.primary().key()) {
                rows.add(new Object[] {
                    SqlProducer.DATABASE,
                    SCHEMA,
                    table.name(),
                    table.columnOf(id).name(),
                    rows.size() + 1,
                    table.name() + "_pkey"
                });
            }
        }
        send(Schemas.GET_PRIMARY_KEYS_SCHEMA, listener, rows);
    }

    void none(Schema schema, ServerStreamListener listener) {
        send(schema, listener, List.of());
    }

    private static boolean isOurs(boolean given, String catalog) {
        return !given || catalog.equals(SqlProducer.DATABASE);
    }

    /** Whether a name is as a pattern of LIKE. */
    private static boolean like(boolean given, String pattern, String name) {
        if (!given) {
            return true;
        }
        var regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                i++;
                regex.append(Pattern.quote(pattern.substring(i, i + 1)));
            } else {
                regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(Character.toString(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(name).matches();
    }

    private void send(Schema schema, ServerStreamListener listener, List<Object[]> rows) {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
            listener.start(root);
            root.allocateNew();
            for (int r = 0; r < rows.size(); r++) {
                for (int c = 0; c < schema.getFields().size(); c++) {
                    write(root.getVector(c), r, rows.get(r)[c]);
                }
            }
            root.setRowCount(rows.size());
            listener.putNext();
            listener.completed();
        }
    }

    private static void write(FieldVector vector, int row, Object value) {
        if (vector instanceof VarCharVector texts && value instanceof String text) {
            texts.setSafe(row, new Text(text));
        } else if (vector instanceof VarBinaryVector binaries && value instanceof byte[] bytes) {
            binaries.setSafe(row, bytes);
        } else if (vector instanceof IntVector numbers && value instanceof Integer number) {
            numbers.setSafe(row, number);
        } else {
            throw new IllegalStateException("no way to write " + value + " into " + vector.getField());
        }
    }
}

package io.leeway.privoxy.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/**
 * Holds what a {@link ColumnType} claims about {@code =} against what the database says: stores values in a column,
 * compares each with each in the database, and compares what is read.
 */
final class EqualityCheck {

    private final Dialect dialect;
    private final Connection connection;
    private int tables;

    EqualityCheck(Dialect dialect, Connection connection) {
        this.dialect = dialect;
        this.connection = connection;
    }

    /** The type that the schema reader tells for a declaration. */
    ColumnType typeOf(String declaration) throws SQLException {
        return column(table(declaration)).type();
    }

    /**
     * The type is exact, and the database agrees on all pairs: equal if and only if they are the same when read.
     *
     * @param literals SQL expressions; at least two of them differ, or the test would say nothing
     */
    ColumnType exact(String declaration, String... literals) throws SQLException {
        String table = filled(declaration, literals);
        ColumnType type = column(table).type();
        assertThat(type.equality()).as(declaration).isEmpty();
        List<Pair> pairs = pairs(table, type);
        for (Pair pair : pairs) {
            assertThat(pair.equalInDatabase)
                    .as("%s: %s = %s", declaration, pair.left, pair.right)
                    .isEqualTo(pair.left.equals(pair.right));
        }
        assertThat(pairs).as(declaration).anyMatch(pair -> !pair.equalInDatabase);
        return type;
    }

    /**
     * The type is not exact, and for a reason: two values that are read differently are equal to the database, or a
     * stored value equals one of the {@code literals} from which it differs when read. Identical values are always equal.
     */
    ColumnType inexact(String declaration, String... literals) throws SQLException {
        String table = filled(declaration, literals);
        ColumnType type = column(table).type();
        assertThat(type.equality()).as(declaration).isNotEmpty();
        List<Pair> pairs = pairs(table, type);
        for (Pair pair : pairs) {
            if (pair.left.equals(pair.right)) {
                assertThat(pair.equalInDatabase)
                        .as("%s: %s = itself", declaration, pair.left)
                        .isTrue();
            }
        }
        boolean coarser = pairs.stream().anyMatch(pair -> pair.equalInDatabase && !pair.left.equals(pair.right));
        assertThat(coarser || equalsAnotherLiteral(table, literals))
                .as("%s is coarser than identity", declaration)
                .isTrue();
        return type;
    }

    private boolean equalsAnotherLiteral(String table, String... literals) throws SQLException {
        for (String literal : literals) {
            String sql = "SELECT v FROM " + table + " WHERE v = " + literal;
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                while (row.next()) {
                    if (!("'" + row.getString(1) + "'").equals(literal)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private String table(String declaration) throws SQLException {
        String table = "equality_" + ++tables;
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY, v " + declaration + ")");
        }
        return table;
    }

    private String filled(String declaration, String... literals) throws SQLException {
        String table = table(declaration);
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < literals.length; i++) {
                statement.execute("INSERT INTO " + table + " VALUES (" + i + ", " + literals[i] + ")");
            }
        }
        return table;
    }

    private Column column(String table) throws SQLException {
        String folded = dialect == Dialect.H2 ? table.toUpperCase(Locale.ROOT) : table;
        LiveSchema schema = LiveSchema.open(dialect, connection, System::nanoTime);
        TableSource source = schema.through(ConnectionSource.of(connection));
        Relation relation = Objects.requireNonNull(source.find(List.of(folded), source.searchPath()));
        return relation.table().columns().get(1);
    }

    private List<Pair> pairs(String table, ColumnType type) throws SQLException {
        String sql = "SELECT a.v, b.v, CASE WHEN a.v = b.v THEN 1 ELSE 0 END FROM " + table + " a CROSS JOIN " + table
                + " b ORDER BY a.id, b.id";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            var pairs = new ArrayList<Pair>();
            while (row.next()) {
                pairs.add(new Pair(read(row, 1, type), read(row, 2, type), row.getInt(3) == 1));
            }
            return pairs;
        }
    }

    /** What a reader of the row sees, in full. */
    private static Object read(ResultSet row, int column, ColumnType type) throws SQLException {
        if (!type.hasExactEquality()) {
            return row.getString(column);
        }
        return switch (type.kind()) {
            case NUMBER -> Value.of(row.getBigDecimal(column));
            case BOOLEAN -> Value.of(row.getBoolean(column));
            case TEXT -> Value.of(row.getString(column));
            case UUID -> Value.of(ValueKind.UUID, row.getObject(column, UUID.class));
            case DATE -> Value.of(ValueKind.DATE, row.getObject(column, LocalDate.class));
            case TIME -> Value.of(ValueKind.TIME, row.getObject(column, LocalTime.class));
            case TIMESTAMP -> Value.of(ValueKind.TIMESTAMP, row.getObject(column, LocalDateTime.class));
            case INSTANT ->
                Value.of(
                        ValueKind.INSTANT,
                        row.getObject(column, OffsetDateTime.class).toInstant());
            case BYTES -> Value.of(ValueKind.BYTES, HexFormat.of().formatHex(row.getBytes(column)));
            case NULL, OPAQUE -> throw new AssertionError("an exact type has a kind: " + type);
        };
    }

    private record Pair(Object left, Object right, boolean equalInDatabase) {}
}

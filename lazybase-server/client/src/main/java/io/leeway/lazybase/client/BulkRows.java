package io.leeway.lazybase.client;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Updates of one kind of one table; {@link BulkClient} makes it. For the thread of its client.
 *
 * @since 0.1
 */
public final class BulkRows {

    private static final int SEND_BYTES = 1 << 20;
    private static final byte[] NULL = {'\\', 'N'};

    private final BulkClient client;
    private final String table;
    private final List<String> columns;
    private final String action;
    private final List<String> added;
    private byte[] buffer = new byte[4096];
    private int length;
    private long rows;

    BulkRows(BulkClient client, String table, List<String> columns, String action, List<String> added) {
        this.client = client;
        this.table = table;
        this.columns = List.copyOf(columns);
        this.action = action;
        this.added = List.copyOf(added);
    }

    /**
     * One row.
     *
     * @param values in the order of the columns: null, numbers, booleans, texts, byte arrays, or whatever writes itself as the server reads it,
     *     such as {@code java.time}'s and UUIDs
     * @return this
     * @throws SQLException if rows before were refused
     * @throws IllegalArgumentException if there are more or fewer values than columns were named
     */
    public BulkRows row(@Nullable Object... values) throws SQLException {
        if (!columns.isEmpty() && values.length != columns.size()) {
            throw new IllegalArgumentException(
                    values.length + " values for " + columns.size() + " columns of " + table);
        }
        client.fill(this);
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                put((byte) '\t');
            }
            value(values[i]);
        }
        put((byte) '\n');
        rows++;
        if (length >= SEND_BYTES) {
            flush();
        }
        return this;
    }

    /** Number of rows so far. */
    public long rows() {
        return rows;
    }

    private void value(@Nullable Object value) {
        if (value == null) {
            put(NULL, 0, NULL.length);
        } else if (value instanceof byte[] bytes) {
            plain("\\\\x" + HexFormat.of().formatHex(bytes));
        } else if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            plain(value.toString());
        } else if (value instanceof BigDecimal decimal) {
            plain(decimal.toPlainString());
        } else {
            escaped(value.toString());
        }
    }

    private void plain(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        put(bytes, 0, bytes.length);
    }

    /** COPY's text: what divides rows and fields, and the backslash, come with a backslash. */
    private void escaped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int begin = 0;
        for (int i = 0; i < bytes.length; i++) {
            char sign = escape(bytes[i]);
            if (sign != 0) {
                put(bytes, begin, i - begin);
                put((byte) '\\');
                put((byte) sign);
                begin = i + 1;
            }
        }
        put(bytes, begin, bytes.length - begin);
    }

    private static char escape(byte b) {
        return switch (b) {
            case '\\' -> '\\';
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\r' -> 'r';
            default -> 0;
        };
    }

    private void put(byte b) {
        room(1);
        buffer[length++] = b;
    }

    private void put(byte[] bytes, int from, int count) {
        room(count);
        System.arraycopy(bytes, from, buffer, length, count);
        length += count;
    }

    private void room(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(length + more, 2 * buffer.length));
        }
    }

    /** Sends what waits. */
    void flush() throws SQLException {
        if (length == 0) {
            return;
        }
        int count = length;
        length = 0;
        CopyIn copy =
                client.connection().unwrap(PGConnection.class).getCopyAPI().copyIn(sql());
        try {
            copy.writeToCopy(buffer, 0, count);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    void forget() {
        length = 0;
    }

    private String sql() {
        var sql = new StringBuilder("COPY ").append(BulkClient.quoted(table));
        if (!columns.isEmpty()) {
            sql.append(" (").append(names(columns)).append(')');
        }
        sql.append(" FROM STDIN WITH (FORMAT text, ACTION ").append(action);
        if (!added.isEmpty()) {
            sql.append(", ADD (").append(names(added)).append(')');
        }
        return sql.append(')').toString();
    }

    private static String names(List<String> names) {
        return String.join(", ", names.stream().map(BulkClient::quoted).toList());
    }
}

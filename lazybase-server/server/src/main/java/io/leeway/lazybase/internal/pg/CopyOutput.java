package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.sql.BinaryValues;
import io.leeway.lazybase.internal.sql.Statement.CopyFormat;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in one of COPY's formats. Stateless but for its settings. */
record CopyOutput(List<Column> columns, CopyFormat format) {

    byte[] header() {
        if (format.kind() == CopyFormat.Kind.BINARY) {
            byte[] header = new byte[19];
            byte[] signature = "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(signature, 0, header, 0, signature.length);
            return header;
        }
        if (!format.header()) {
            return new byte[0];
        }
        var line = new StringBuilder();
        for (Column column : columns) {
            line.append(line.isEmpty() ? "" : format.delimiter());
            line.append(format.kind() == CopyFormat.Kind.CSV ? csv(column.name()) : escaped(column.name()));
        }
        return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    byte[] trailer() {
        return format.kind() == CopyFormat.Kind.BINARY ? new byte[] {-1, -1} : new byte[0];
    }

    byte[] row(@Nullable Object[] values) {
        return format.kind() == CopyFormat.Kind.BINARY ? binary(values) : text(values);
    }

    private byte[] text(@Nullable Object[] values) {
        var line = new StringBuilder();
        for (int c = 0; c < columns.size(); c++) {
            if (c > 0) {
                line.append(format.delimiter());
            }
            Object value = values[c];
            if (value == null) {
                line.append(format.nullText());
            } else {
                String text = PgText.of(columns.get(c).type(), value);
                line.append(format.kind() == CopyFormat.Kind.CSV ? csv(text) : escaped(text));
            }
        }
        return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private String csv(String text) {
        char quote = format.quote();
        boolean needed = text.equals(format.nullText())
                || text.indexOf(format.delimiter()) >= 0
                || text.indexOf(quote) >= 0
                || text.indexOf('\n') >= 0
                || text.indexOf('\r') >= 0
                || text.equals("\\.");
        String doubled = text.replace(String.valueOf(quote), String.valueOf(quote) + quote);
        return needed ? quote + doubled + quote : text;
    }

    private String escaped(String text) {
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c == format.delimiter()) {
                        out.append('\\');
                    }
                    out.append(c);
                }
            }
        }
        return out.toString();
    }

    private byte[] binary(@Nullable Object[] values) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(2).putShort((short) columns.size()).array());
        for (int c = 0; c < columns.size(); c++) {
            Object value = values[c];
            byte[] bytes = value == null
                    ? new byte[0]
                    : BinaryValues.encode(columns.get(c).type(), value);
            out.writeBytes(ByteBuffer.allocate(4)
                    .putInt(value == null ? -1 : bytes.length)
                    .array());
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }
}

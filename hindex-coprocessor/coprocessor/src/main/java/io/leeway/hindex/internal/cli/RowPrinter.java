package io.leeway.hindex.internal.cli;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexedRow;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints rows that a query found, one a line. */
final class RowPrinter {

    private final PrintStream out;
    private final Format format;
    private final boolean showsTime;
    private final List<ColumnName> indexed;
    private final List<ColumnName> fetched;

    /** How rows are printed. */
    enum Format {
        TEXT,
        TSV,
        JSON
    }

    /** For rows of an index with other columns beside. */
    RowPrinter(PrintStream out, Format format, boolean showsTime, IndexDefinition index, List<ColumnName> fetched) {
        this.out = out;
        this.format = format;
        this.showsTime = showsTime;
        this.indexed = index.columns().stream().map(column -> column.name()).toList();
        this.fetched = List.copyOf(fetched);
    }

    /** A column with what it holds; null if it holds nothing. */
    private record Field(String name, @Nullable Object value) {}

    /** Before all rows. */
    void begin() {
        if (format == Format.TSV) {
            var names = new ArrayList<String>();
            names.add("row");
            if (showsTime) {
                names.add("timestamp");
            }
            indexed.forEach(column -> names.add(column.toString()));
            fetched.forEach(column -> names.add(column.toString()));
            out.println(String.join("\t", names));
        }
    }

    /** Another row. */
    void print(IndexedRow row) {
        List<Field> fields = fields(row);
        String key = ValueText.ofBytes(row.row());
        out.println(
                switch (format) {
                    case TEXT -> text(key, row.timestamp(), fields);
                    case TSV -> tsv(key, row.timestamp(), fields);
                    case JSON -> json(key, row.timestamp(), fields);
                });
    }

    private List<Field> fields(IndexedRow row) {
        var fields = new ArrayList<Field>();
        List<@Nullable Object> values = row.values();
        for (int i = 0; i < indexed.size(); i++) {
            fields.add(new Field(indexed.get(i).toString(), values.get(i)));
        }
        for (ColumnName column : fetched) {
            fields.add(new Field(column.toString(), row.result().getValue(column.family(), column.qualifier())));
        }
        return fields;
    }

    private String text(String key, long timestamp, List<Field> fields) {
        var line = new StringBuilder(key);
        if (showsTime) {
            line.append(" @").append(timestamp);
        }
        String separator = ": ";
        for (Field field : fields) {
            if (field.value != null) {
                line.append(separator).append(field.name).append('=').append(ValueText.line(field.value));
                separator = ", ";
            }
        }
        return line.toString();
    }

    private String tsv(String key, long timestamp, List<Field> fields) {
        var line = new ArrayList<String>();
        line.add(key);
        if (showsTime) {
            line.add(Long.toString(timestamp));
        }
        fields.forEach(field -> line.add(field.value == null ? "" : ValueText.line(field.value)));
        return String.join("\t", line);
    }

    private String json(String key, long timestamp, List<Field> fields) {
        var line = new StringBuilder("{\"row\":");
        string(line, key);
        if (showsTime) {
            line.append(",\"timestamp\":").append(timestamp);
        }
        line.append(",\"columns\":{");
        String separator = "";
        for (Field field : fields) {
            line.append(separator);
            string(line, field.name);
            line.append(':');
            value(line, field.value);
            separator = ",";
        }
        return line.append("}}").toString();
    }

    private static void value(StringBuilder line, @Nullable Object value) {
        if (value == null || value instanceof Boolean || isFinite(value)) {
            line.append(value);
        } else {
            string(line, ValueText.of(value));
        }
    }

    /** JSON has no other numbers. */
    private static boolean isFinite(Object value) {
        return value instanceof Number number && Double.isFinite(number.doubleValue());
    }

    private static void string(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }
}

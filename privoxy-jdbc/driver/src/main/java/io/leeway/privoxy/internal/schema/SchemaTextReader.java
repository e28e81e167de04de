package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link SchemaText} writes. Not thread-safe.
 *
 * <p>Strict: a word that is not known may say that something does not hold.
 */
public final class SchemaTextReader {

    private final List<TableLines> tables = new ArrayList<>();
    private @Nullable Dialect dialect;
    private List<String> searchPath = List.of();
    private boolean ignoresCaseOfTables;
    private boolean ignoresCaseOfColumns;
    private int lineNumber;

    private SchemaTextReader() {}

    /**
     * The schema that a text describes.
     *
     * @throws IllegalArgumentException if it is no such text, with the line
     */
    public static SchemaSnapshot read(String text) {
        var reader = new SchemaTextReader();
        text.lines().forEach(reader::line);
        return reader.build();
    }

    private void line(String text) {
        lineNumber++;
        Deque<String> words = words(text);
        if (words.isEmpty()) {
            return;
        }
        String statement = words.remove();
        switch (statement) {
            case SchemaText.HEADER -> expect(next(words).equals(SchemaText.FORMAT), "an unknown format");
            case "dialect" -> dialect = constant(Dialect.class, next(words));
            case "search-path" -> searchPath = takeAll(words);
            case "table-names" -> ignoresCaseOfTables = next(words).equals("ignore-case");
            case "column-names" -> ignoresCaseOfColumns = next(words).equals("ignore-case");
            case "table" -> tables.add(new TableLines(next(words), constant(Relation.Kind.class, next(words))));
            case "column" -> column(table(), words);
            case "key" -> table().keys.add(new KeyLine(next(words), list(words), words.remove("nulls-distinct")));
            case "foreign-key" -> foreignKey(table(), words);
            case "definition" -> table().definition = new Relation.Definition(next(words), takeAll(words));
            case "note" -> table().notes.add(next(words));
            default -> throw problem("\"" + statement + "\" is not known here");
        }
        expect(words.isEmpty(), "more words than expected");
    }

    private void column(TableLines table, Deque<String> words) {
        String name = next(words);
        ValueKind kind = constant(ValueKind.class, next(words));
        String sqlName = next(words);
        boolean whole = false;
        boolean nullable = true;
        boolean hidden = false;
        String equality = "";
        while (!words.isEmpty()) {
            String word = words.remove();
            switch (word) {
                case "whole" -> whole = true;
                case "not-null" -> nullable = false;
                case "hidden" -> hidden = true;
                case "equality" -> equality = next(words);
                default -> throw problem("\"" + word + "\" does not describe a column");
            }
        }
        // The number of visible columns is all that is kept of it.
        expect(hidden || table.visible == table.columns.size(), "hidden columns come last");
        table.columns.add(new Column(name, new ColumnType(kind, equality, whole, sqlName), nullable));
        table.visible += hidden ? 0 : 1;
    }

    /** Resolved at the end, as it may refer to a table further down. */
    private void foreignKey(TableLines table, Deque<String> words) {
        String name = next(words);
        List<String> columns = list(words);
        expect(next(words).equals("references"), "\"references\" is missing");
        String target = next(words);
        List<String> targets = list(words);
        boolean isPrimary = !words.isEmpty();
        expect(!isPrimary || next(words).equals("primary"), "behind a foreign key stands \"primary\", or nothing");
        table.foreignKeys.add(new ForeignKeyLine(name, columns, target, targets, isPrimary, lineNumber));
    }

    private SchemaSnapshot build() {
        if (dialect == null) {
            throw problem("the dialect is missing");
        }
        var byName = new HashMap<String, TableLines>();
        // By name, as references may lead to a table further down.
        tables.forEach(table -> byName.put(table.name, table));
        var relations = new ArrayList<Relation>();
        for (TableLines table : tables) {
            relations.add(relation(table, byName));
        }
        return new SchemaSnapshot(dialect, searchPath, ignoresCaseOfTables, ignoresCaseOfColumns, relations);
    }

    private Relation relation(TableLines lines, Map<String, TableLines> byName) {
        var keys = new ArrayList<Key>();
        for (KeyLine key : lines.keys) {
            keys.add(new Key(key.name, positions(lines, key.columns), key.nullsDistinct));
        }
        var foreignKeys = new ArrayList<ForeignKey>();
        for (ForeignKeyLine key : lines.foreignKeys) {
            lineNumber = key.line;
            List<Integer> targets = positions(byName.get(key.target), key.targetColumns);
            foreignKeys.add(new ForeignKey(key.name, positions(lines, key.columns), key.target, targets, key.primary));
        }
        var table = new Table(lines.name, lines.columns, keys, foreignKeys);
        return new Relation(table, lines.kind, lines.visible, lines.definition, lines.notes);
    }

    private List<Integer> positions(@Nullable TableLines table, List<String> names) {
        return names.stream().map(name -> position(table, name)).toList();
    }

    private int position(@Nullable TableLines table, String name) {
        if (table == null) {
            expect(name.startsWith("#"), "columns of unknown tables are numbers, as #1");
            return number(name.substring(1)) - 1;
        }
        for (int i = 0; i < table.columns.size(); i++) {
            if (table.columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw problem(table.name + " has no column " + name);
    }

    private int number(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw problem("\"" + digits + "\" is not a number");
        }
    }

    private TableLines table() {
        expect(!tables.isEmpty(), "a table must come first");
        return tables.get(tables.size() - 1);
    }

    private List<String> list(Deque<String> words) {
        expect(next(words).equals("("), "a list in parentheses is missing");
        var list = new ArrayList<String>();
        for (String word = next(words); !word.equals(")"); word = next(words)) {
            list.add(word);
        }
        return list;
    }

    private static List<String> takeAll(Deque<String> words) {
        var all = List.copyOf(words);
        words.clear();
        return all;
    }

    private String next(Deque<String> words) {
        expect(!words.isEmpty(), "the line ends too early");
        return words.remove();
    }

    private <E extends Enum<E>> E constant(Class<E> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> problem("\"" + name + "\" is not one of " + Arrays.toString(type.getEnumConstants())));
    }

    private Deque<String> words(String line) {
        var words = new ArrayDeque<String>();
        int i = 0;
        while (i < line.length()) {
            char c = line.charAt(i);
            if (c == ' ' || c == '\t') {
                i++;
                // A number behind it is a column of an unknown table, anything else a comment.
            } else if (c == '#' && (i + 1 == line.length() || !Character.isDigit(line.charAt(i + 1)))) {
                break;
            } else if (c == '"') {
                i = quoted(line, i + 1, words);
            } else {
                int end = i;
                while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
                    end++;
                }
                words.add(line.substring(i, end));
                i = end;
            }
        }
        return words;
    }

    private int quoted(String line, int start, Deque<String> words) {
        var word = new StringBuilder();
        int i = start;
        while (i < line.length() && line.charAt(i) != '"') {
            char c = line.charAt(i++);
            if (c == '\\' && i < line.length()) {
                char escaped = line.charAt(i++);
                c = escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
            }
            word.append(c);
        }
        expect(i < line.length(), "a quote is not closed");
        words.add(word.toString());
        return i + 1;
    }

    private void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw problem(otherwise);
        }
    }

    /** With the line, since the text may have been edited by hand. */
    private IllegalArgumentException problem(String text) {
        return new IllegalArgumentException("schema text, line " + lineNumber + ": " + text);
    }

    /** Lines as they were read; positions are known when all tables are. */
    private static final class TableLines {
        final String name;
        final Relation.Kind kind;
        final List<Column> columns = new ArrayList<>();
        final List<KeyLine> keys = new ArrayList<>();
        final List<ForeignKeyLine> foreignKeys = new ArrayList<>();
        final List<String> notes = new ArrayList<>();
        Relation.@Nullable Definition definition;
        int visible;

        TableLines(String name, Relation.Kind kind) {
            this.name = name;
            this.kind = kind;
        }
    }

    private record KeyLine(String name, List<String> columns, boolean nullsDistinct) {}

    private record ForeignKeyLine(
            String name, List<String> columns, String target, List<String> targetColumns, boolean primary, int line) {}
}

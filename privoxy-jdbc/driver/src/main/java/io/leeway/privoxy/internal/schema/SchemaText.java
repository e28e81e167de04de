package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A schema as text, so that policies can be checked where there is no database. One statement a line, words separated
 * by spaces, {@code #} begins a comment:
 *
 * <pre>{@code
 * privoxy-schema 1
 * dialect POSTGRESQL
 * search-path public
 * table public.people TABLE
 *   column id NUMBER bigint whole not-null
 *   column email TEXT citext equality citext
 *   key people_pkey ( id )
 *   key people_email_key ( email ) nulls-distinct
 *   foreign-key people_pod_fk ( pod_id ) references public.pods ( id )
 * }</pre>
 *
 * Names that are not plain words are in double quotes with backslash escapes. Columns of a table that is not in the
 * text are numbered from 1, as {@code #1}.
 *
 * <p>A form of our own and not SQL: a dump says what was declared, this says what is believed (equalities, keys that
 * hold, notes on what was left out).
 */
public final class SchemaText {

    static final String HEADER = "privoxy-schema";
    static final String FORMAT = "1";

    private SchemaText() {}

    /**
     * The text of a schema; {@link SchemaTextReader} reads it back.
     *
     * <p>Tables by name and keys in their order, so that two texts of one schema can be compared line by line.
     */
    public static String write(SchemaSnapshot schema) {
        var out = new StringBuilder();
        line(out, "", HEADER, FORMAT);
        line(out, "", "dialect", schema.dialect().name());
        line(out, "", "search-path", words(schema.searchPath()));
        if (schema.ignoresCaseOfTables()) {
            line(out, "", "table-names", "ignore-case");
        }
        if (schema.ignoresCaseOfColumns()) {
            line(out, "", "column-names", "ignore-case");
        }
        out.append(tables(schema.relations()));
        return out.toString();
    }

    /** SHA-256 of what the tables' text says, notes left out: they do not change any decision. */
    public static String fingerprint(Collection<Relation> relations) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<Relation> bare =
                    relations.stream().map(SchemaText::withoutNotes).toList();
            return HexFormat.of().formatHex(digest.digest(tables(bare).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static Relation withoutNotes(Relation relation) {
        return new Relation(
                relation.table(), relation.kind(), relation.visibleColumns(), relation.definition(), List.of());
    }

    private static String tables(Collection<Relation> relations) {
        var sorted = new TreeMap<String, Relation>();
        relations.forEach(relation -> sorted.put(relation.table().name(), relation));
        var out = new StringBuilder();
        sorted.values().forEach(relation -> table(out, relation, sorted));
        return out.toString();
    }

    private static void table(StringBuilder out, Relation relation, Map<String, Relation> all) {
        Table table = relation.table();
        line(out, "", "table", word(table.name()), relation.kind().name());
        for (int i = 0; i < table.arity(); i++) {
            column(out, table.columns().get(i), i >= relation.visibleColumns());
        }
        for (Key key : table.keys()) {
            String columns = columns(table, key.columns());
            line(out, "  ", "key", word(key.name()), columns, key.nullsDistinct() ? "nulls-distinct" : "");
        }
        for (ForeignKey key : sorted(table.foreignKeys())) {
            Relation target = all.get(key.target());
            String targets =
                    // A foreign key may lead to a table that nobody asked for, whose columns have no names here.
                    target == null ? numbers(key.targetColumns()) : columns(target.table(), key.targetColumns());
            String columns = columns(table, key.columns());
            line(
                    out,
                    "  ",
                    "foreign-key",
                    word(key.name()),
                    columns,
                    "references",
                    word(key.target()),
                    targets + (key.primary() ? " primary" : ""));
        }
        Relation.Definition definition = relation.definition();
        if (definition != null) {
            line(out, "  ", "definition", word(definition.sql()), words(definition.searchPath()));
        }
        for (String note : relation.notes()) {
            line(out, "  ", "note", word(note));
        }
    }

    private static void column(StringBuilder out, Column column, boolean hidden) {
        String equality = column.type().equality();
        line(
                out,
                "  ",
                "column",
                word(column.name()),
                column.type().kind().name(),
                word(column.type().sqlName()),
                column.type().whole() ? "whole" : "",
                equality.isEmpty() ? "" : "equality " + word(equality),
                column.nullable() ? "" : "not-null",
                hidden ? "hidden" : "");
    }

    private static List<ForeignKey> sorted(List<ForeignKey> keys) {
        return keys.stream().sorted(Comparator.comparing(ForeignKey::name)).toList();
    }

    private static String columns(Table table, List<Integer> positions) {
        return positions.stream()
                .map(position -> word(table.columns().get(position).name()))
                .collect(Collectors.joining(" ", "( ", " )"));
    }

    private static String numbers(List<Integer> positions) {
        return positions.stream().map(position -> "#" + (position + 1)).collect(Collectors.joining(" ", "( ", " )"));
    }

    private static String words(List<String> texts) {
        return texts.stream().map(SchemaText::word).collect(Collectors.joining(" "));
    }

    private static void line(StringBuilder out, String indent, String... parts) {
        out.append(indent);
        String separator = "";
        for (String part : parts) {
            if (!part.isEmpty()) {
                out.append(separator).append(part);
                separator = " ";
            }
        }
        out.append('\n');
    }

    /** A name as one word. */
    static String word(String text) {
        boolean plain = !text.isEmpty() && text.chars().allMatch(SchemaText::isPlain);
        if (plain) {
            return text;
        }
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                // Lines are the form's own, so a name with a line break must not make one.
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static boolean isPlain(int c) {
        return (c < 128 && Character.isLetterOrDigit(c)) || c == '_' || c == '.' || c == '$' || c == '-' || c == ':';
    }
}

package io.leeway.hindex.internal.config;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.IllegalDefinitionException;
import io.leeway.hindex.IndexColumn;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexMode;
import io.leeway.hindex.IndexState;
import io.leeway.hindex.internal.console.DidYouMean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A definition as one line of text: {@code columns=d:city:utf8; covers=d:name; versions=1; mode=deferred}. The order of
 * the fields is free; what is left out has its default.
 *
 * <p>That line is an attribute of the table, which people write and read in HBase's shell: so everything that is wrong
 * is said at once, and where.
 */
public final class DefinitionText {

    private static final List<String> KEYS =
            List.of("columns", "covers", "versions", "mode", "salt", "strict", "state");

    /** A text attribute of a table is small; what is longer is none of ours. */
    private static final int MAX_LENGTH = 16_384;

    private final IndexDefinition.Builder builder;
    private final List<String> problems = new ArrayList<>();
    /** A field that is given twice would mean the one or the other. */
    private final Set<String> seen = new HashSet<>();

    private DefinitionText(String name) {
        this.builder = IndexDefinition.builder(name);
    }

    /**
     * Reads the text.
     *
     * @throws IllegalDefinitionException with everything that is wrong, each with its place
     */
    public static IndexDefinition parse(String name, String text) {
        var reader = new DefinitionText(name);
        if (text.length() > MAX_LENGTH) {
            throw new IllegalDefinitionException(
                    name, List.of("the text has " + text.length() + " characters; give at most " + MAX_LENGTH));
        }
        Parts.of(text, ';').forEach(reader::field);
        // Columns that could not be read are not to be reported as missing.
        boolean readable = reader.problems.isEmpty();
        reader.builder.problems().stream()
                .filter(problem -> readable || !problem.startsWith("0 columns"))
                .forEach(reader.problems::add);
        if (!reader.problems.isEmpty()) {
            throw new IllegalDefinitionException(name, reader.problems);
        }
        return reader.builder.build();
    }

    /**
     * The text of a definition: all that is not the default, in the order of the documentation.
     *
     * <p>What is read again gives the same; two definitions are compared by this.
     */
    public static String write(IndexDefinition definition) {
        var fields = new ArrayList<String>();
        fields.add("columns=" + joined(definition.columns()));
        if (!definition.covered().isEmpty()) {
            fields.add("covers=" + joined(definition.covered()));
        }
        fields.add("versions=" + definition.versions());
        fields.add("mode=" + word(definition.mode()));
        if (definition.salt() > 0) {
            fields.add("salt=" + definition.salt());
        }
        if (definition.isStrict()) {
            fields.add("strict=true");
        }
        fields.add("state=" + word(definition.state()));
        return String.join("; ", fields);
    }

    /** After a problem the next field is read all the same, so that all are told. */
    private void field(Parts.Part part) {
        int equals = part.text().indexOf('=');
        if (equals < 0) {
            problem(part, "'" + part.text() + "' is no field; write key=value, fields separated by ;");
            return;
        }
        String key = part.text().substring(0, equals).strip();
        if (!KEYS.contains(key)) {
            problem(
                    part,
                    "unknown field '" + key + "'" + DidYouMean.hint(key, KEYS) + " Known are "
                            + String.join(", ", KEYS));
            return;
        }
        if (!seen.add(key)) {
            problem(part, key + " is given twice; keep one");
            return;
        }
        value(key, part, part.from(equals + 1));
    }

    private void value(String key, Parts.Part field, Parts.Part value) {
        switch (key) {
            case "columns" -> each(value, part -> builder.column(IndexColumn.parse(part)));
            case "covers" -> each(value, part -> builder.cover(ColumnName.parse(part)));
            case "versions" -> number(field, value, builder::versions);
            case "salt" -> number(field, value, builder::salt);
            case "mode" -> choice(field, value, IndexMode.values(), builder::mode);
            case "state" -> choice(field, value, IndexState.values(), builder::state);
            default -> choice(field, value, new Boolean[] {false, true}, builder::strict);
        }
    }

    private void each(Parts.Part list, Consumer<String> reader) {
        for (Parts.Part part : Parts.of(list, ',')) {
            try {
                reader.accept(part.text());
            } catch (IllegalArgumentException e) {
                problem(part, String.valueOf(e.getMessage()));
            }
        }
    }

    private void number(Parts.Part field, Parts.Part value, Consumer<Integer> reader) {
        if (!value.text().matches("[0-9]{1,9}")) {
            problem(field, "'" + value.text() + "' is no whole number; write for instance 1");
            return;
        }
        reader.accept(Integer.valueOf(value.text()));
    }

    private <T> void choice(Parts.Part field, Parts.Part value, T[] choices, Consumer<T> reader) {
        var words = new ArrayList<String>();
        for (T choice : choices) {
            if (word(choice).equals(value.text().toLowerCase(Locale.ROOT))) {
                reader.accept(choice);
                return;
            }
            words.add(word(choice));
        }
        problem(field, "'" + value.text() + "' is not allowed; write " + String.join(", ", words));
    }

    private void problem(Parts.Part part, String text) {
        problems.add("at character " + (part.at() + 1) + ": " + text);
    }

    private static String word(Object choice) {
        return choice.toString().toLowerCase(Locale.ROOT);
    }

    private static String joined(List<?> parts) {
        return String.join(", ", parts.stream().map(Object::toString).toList());
    }
}

package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.SchemaText;
import io.leeway.privoxy.internal.schema.TableSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the schema of a live database as text. */
final class SchemaCommand implements Command {

    private static final Usage USAGE = new Usage(
            "schema",
            "write the tables of a live database as text, for commands that work without it",
            "[TABLE...]",
            List.of("""
                    Tables are named as table or schema.table; without any, all tables on the search path are written.
                    The text has names, types, keys and foreign keys, no data.
                    """.strip()),
            withOutput());

    private static List<Usage.Option> withOutput() {
        var options = new ArrayList<Usage.Option>();
        options.add(new Usage.Option("output", "FILE", "instead of standard output"));
        options.addAll(Workspace.SCHEMA_OPTIONS);
        return options;
    }

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        try (Workspace workspace = Workspace.open(arguments, console)) {
            read(arguments.operands(), workspace.tables());
            String text = SchemaText.write(workspace.snapshot());
            String file = arguments.get("output");
            if (file == null) {
                console.out().print(text);
            } else {
                TextFiles.write(file, text);
            }
            return FINE;
        }
    }

    private static void read(List<String> named, TableSource tables) throws CommandException {
        List<String> path = tables.searchPath();
        if (named.isEmpty()) {
            List<List<String>> all =
                    tables.names(path).stream().map(SchemaCommand::parts).toList();
            if (all.isEmpty()) {
                throw new CommandException("there is no table on the search path " + String.join(", ", path));
            }
            tables.prefetch(all, path);
            return;
        }
        var missing = new ArrayList<String>();
        for (String name : named) {
            if (find(parts(name), tables, path) == null) {
                missing.add(name);
            }
        }
        if (!missing.isEmpty()) {
            throw new CommandException("there is no table " + String.join(", ", missing) + " (looked in "
                    + String.join(", ", path) + "; name others as schema.table)");
        }
    }

    /** As written, or as databases fold names that are not quoted. */
    private static @Nullable Relation find(List<String> name, TableSource tables, List<String> path) {
        Relation exact = tables.find(name, path);
        Relation lower = exact != null ? exact : tables.find(mapped(name, false), path);
        return lower != null ? lower : tables.find(mapped(name, true), path);
    }

    private static List<String> mapped(List<String> name, boolean upper) {
        return name.stream()
                .map(part -> upper ? part.toUpperCase(Locale.ROOT) : part.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The parts of a name; those with a dot are in double quotes. */
    static List<String> parts(String name) {
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isPair = quoted && c == '"' && i + 1 < name.length() && name.charAt(i + 1) == '"';
            if (isPair) {
                part.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }
}

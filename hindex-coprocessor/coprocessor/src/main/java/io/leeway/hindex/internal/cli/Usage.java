package io.leeway.hindex.internal.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * How a command is called.
 *
 * @param name of the command
 * @param summary one line
 * @param operands what stands behind the options, as {@code RECORDING...}; empty if nothing may
 * @param description paragraphs
 * @param options besides {@code --help}
 */
record Usage(String name, String summary, String operands, List<String> description, List<Option> options) {

    private static final int COLUMN = 28;

    Usage {
        description = List.copyOf(description);
        options = List.copyOf(options);
    }

    /**
     * An option.
     *
     * @param name without hyphens
     * @param value name of its value; empty if it has none
     * @param text what it does
     */
    record Option(String name, String value, String text) {

        boolean isFlag() {
            return value.isEmpty();
        }

        private String shown() {
            return "--" + name + (value.isEmpty() ? "" : " " + value);
        }
    }

    /** The whole of it, for {@code --help}. */
    String help() {
        var text = new StringBuilder("hindex " + name + " - " + summary + "\n\n");
        text.append("Usage: hindex ").append(name).append(" [options]");
        text.append(operands.isEmpty() ? "" : " " + operands).append("\n\n");
        description.forEach(paragraph -> text.append(paragraph).append("\n\n"));
        text.append("Options:\n");
        var all = new ArrayList<>(options);
        all.add(new Option("help", "", "show this"));
        for (Option option : all) {
            line(text, option.shown(), option.text());
        }
        return text.toString();
    }

    static void line(StringBuilder text, String left, String right) {
        text.append("  ").append(left);
        if (left.length() + 2 >= COLUMN) {
            text.append('\n').append(" ".repeat(COLUMN));
        } else {
            text.append(" ".repeat(COLUMN - left.length() - 2));
        }
        text.append(right.replace("\n", "\n" + " ".repeat(COLUMN))).append('\n');
    }
}

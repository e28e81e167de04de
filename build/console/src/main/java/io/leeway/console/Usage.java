package io.leeway.console;

import java.util.ArrayList;
import java.util.List;

/**
 * How a command is called.
 *
 * @param program what is typed before the command
 * @param name of the command
 * @param summary one line
 * @param operands what stands behind the options, as {@code RECORDING...}; empty if nothing may
 * @param description paragraphs
 * @param options besides {@code --help}
 */
public record Usage(
        String program, String name, String summary, String operands, List<String> description, List<Option> options) {

    private static final int COLUMN = 28;

    /** Copies. */
    public Usage {
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
    public record Option(String name, String value, String text) {

        /** Whether it has no value. */
        public boolean isFlag() {
            return value.isEmpty();
        }

        private String shown() {
            return "--" + name + (value.isEmpty() ? "" : " " + value);
        }
    }

    /** The whole of it, for {@code --help}. */
    public String help() {
        var text = new StringBuilder(program + " " + name + " - " + summary + "\n\n");
        text.append("Usage: ").append(program).append(' ').append(name).append(" [options]");
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

    /** Adds a line of two columns. */
    public static void line(StringBuilder text, String left, String right) {
        text.append("  ").append(left);
        if (left.length() + 2 >= COLUMN) {
            text.append('\n').append(" ".repeat(COLUMN));
        } else {
            text.append(" ".repeat(COLUMN - left.length() - 2));
        }
        text.append(right.replace("\n", "\n" + " ".repeat(COLUMN))).append('\n');
    }
}

package io.leeway.privoxy.internal.policy;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds the comment directly above a statement.
 *
 * <p>Shown beside a view in refusals and reports: what the view is for, in its author's words, helps who was refused
 * more than its SQL.
 */
final class Descriptions {

    private Descriptions() {}

    /**
     * The comment that ends in the line before the statement, as one paragraph; empty if there is none. A blank line
     * between the two separates a heading from what follows.
     */
    static String above(String text, int statementStart) {
        int lineStart = text.lastIndexOf('\n', statementStart - 1) + 1;
        if (!text.substring(lineStart, statementStart).isBlank()) {
            return "";
        }
        Deque<String> lines = new ArrayDeque<>();
        int end = lineStart - 1;
        while (end >= 0) {
            int start = text.lastIndexOf('\n', end - 1) + 1;
            String line = text.substring(start, end).strip();
            if (line.startsWith("--")) {
                lines.addFirst(line.replaceFirst("^-+", "").strip());
            } else if (line.endsWith("*/") && lines.isEmpty()) {
                return block(text, start + text.substring(start, end).lastIndexOf("*/"));
            } else {
                break;
            }
            end = start - 1;
        }
        return String.join(" ", lines).strip();
    }

    private static String block(String text, int end) {
        // Nested comments are errors already, so the nearest beginning is the right one.
        int start = text.lastIndexOf("/*", end);
        if (start < 0) {
            return "";
        }
        String inner = text.substring(start + 2, end);
        return inner.lines()
                .map(line -> line.strip().replaceFirst("^\\*+", "").strip())
                .filter(line -> !line.isEmpty())
                .reduce((a, b) -> a + ' ' + b)
                .orElse("");
    }
}

package io.leeway.hindex.internal.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a text at separators outside of brackets, and knows where each part stood.
 *
 * <p>Arguments of encodings stand in brackets and may hold separators. Without state.
 */
final class Parts {

    private Parts() {}

    /** The parts of a text, without blanks around them; empty ones are left out. */
    static List<Part> of(String text, char separator) {
        return of(new Part(text, 0), separator);
    }

    static List<Part> of(Part whole, char separator) {
        var parts = new ArrayList<Part>();
        String text = whole.text();
        int start = 0;
        boolean inBrackets = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : separator;
            // A bracket that is never closed ends with the text.
            inBrackets = c == '(' || inBrackets && c != ')' && i < text.length();
            if (c == separator && !inBrackets) {
                Part part = whole.from(start, i);
                if (!part.text().isEmpty()) {
                    parts.add(part);
                }
                start = i + 1;
            }
        }
        return parts;
    }

    /**
     * A part of a text.
     *
     * <p>The place goes along, so that an error can say where in the whole text something stands.
     *
     * @param text what stands there, without blanks around it
     * @param at how many characters stand before it
     */
    record Part(String text, int at) {

        Part from(int start) {
            return from(start, text.length());
        }

        Part from(int start, int end) {
            String raw = text.substring(start, end);
            return new Part(
                    raw.strip(), at + start + raw.length() - raw.stripLeading().length());
        }
    }
}

package io.leeway.privoxy.internal.policy;

import java.util.Objects;

/**
 * The text of one policy file.
 *
 * <p>A byte order mark is taken off, as some editors write one and no reader of SQL expects it.
 *
 * @param name for messages
 */
public record SourceText(String name, String text) {

    public SourceText {
        Objects.requireNonNull(name, "name");
        if (text.startsWith("\uFEFF")) {
            text = text.substring(1);
        }
    }

    /** Line and column of an offset. */
    Position position(int offset) {
        int line = 1;
        int lineStart = 0;
        int end = Math.min(offset, text.length());
        for (int i = 0; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new Position(name, line, end - lineStart + 1);
    }
}

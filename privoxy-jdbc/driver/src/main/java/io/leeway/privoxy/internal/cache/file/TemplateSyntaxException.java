package io.leeway.privoxy.internal.cache.file;

/** A template file that is not in the format, with the place. */
public final class TemplateSyntaxException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    TemplateSyntaxException(int line, int column, String message) {
        super("line " + line + ", column " + column + ": " + message);
        this.line = line;
        this.column = column;
    }

    /** Line of the place, from 1. */
    public int line() {
        return line;
    }

    /** Column of the place, from 1. */
    public int column() {
        return column;
    }
}

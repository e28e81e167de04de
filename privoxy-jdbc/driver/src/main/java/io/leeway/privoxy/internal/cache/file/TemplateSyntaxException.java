package io.leeway.privoxy.internal.cache.file;

/** A template file that is not in the format, with the place. */
public final class TemplateSyntaxException extends Exception {

    private static final long serialVersionUID = 1L;

    TemplateSyntaxException(int line, int column, String message) {
        super("line " + line + ", column " + column + ": " + message);
    }
}

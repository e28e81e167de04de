package io.leeway.privoxy.internal.cache.file;

/**
 * A template that has no text: it holds a value without literal, or a table that is not known any more.
 *
 * <p>Thrown deep in a query and caught for the template as a whole; no stack trace, as it says nothing.
 */
final class UnprintableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnprintableException() {
        super("the template has no text", null, false, false);
    }
}

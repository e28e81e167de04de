package io.leeway.privoxy.internal.cache.file;

/** A template that has no text: it holds a value without literal, or a table that is not known any more. */
final class UnprintableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnprintableException() {
        super("the template has no text", null, false, false);
    }
}

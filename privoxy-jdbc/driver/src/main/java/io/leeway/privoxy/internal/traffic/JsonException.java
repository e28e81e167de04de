package io.leeway.privoxy.internal.traffic;

/**
 * Text that is not the JSON that was expected.
 *
 * <p>Without stack trace: it tells a place in a file, and the file is what is wrong.
 */
public final class JsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public JsonException(String message) {
        super(message, null, false, false);
    }
}

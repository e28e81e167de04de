package io.leeway.privoxy.internal.traffic;

/** Text that is not the JSON that was expected. */
public final class JsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public JsonException(String message) {
        super(message, null, false, false);
    }
}

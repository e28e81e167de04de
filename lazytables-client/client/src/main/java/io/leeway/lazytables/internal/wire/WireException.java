package io.leeway.lazytables.internal.wire;

import org.jspecify.annotations.Nullable;

/** Says what is wrong with bytes that arrived. */
public final class WireException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WireException(@Nullable String message) {
        super(message);
    }

    /** What is wrong. */
    public String reason() {
        String message = getMessage();
        return message == null ? "It cannot be read" : message;
    }
}

package io.leeway.lazytables.internal.wire;

import io.leeway.lazytables.LazyTablesException.Code;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with bytes that arrived. */
public final class WireException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Code code;

    public WireException(@Nullable String message) {
        this(Code.PROTOCOL, message);
    }

    /** One that says no to what is well-formed. */
    public WireException(Code code, @Nullable String message) {
        super(message);
        this.code = code;
    }

    /** What the other side is told. */
    public Code code() {
        return code;
    }

    /** What is wrong. */
    public String reason() {
        String message = getMessage();
        return message == null ? "It cannot be read" : message;
    }
}

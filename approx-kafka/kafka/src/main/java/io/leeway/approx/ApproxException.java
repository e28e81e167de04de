package io.leeway.approx;

import org.jspecify.annotations.Nullable;

/** Something of {@link ApproxError}; the message has its code, what happened, and what to do. */
public final class ApproxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ApproxError error;

    public ApproxException(ApproxError error, String what) {
        this(error, what, null);
    }

    public ApproxException(ApproxError error, String what, @Nullable Throwable cause) {
        super(error.code() + ": " + what + (what.endsWith(".") ? " " : ". ") + error.remedy(), cause);
        this.error = error;
    }

    /** Which one. */
    public ApproxError error() {
        return error;
    }
}

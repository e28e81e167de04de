package io.leeway.lazytables.apps;

/** A run got worse instead of better, beyond what a pass can repair. The message says from where to where, and what to change. */
public final class DivergedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    DivergedException(String message) {
        super(message);
    }

    DivergedException(String message, Throwable cause) {
        super(message, cause);
    }
}

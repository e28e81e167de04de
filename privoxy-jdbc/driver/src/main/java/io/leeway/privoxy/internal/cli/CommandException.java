package io.leeway.privoxy.internal.cli;

/** A command cannot be carried out; the message says why, and what to do, in plain words. */
final class CommandException extends Exception {

    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }

    CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}

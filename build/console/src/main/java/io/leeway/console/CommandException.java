package io.leeway.console;

/** A command cannot be carried out; the message says why, and what to do, in plain words. */
public final class CommandException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What to tell. */
    public CommandException(String message) {
        super(message);
    }

    /** What to tell, and what was behind it. */
    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}

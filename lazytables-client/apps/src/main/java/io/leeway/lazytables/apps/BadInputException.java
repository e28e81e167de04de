package io.leeway.lazytables.apps;

/** What was given to an application cannot be used: an option, a file, a line of it. The message says what to change. */
public final class BadInputException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** With what is wrong and what would be right. */
    public BadInputException(String message) {
        super(message);
    }

    /** With the failure behind it. */
    public BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}

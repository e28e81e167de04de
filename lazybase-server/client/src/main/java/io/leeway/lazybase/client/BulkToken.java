package io.leeway.lazybase.client;

/**
 * A place in the history of a server: everything up to and with a commit. Whoever gives it to a query sees at least that much, on any
 * connection, in any process.
 *
 * @param text as the server writes it, for example {@code 17.4}
 * @since 0.1
 */
public record BulkToken(String text) {

    /**
     * Checks its form.
     *
     * @throws IllegalArgumentException if it is none
     */
    public BulkToken {
        if (!text.matches("[0-9]{1,18}\\.[0-9]{1,10}")) {
            throw new IllegalArgumentException("'" + text + "' is not a token; they look like 17.4");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}

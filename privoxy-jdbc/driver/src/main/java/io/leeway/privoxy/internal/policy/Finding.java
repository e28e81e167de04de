package io.leeway.privoxy.internal.policy;

import java.util.Comparator;

/**
 * Something to say about a policy. It shows policy text and names, never data.
 *
 * <p>All findings of all files are collected before anything is thrown: who corrects a policy wants to see them at
 * once.
 *
 * @param severity whether the policy can be used
 * @param position where
 * @param message what is the matter
 * @param remedy what to do about it
 */
public record Finding(Severity severity, Position position, String message, String remedy) {

    /** In the order of the files; at one place the worst first. */
    public static final Comparator<Finding> BY_POSITION =
            Comparator.comparing(Finding::position).thenComparing(Finding::severity);

    /** How bad it is. */
    public enum Severity {
        /** The policy is refused. */
        ERROR,
        /** It probably does not say what was meant. */
        WARNING,
        /** Good to know. */
        NOTE
    }

    static Finding error(Position position, String message, String remedy) {
        return new Finding(Severity.ERROR, position, message, remedy);
    }

    static Finding warning(Position position, String message, String remedy) {
        return new Finding(Severity.WARNING, position, message, remedy);
    }

    static Finding note(Position position, String message, String remedy) {
        return new Finding(Severity.NOTE, position, message, remedy);
    }

    /** One line: {@code policy.sql:3:14: error: … [remedy]}. */
    @Override
    public String toString() {
        String word = switch (severity) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case NOTE -> "note";
        };
        return position + ": " + word + ": " + message + (remedy.isEmpty() ? "" : " [" + remedy + "]");
    }
}

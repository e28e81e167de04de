package io.leeway.demo;

/**
 * Something that was asked for, and the answer.
 *
 * @param who who asked
 * @param what what was asked for, such as a query
 * @param isAllowed the answer
 * @param why the reason
 */
public record Decision(String who, String what, boolean isAllowed, String why) {

    /** The answer as a word. */
    String verdict() {
        return isAllowed ? "allowed" : "refused";
    }
}

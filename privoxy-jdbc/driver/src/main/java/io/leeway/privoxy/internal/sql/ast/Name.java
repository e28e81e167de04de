package io.leeway.privoxy.internal.sql.ast;

/**
 * One identifier.
 *
 * @param text the name as the database resolves it: folded to the database's case unless quoted, quotes removed
 * @param raw the name before folding, quotes removed
 * @param quoted whether it was quoted
 */
public record Name(String text, String raw, boolean quoted, int position) implements Node {

    /** A name that stands in the text as the database resolves it. */
    public static Name of(String text, int position) {
        return new Name(text, text, true, position);
    }

    @Override
    public String toString() {
        return text;
    }
}

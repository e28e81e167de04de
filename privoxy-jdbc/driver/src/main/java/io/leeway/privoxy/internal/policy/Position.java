package io.leeway.privoxy.internal.policy;

/**
 * A place in a policy file.
 *
 * <p>Only for people and their editors; nothing is decided by it.
 *
 * @param file as it was named, or found in a directory
 * @param line from 1
 * @param column from 1
 */
public record Position(String file, int line, int column) implements Comparable<Position> {

    @Override
    public int compareTo(Position other) {
        int byFile = file.compareTo(other.file);
        int byLine = byFile != 0 ? byFile : Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }

    /** As editors and terminals understand it: {@code policy.sql:12:3}. */
    @Override
    public String toString() {
        return file + ':' + line + ':' + column;
    }
}

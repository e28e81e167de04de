package io.leeway.lazybase;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the history of all commits: everything up to and with a group of commits of an SCU (self-consistent update). A query that is
 * given it sees at least that much.
 *
 * @param scu number of the SCU, from 1; 0 is before all
 * @param groups number of groups of commits of it that are included
 * @since 0.1
 */
public record CommitToken(long scu, int groups) implements Comparable<CommitToken> {

    /** Before all commits. */
    public static final CommitToken NONE = new CommitToken(0, 0);

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,9})");

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if it is not that
     */
    public static CommitToken parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a token; they look like 17.4");
        }
        return new CommitToken(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** The later of two. */
    public CommitToken max(CommitToken other) {
        return compareTo(other) >= 0 ? this : other;
    }

    @Override
    public int compareTo(CommitToken other) {
        int result = Long.compare(scu, other.scu);
        return result != 0 ? result : Integer.compare(groups, other.groups);
    }

    @Override
    public String toString() {
        return scu + "." + groups;
    }
}

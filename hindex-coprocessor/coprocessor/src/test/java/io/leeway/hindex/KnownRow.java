package io.leeway.hindex;

import java.util.HashSet;
import java.util.Set;

/**
 * What a row holds in its two columns, as far as the only client that writes it can know. A write that failed may have
 * happened, or may yet happen: then a column may hold either. Where writes may be lost though they were acknowledged, a row may
 * hold anything. Thread-safe.
 */
final class KnownRow {

    /** Of a column that holds nothing. */
    static final String NONE = "";

    /** Of a column that a write leaves as it is. */
    static final String UNTOUCHED = "(untouched)";

    private final Column word = new Column();
    private final Column other = new Column();
    private final boolean mayLoseWrites;
    private long changes;
    private boolean changing;

    KnownRow() {
        this(false);
    }

    KnownRow(boolean mayLoseWrites) {
        this.mayLoseWrites = mayLoseWrites;
    }

    /** What a row holds, or what a write makes of it. */
    record Content(String word, String other) {

        static final Content EMPTY = new Content(NONE, NONE);
    }

    private static final class Column {

        private String value = NONE;
        private final Set<String> possible = new HashSet<>();
        private final Set<String> possibleForLong = new HashSet<>();

        void unknown(String newValue) {
            if (!newValue.equals(UNTOUCHED)) {
                possible.add(newValue);
            }
        }

        void acknowledged(String newValue) {
            if (!newValue.equals(UNTOUCHED)) {
                value = newValue;
            }
        }

        boolean isCertain() {
            return possible.isEmpty() && possibleForLong.isEmpty();
        }

        boolean allows(String found) {
            return found.equals(value) || possible.contains(found) || possibleForLong.contains(found);
        }

        void settle(String found) {
            value = found;
            possibleForLong.clear();
            possibleForLong.addAll(possible);
            possible.clear();
        }

        @Override
        public String toString() {
            return "'" + value + "'" + (isCertain() ? "" : " or " + possible + possibleForLong);
        }
    }

    synchronized void begin() {
        changing = true;
        changes++;
    }

    synchronized void acknowledged(Content write) {
        word.acknowledged(write.word);
        other.acknowledged(write.other);
        changing = false;
    }

    synchronized void unknown(Content write) {
        word.unknown(write.word);
        other.unknown(write.other);
        changing = false;
    }

    /**
     * Takes note of what the row holds while nobody writes.
     *
     * @return whether that may be
     */
    synchronized boolean settle(Content found) {
        boolean allowed = word.allows(found.word) && other.allows(found.other);
        // A write that was lost before the last time has ended since, with the server that had it or by its time limit.
        word.settle(found.word);
        other.settle(found.other);
        return allowed || mayLoseWrites;
    }

    /** A number that changes with the row; negative while nobody can say what it holds. */
    synchronized long certainty() {
        return mayLoseWrites || changing || !word.isCertain() || !other.isCertain() ? -1 : changes;
    }

    synchronized Content content() {
        return new Content(word.value, other.value);
    }

    @Override
    public synchronized String toString() {
        return word + " and " + other;
    }
}

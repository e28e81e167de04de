package io.leeway.lazytables.internal.row;

import java.util.Arrays;

/**
 * The columns of a sparse row, numbered in the order in which they came; found by open addressing. Of columns that were
 * taken as a list, what finds them is made when one is looked for: most such lists are only gone through; the list may
 * be another one's, which goes on adding to it. A few of a small row's are found by going through them: two words say
 * which of them are there, so that one which is not, as most are that are added, costs no search.
 */
public final class ColumnIndex {

    /*
     * Three forms, for three uses. A row's: buckets that are always there, since each update looks for its column. A
     * list's: no buckets until somebody looks for one, as a log that came in a message, or is handed over, is gone
     * through from front to back. A few of a small row's: no buckets at all; two words of bits say what is there, and
     * the rest is a search from behind.
     *
     * Arrays of columns are shared where a log has its cells beside a row (lent by the row, borrowed by the log).
     * Whoever would write into a shared one in another way takes a copy first: the one who lent it before it is cleared
     * or takes other columns, the borrower before it adds one. Entries that both have stay where they are in either,
     * since columns are only added behind.
     *
     * Not for several threads at once; find() makes buckets, so also reading is a change.
     */

    /** Columns below this can be kept as a few of a small row's. */
    static final int SMALL = 2 * Long.SIZE;

    /** 2<sup>32</sup> divided by the golden ratio, see {@link #hash}. */
    private static final int MIX = 0x9E3779B9;

    /** How many columns have entries of which each, plus one, goes into a byte. */
    private static final int NARROW = 1 << Byte.SIZE;

    private static final byte[] NO_BYTES = {};
    private static final int[] NO_INTS = {};

    /**
     * Entries plus one; 0 is free. Which column one has is seen among the columns: less memory than with them here, and
     * so found sooner. It is what is looked at first, so the less there is of it, the more often a cache has it: bytes
     * while there is room for fewer than {@link #NARROW} columns, else numbers. One of both is empty; both are, where
     * nothing was looked for yet.
     */
    private byte[] narrow = NO_BYTES;

    private int[] wide = NO_INTS;
    private int[] columns;
    /** How many columns there are; behind them the array may have others' or none. */
    private int size;
    /** Whether another one has the columns, too, so that they stay where they are. */
    private boolean lent;
    /** Whether the columns are another one's, which may add some behind those that this one has. */
    private boolean borrowed;

    /** Of a few columns of a small row: whether each is there. */
    private final boolean few;

    /** Bits of columns 0 to 63; the next word has those from 64 on. */
    private long below64;

    private long from64;

    ColumnIndex(int capacity) {
        columns = new int[Math.max(4, capacity)];
        few = false;
        newBuckets(columns.length);
    }

    private ColumnIndex(int[] columns, int size, boolean few) {
        this.columns = columns;
        this.size = size;
        this.few = few;
    }

    /** Of these columns, in their order. Columns must be different; nothing looks whether they are. */
    static ColumnIndex ofList(int[] columns) {
        return new ColumnIndex(columns, columns.length, false);
    }

    /** Of the columns that another one has now, in their order. */
    static ColumnIndex ofThose(ColumnIndex other) {
        var index = new ColumnIndex(other.columns, 0, false);
        index.follow(other);
        return index;
    }

    /** Takes the columns that the other one, whose first ones it has, has now; nothing was looked for or added here. */
    void follow(ColumnIndex other) {
        // Without copying: what this has found so far stays right, since the other one only added behind.
        columns = other.columns;
        size = other.size;
        borrowed = true;
        other.lent = true;
    }

    /** Of a few columns, each below {@link #SMALL}, none of which is there yet. */
    static ColumnIndex ofFew(int capacity) {
        return new ColumnIndex(new int[capacity], 0, true);
    }

    int size() {
        return size;
    }

    int columnAt(int entry) {
        return columns[entry];
    }

    /** Whether this is the column's entry; anything may be asked. */
    boolean isAt(int entry, int column) {
        return entry < size && columns[entry] == column;
    }

    /** The entry of the column, or -1. */
    int find(int column) {
        if (few) {
            return isThere(column) ? search(column) : -1;
        }
        return Math.max(-1, seek(column));
    }

    /** The entry of the column, which is new if the size grew. */
    int add(int column) {
        if (few) {
            return isThere(column) ? search(column) : append(column);
        }
        int at = seek(column);
        if (at >= 0) {
            return at;
        }
        // What is borrowed has its next place in the lender, which may have filled it by now.
        if (size == columns.length || borrowed) {
            enlarge();
            at = seek(column);
        }
        columns[size] = column;
        size++;
        fill(~at, size);
        return size - 1;
    }

    /** The entry of the column or, if it has none, the complement of the free bucket for it. */
    private int seek(int column) {
        byte[] bytes = narrow;
        if (bytes.length == 0) {
            return seekWide(column);
        }
        int mask = bytes.length - 1;
        int bucket = hash(column) & mask;
        int held;
        // Ends, as at least half of the buckets are free.
        while ((held = bytes[bucket] & NARROW - 1) != 0) {
            if (columns[held - 1] == column) {
                return held - 1;
            }
            bucket = bucket + 1 & mask;
        }
        return ~bucket;
    }

    /**
     * The same in numbers. Where there are no buckets at all they are made now: somebody looks for a column for the
     * first time.
     */
    private int seekWide(int column) {
        if (wide.length == 0) {
            makeBuckets();
            return seek(column);
        }
        int[] numbers = wide;
        int mask = numbers.length - 1;
        int bucket = hash(column) & mask;
        int held;
        while ((held = numbers[bucket]) != 0) {
            if (columns[held - 1] == column) {
                return held - 1;
            }
            bucket = bucket + 1 & mask;
        }
        return ~bucket;
    }

    /** A bucket for a column that is known not to be there. */
    private int freeBucket(int column) {
        int mask = Math.max(narrow.length, wide.length) - 1;
        int bucket = hash(column) & mask;
        while ((narrow.length > 0 ? narrow[bucket] : wide[bucket]) != 0) {
            bucket = bucket + 1 & mask;
        }
        return bucket;
    }

    /** An entry plus one is in the bucket's type: narrow only as long as {@link #NARROW} holds. */
    private void fill(int bucket, int entryPlusOne) {
        if (narrow.length > 0) {
            narrow[bucket] = (byte) entryPlusOne;
        } else {
            wide[bucket] = entryPlusOne;
        }
    }

    /**
     * Adds columns of another one, from one of its entries on, and writes their entries here. Who updates the same
     * columns again and again does so in the same order, so each is looked for behind the one before it first.
     */
    void addAll(ColumnIndex other, int from, int count, int[] entries) {
        int next = from;
        for (int i = 0; i < count; i++) {
            int column = other.columns[from + i];
            int entry = next < size && columns[next] == column ? next : add(column);
            entries[i] = entry;
            next = entry + 1;
        }
    }

    /** The columns by entry, and perhaps more behind; to be read. */
    int[] columns() {
        return columns;
    }

    /** Writes the columns of some entries. */
    void columnsAt(int[] entries, int count, int[] found) {
        for (int i = 0; i < count; i++) {
            found[i] = columns[entries[i]];
        }
    }

    void clear() {
        // Who has borrowed it still reads there.
        if (lent) {
            columns = new int[columns.length];
            lent = false;
        }
        Arrays.fill(narrow, (byte) 0);
        Arrays.fill(wide, 0);
        size = 0;
        below64 = 0;
        from64 = 0;
    }

    /** Takes the columns of another one, of a row as this is. */
    void copyFrom(ColumnIndex other) {
        if (Arrays.equals(columns, 0, size, other.columns, 0, other.size)) {
            // As mostly: a row that was copied before has other values now.
            return;
        }
        if (lent || columns.length != other.columns.length) {
            columns = new int[other.columns.length];
            lent = false;
        }
        // With the buckets, as their numbers are the same where the columns are: copying them is one pass, making them
        // anew a search for each.
        if (narrow.length != other.narrow.length || wide.length != other.wide.length) {
            narrow = other.narrow.clone();
            wide = other.wide.clone();
        } else {
            System.arraycopy(other.narrow, 0, narrow, 0, narrow.length);
            System.arraycopy(other.wide, 0, wide, 0, wide.length);
        }
        System.arraycopy(other.columns, 0, columns, 0, other.size);
        size = other.size;
    }

    private boolean isThere(int column) {
        // A shift takes its distance modulo 64.
        return ((column < Long.SIZE ? below64 : from64) >>> column & 1) != 0;
    }

    /** From the newest: what was updated last is the likeliest to be updated again. */
    private int search(int column) {
        int entry = size - 1;
        while (columns[entry] != column) {
            entry--;
        }
        return entry;
    }

    /** A new one of a few: no bucket to fill, only its bit. */
    private int append(int column) {
        if (size == columns.length) {
            columns = Arrays.copyOf(columns, size * 2);
        }
        if (column < Long.SIZE) {
            below64 |= 1L << column;
        } else {
            from64 |= 1L << column;
        }
        columns[size] = column;
        return size++;
    }

    /** With an array of its own from then on, whoever it was shared with: that one goes on with the old. */
    private void enlarge() {
        columns = Arrays.copyOf(columns, Math.max(4, columns.length * 2));
        lent = false;
        borrowed = false;
        makeBuckets();
    }

    /** From the columns alone, which are known to differ. */
    private void makeBuckets() {
        newBuckets(Math.max(4, columns.length));
        for (int i = 0; i < size; i++) {
            fill(freeBucket(columns[i]), i + 1);
        }
    }

    /**
     * Free ones, for so many columns: at least twice as many or, of bytes, which take little, four times, so that most
     * columns are found where they are looked for first.
     */
    private void newBuckets(int entries) {
        int twice = Integer.highestOneBit(entries * 2 - 1) * 2;
        narrow = entries < NARROW ? new byte[2 * twice] : NO_BYTES;
        wide = entries < NARROW ? NO_INTS : new int[twice];
    }

    /**
     * Columns are mostly a run of small numbers, which a mask alone would crowd: multiplied by an odd number near the
     * golden ratio, neighbours fall far apart; the shift brings upper bits, which have mixed best, to where the mask
     * looks.
     */
    private static int hash(int column) {
        int mixed = column * MIX;
        return mixed ^ mixed >>> 15;
    }
}

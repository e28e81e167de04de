package io.leeway.hindex.internal.encode;

import io.leeway.hindex.IndexColumn;
import io.leeway.hindex.IndexDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an index table: {@code [salt] key(first) marker key(second) ... base row}.
 *
 * <p>The first column's key stands bare, as a row without it has no entry. Each later one follows a marker: 1 if it is
 * absent, 2 if it is there, both turned round where the order is descending, so that absent sorts before all values or,
 * descending, after them. All parts delimit themselves; what follows them is the base row as it is. The salt is one
 * byte, taken from the first column's key: an exact condition on it stays in one part of the table.
 *
 * <p>A malformed first cell has no entry; a malformed later one counts as absent. A key beyond the store's limit counts
 * as malformed. Immutable and thread-safe.
 */
public final class IndexKeys {

    /** The longest row of the store. */
    public static final int MAX_ROW = Short.MAX_VALUE;

    /** Markers. Stored; neither is the other turned round, so that each can be told in both orders. */
    static final int ABSENT = 1;

    static final int PRESENT = 2;

    private final List<ColumnCodec> codecs;
    private final int salt;
    /** Kept, since every write asks. At most one column may have several values, see the definition. */
    private final boolean multiValued;

    /** For codecs in the order of the key, and so many parts, or 0. */
    public IndexKeys(List<ColumnCodec> codecs, int salt) {
        this.codecs = List.copyOf(codecs);
        this.salt = salt;
        this.multiValued = codecs.stream().anyMatch(ColumnCodec::isMultiValued);
    }

    /** The keys of an index. */
    public static IndexKeys of(IndexDefinition definition) {
        return new IndexKeys(definition.columns().stream().map(IndexKeys::codec).toList(), definition.salt());
    }

    /** The codec of an indexed column. */
    public static ColumnCodec codec(IndexColumn column) {
        return ColumnCodec.parse(column.encoding().toString());
    }

    /** The codecs in the order of the key. */
    public List<ColumnCodec> codecs() {
        return codecs;
    }

    /** Into how many parts the keys are spread; 0 if they are not. */
    public int salt() {
        return salt;
    }

    /** Whether a row may have several entries. */
    public boolean isMultiValued() {
        return multiValued;
    }

    /**
     * Adds the index rows of a base row.
     *
     * <p>Writes, compactions and checks of reads all ask here what entries a row must have. So they agree, whatever is
     * decided.
     *
     * @return malformed if any cell is, whether or not there are rows; absent if there is no row and nothing is wrong
     */
    public Outcome rows(CellValues values, byte[] base, int offset, int length, List<byte[]> out) {
        if (!values.isPresent(0)) {
            return Outcome.ABSENT;
        }
        return multiValued ? severalRows(values, base, offset, length, out) : oneRow(values, base, offset, length, out);
    }

    /**
     * Whether an index row is one that these cells of its base row have now.
     *
     * <p>Made again and compared, and not decoded: what a type does not tell apart would be lost on the way back.
     */
    public boolean isRowOf(byte[] row, CellValues values) {
        int start = baseStart(row, 0, row.length);
        if (start < 0) {
            return false;
        }
        var rows = new ArrayList<byte[]>();
        rows(values, row, start, row.length - start, rows);
        return rows.stream().anyMatch(each -> Arrays.equals(each, row));
    }

    /**
     * Where the base row begins within an index row; -1 if this is no row of this index.
     *
     * <p>Parts delimit themselves, so this needs to know nothing but the codecs; it is asked for each entry that is
     * read.
     */
    public int baseStart(byte[] row, int offset, int length) {
        int stop = offset + length;
        int at = offset + (salt > 0 ? 1 : 0);
        for (int i = 0; i < codecs.size(); i++) {
            ColumnCodec codec = codecs.get(i);
            if (i > 0) {
                int marker = at < stop ? row[at] & 0xFF : -1;
                at++;
                if (marker == marker(codec, ABSENT)) {
                    continue;
                }
                if (marker != marker(codec, PRESENT)) {
                    return -1;
                }
            }
            at = at > stop ? -1 : codec.end(row, at, stop);
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    /** A copy of the base row. */
    public byte[] base(byte[] row) {
        return Arrays.copyOfRange(row, checkedStart(row), row.length);
    }

    /**
     * The values in an index row, null where absent; folded text stays folded.
     *
     * <p>For people: the command line shows them. Nothing is decided by them.
     */
    public List<@Nullable Object> values(byte[] row) {
        checkedStart(row);
        var values = new ArrayList<@Nullable Object>();
        int at = salt > 0 ? 1 : 0;
        for (int i = 0; i < codecs.size(); i++) {
            ColumnCodec codec = codecs.get(i);
            if (i > 0 && (row[at++] & 0xFF) == marker(codec, ABSENT)) {
                values.add(null);
                continue;
            }
            int end = codec.end(row, at, row.length);
            values.add(codec.decode(row, at, end));
            at = end;
        }
        return values;
    }

    /** The byte before a later column's key. */
    public static int marker(ColumnCodec codec, boolean present) {
        return marker(codec, present ? PRESENT : ABSENT);
    }

    /**
     * The part of the table for a key that begins with the first column's.
     *
     * <p>FNV-1a over the bytes, then mixed, as its lowest bits alone are uneven. Stored in every key: another hash
     * would make entries that nobody finds.
     */
    public int bucket(byte[] key, int from, int to) {
        int hash = 0x811C9DC5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ key[i] & 0xFF) * 0x01000193;
        }
        hash ^= hash >>> 16;
        hash *= 0x85EBCA6B;
        hash ^= hash >>> 13;
        return Math.floorMod(hash, Math.max(1, salt));
    }

    private static int marker(ColumnCodec codec, int marker) {
        return codec.isDescending() ? ~marker & 0xFF : marker;
    }

    private int checkedStart(byte[] row) {
        int start = baseStart(row, 0, row.length);
        if (start < 0) {
            throw new IllegalArgumentException("a row of " + row.length
                    + " bytes is none of this index; the table holds something else, or the definition was changed without"
                    + " building the index anew");
        }
        return start;
    }

    /** The way of nearly all indexes: one buffer, and one array for the result. */
    private Outcome oneRow(CellValues values, byte[] base, int offset, int length, List<byte[]> out) {
        var key = new KeyWriter();
        Outcome outcome = Outcome.INDEXED;
        startSalt(key);
        for (int i = 0; i < codecs.size(); i++) {
            Outcome one = part(i, values, key);
            if (i == 0 && one != Outcome.INDEXED) {
                return one;
            }
            outcome = one == Outcome.MALFORMED ? one : outcome;
            endSalt(i, key);
        }
        return finish(key, base, offset, length, out) ? outcome : Outcome.MALFORMED;
    }

    /** Appends one column, with its marker if it is a later one. */
    private Outcome part(int i, CellValues values, KeyWriter key) {
        ColumnCodec codec = codecs.get(i);
        int start = key.length();
        if (i > 0) {
            key.put(marker(codec, PRESENT));
        }
        Outcome outcome = values.isPresent(i)
                ? codec.key(values.array(i), values.offset(i), values.length(i), key)
                : Outcome.ABSENT;
        if (i > 0 && outcome != Outcome.INDEXED) {
            key.truncate(start);
            key.put(marker(codec, ABSENT));
        }
        return outcome;
    }

    /**
     * One row for each value of the column that has several. Where that column is a later one and has none, the row has
     * one entry in which it is absent, as with any other column; where it is the first, it has none.
     */
    private Outcome severalRows(CellValues values, byte[] base, int offset, int length, List<byte[]> out) {
        var several = new ArrayList<byte[]>();
        Outcome outcome = Outcome.INDEXED;
        int which = multiValuedColumn();
        if (values.isPresent(which)) {
            outcome = codecs.get(which).keys(values.array(which), values.offset(which), values.length(which), several);
        }
        if (which == 0 && several.isEmpty()) {
            return outcome;
        }
        outcome = outcome == Outcome.ABSENT ? Outcome.INDEXED : outcome;
        if (several.isEmpty()) {
            return worse(outcome, rowWith(which, null, values, base, offset, length, out));
        }
        for (byte[] element : several) {
            Outcome one = rowWith(which, element, values, base, offset, length, out);
            if (one == Outcome.ABSENT) {
                return one;
            }
            outcome = worse(outcome, one);
        }
        return outcome;
    }

    /** One row with this value in that column; null for absent. */
    private Outcome rowWith(
            int which,
            byte @Nullable [] element,
            CellValues values,
            byte[] base,
            int offset,
            int length,
            List<byte[]> out) {
        var key = new KeyWriter();
        Outcome outcome = Outcome.INDEXED;
        startSalt(key);
        for (int i = 0; i < codecs.size(); i++) {
            if (i == which) {
                element(i, element, key);
            } else {
                Outcome one = part(i, values, key);
                if (i == 0 && one != Outcome.INDEXED) {
                    return one;
                }
                outcome = one == Outcome.MALFORMED ? one : outcome;
            }
            endSalt(i, key);
        }
        return finish(key, base, offset, length, out) ? outcome : Outcome.MALFORMED;
    }

    private void element(int i, byte @Nullable [] element, KeyWriter key) {
        if (i > 0) {
            key.put(marker(codecs.get(i), element == null ? ABSENT : PRESENT));
        }
        if (element != null) {
            key.put(element, 0, element.length);
        }
    }

    private int multiValuedColumn() {
        for (int i = 0; i < codecs.size(); i++) {
            if (codecs.get(i).isMultiValued()) {
                return i;
            }
        }
        throw new IllegalStateException("no column has several values");
    }

    /** Malformed counts wherever it is: the row may have entries, but not all that it should have. */
    private static Outcome worse(Outcome one, Outcome other) {
        return one == Outcome.MALFORMED || other == Outcome.MALFORMED ? Outcome.MALFORMED : one;
    }

    /** Keeps its place until the first column's key is there. */
    private void startSalt(KeyWriter key) {
        if (salt > 0) {
            key.put(0);
        }
    }

    /** The salt is known once the first column is there. */
    private void endSalt(int column, KeyWriter key) {
        if (salt > 0 && column == 0) {
            key.buffer()[0] = (byte) bucket(key.buffer(), 1, key.length());
        }
    }

    /**
     * The base row stands last, as it is. HBase takes no row beyond the limit, so its entry is left out and the row
     * counted.
     */
    private static boolean finish(KeyWriter key, byte[] base, int offset, int length, List<byte[]> out) {
        if (key.length() + length > MAX_ROW) {
            return false;
        }
        key.put(base, offset, length);
        out.add(key.toBytes());
        return true;
    }
}

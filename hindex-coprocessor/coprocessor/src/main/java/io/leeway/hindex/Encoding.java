package io.leeway.hindex;

import io.leeway.hindex.internal.encode.ColumnCodec;
import io.leeway.hindex.internal.encode.KeyWriter;
import io.leeway.hindex.internal.encode.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the cells of an indexed column become keys whose unsigned order is the order of the values. Immutable and
 * thread-safe; two encodings are equal if they have the same text.
 *
 * <p>The text form, as it stands in definitions, is a type and what follows, joined by dots: {@code utf8},
 * {@code long.desc}, {@code utf8.split(%2C)}, {@code decimal.json(order.total)}.
 *
 * @since 0.1
 */
public final class Encoding {

    /** UTF-8 text, in the order of code points. */
    public static final Encoding UTF8 = parse("utf8");

    /** UTF-8 text without difference of upper and lower case. */
    public static final Encoding FOLDED = parse("fold");

    /** Bytes of any length. */
    public static final Encoding BYTES = parse("bytes");

    /** Eight bytes, as HBase's {@code Bytes.toBytes(long)} writes them. */
    public static final Encoding LONG = parse("long");

    /** Four bytes, as HBase's {@code Bytes.toBytes(int)} writes them. */
    public static final Encoding INT = parse("int");

    /** Two bytes, as HBase's {@code Bytes.toBytes(short)} writes them. */
    public static final Encoding SHORT = parse("short");

    /** One signed byte. */
    public static final Encoding BYTE = parse("byte");

    /** As HBase's {@code Bytes.toBytes(double)} writes it; in IEEE 754's total order. */
    public static final Encoding DOUBLE = parse("double");

    /** As HBase's {@code Bytes.toBytes(float)} writes it; in IEEE 754's total order. */
    public static final Encoding FLOAT = parse("float");

    /** As HBase's {@code Bytes.toBytes(BigDecimal)} writes it; 1.0 and 1.00 are one value. */
    public static final Encoding DECIMAL = parse("decimal");

    /** One byte, nought is false. */
    public static final Encoding BOOLEAN = parse("boolean");

    /** A date as ISO 8601 text, as {@code 2026-01-31}. */
    public static final Encoding DATE = parse("date");

    /** A time of day as ISO 8601 text, as {@code 17:30:00.5}. */
    public static final Encoding TIME = parse("time");

    /** A point in time as ISO 8601 text with its offset, as {@code 2026-01-31T17:30:00Z}. */
    public static final Encoding DATE_TIME = parse("datetime");

    /** A point in time as milliseconds since 1970 in eight bytes. */
    public static final Encoding MILLIS = parse("millis");

    /** A UUID as sixteen bytes or as its text. */
    public static final Encoding UUID = parse("uuid");

    private final ColumnCodec codec;

    private Encoding(ColumnCodec codec) {
        this.codec = codec;
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException saying what is wrong and what may stand there
     */
    public static Encoding parse(String text) {
        return new Encoding(ColumnCodec.parse(text));
    }

    /** Exactly so many bytes. */
    public static Encoding fixed(int width) {
        return parse("fixed(" + width + ")");
    }

    /** The same with greater values first. */
    public Encoding descending() {
        return new Encoding(codec.withDescending());
    }

    /** For cells of text with several values between separators; each has an entry, empty ones have none. */
    public Encoding splitBy(String separator) {
        return new Encoding(codec.withSplit(separator));
    }

    /** For cells of text: every word, that is letters and digits in a row, has an entry. */
    public Encoding words() {
        return new Encoding(codec.withWords());
    }

    /** For cells of several values that each follow their length, four bytes with the highest first. */
    public Encoding list() {
        return new Encoding(codec.withList());
    }

    /** For cells of several values of a fixed width, one after the other. */
    public Encoding packed() {
        return new Encoding(codec.withPacked());
    }

    /** For cells that are JSON documents: the value at a path as {@code a.b[0].c}; {@code [*]} is every element. */
    public Encoding json(String path) {
        return new Encoding(codec.withJson(path));
    }

    /** Whether a cell may have several entries. */
    public boolean isMultiValued() {
        return codec.isMultiValued();
    }

    /** The class of values in queries. */
    public Class<?> valueType() {
        return codec.javaType();
    }

    /**
     * The keys of a cell as the application wrote it; none if it holds no value.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public List<byte[]> keysOf(byte[] cell) {
        var keys = new ArrayList<byte[]>();
        if (codec.keys(cell, 0, cell.length, keys) == Outcome.MALFORMED) {
            throw new IllegalArgumentException("a cell of " + cell.length + " bytes is not of encoding " + this
                    + "; write it as the encoding says, or change the index");
        }
        return keys;
    }

    /**
     * The key of a value in a query.
     *
     * @throws IllegalArgumentException if it is not of {@link #valueType()}
     */
    public byte[] keyOf(Object value) {
        var key = new KeyWriter();
        codec.value(value, key);
        return key.toBytes();
    }

    /**
     * The value of a key.
     *
     * @throws IllegalArgumentException if it is no key of this encoding
     */
    public Object valueOf(byte[] key) {
        if (codec.end(key, 0, key.length) != key.length) {
            throw new IllegalArgumentException("not a key of encoding " + this);
        }
        return codec.decode(key, 0, key.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Encoding encoding && codec.equals(encoding.codec);
    }

    @Override
    public int hashCode() {
        return codec.hashCode();
    }

    /** The text form. */
    @Override
    public String toString() {
        return codec.toString();
    }
}

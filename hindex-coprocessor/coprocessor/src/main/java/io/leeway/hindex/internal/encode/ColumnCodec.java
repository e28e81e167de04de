package io.leeway.hindex.internal.encode;

import io.leeway.hindex.internal.encode.JsonPath.JsonValue;
import io.leeway.hindex.internal.encode.ValueType.JsonKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How one column's cells become index keys: a type, the order, and how values are found within a cell.
 *
 * <p>The text form is the type and what follows, joined by dots: {@code utf8}, {@code long.desc},
 * {@code utf8.split(%2C)}, {@code fold.words}, {@code int.packed}, {@code decimal.json(order.items[*].price).desc}. In
 * arguments, {@code %2C} is the byte 2C. Immutable and thread-safe.
 */
public final class ColumnCodec {

    /** A cell with more elements is malformed: one write must not become a flood. */
    public static final int MAX_ELEMENTS = 4096;

    /** Bytes of the length before each value of a list. */
    private static final int LIST_HEADER = Integer.BYTES;

    private final ValueType type;
    private final Shape shape;
    /** Of {@link Shape#SPLIT}; else empty. */
    private final String separator;
    /**
     * Null if cells are no documents. Which of a document's values there are is the path's matter, so the shape is then
     * one.
     */
    private final @Nullable JsonPath path;

    private final boolean descending;

    private ColumnCodec(ValueType type, Shape shape, String separator, @Nullable JsonPath path, boolean descending) {
        this.type = type;
        this.shape = shape;
        this.separator = separator;
        this.path = path;
        this.descending = descending;
    }

    /**
     * Reads the text form.
     *
     * <p>The words after the type may stand in any order; {@link #toString} writes them in one, which is what
     * definitions are compared by.
     *
     * @throws IllegalArgumentException saying what is wrong and what may stand there
     */
    public static ColumnCodec parse(String text) {
        List<CodecText.Word> words = CodecText.words(text);
        var codec = new ColumnCodec(Types.of(words.get(0)), Shape.ONE, "", null, false);
        for (CodecText.Word word : words.subList(1, words.size())) {
            codec = codec.with(word);
        }
        return codec;
    }

    /** With greater values first. */
    public ColumnCodec withDescending() {
        if (descending) {
            throw new IllegalArgumentException("desc is there twice; write it once");
        }
        return new ColumnCodec(type, shape, separator, path, true);
    }

    /** For cells of text that hold several values between separators. */
    public ColumnCodec withSplit(String by) {
        if (by.isEmpty()) {
            throw new IllegalArgumentException(
                    "split needs a separator between the brackets, as a comma or a semicolon");
        }
        return shaped(Shape.SPLIT, by, type.json() != JsonKind.NONE, "a type that is written as text");
    }

    /** For cells of text of which every word is a value. */
    public ColumnCodec withWords() {
        return shaped(Shape.WORDS, "", type.javaType() == String.class, "utf8 or fold");
    }

    /** For cells of values that each follow their length in four bytes. */
    public ColumnCodec withList() {
        return shaped(Shape.LIST, "", true, "");
    }

    /** For cells of values of a fixed width, one after the other. */
    public ColumnCodec withPacked() {
        return shaped(Shape.PACKED, "", type.cellWidth() > 0, "a type whose cells have a fixed width");
    }

    /** For cells that are JSON documents. */
    public ColumnCodec withJson(String jsonPath) {
        if (shape != Shape.ONE || path != null) {
            throw new IllegalArgumentException(
                    "json cannot follow " + this + "; several values are written json(a[*])");
        }
        if (type.json() == JsonKind.NONE) {
            throw new IllegalArgumentException("no JSON value is of type " + type.name() + "; take another type");
        }
        return new ColumnCodec(type, shape, separator, JsonPath.parse(jsonPath), descending);
    }

    /** Whether a cell may hold several values, each with an entry of its own. */
    public boolean isMultiValued() {
        return shape != Shape.ONE || path != null && path.isMultiValued();
    }

    /** Whether greater values come first. */
    public boolean isDescending() {
        return descending;
    }

    /** Whether conditions on how values begin can be asked. */
    public boolean hasPrefixes() {
        return type.hasPrefixes();
    }

    /** The class of values in queries. */
    public Class<?> javaType() {
        return type.javaType();
    }

    /**
     * Appends the key of a cell with one value; makes no object for most types.
     *
     * <p>Every write of an indexed column passes here. What a malformed cell has left in the buffer is taken back.
     *
     * @throws IllegalStateException if cells may hold several values
     */
    public Outcome key(byte[] cell, int offset, int length, KeyWriter out) {
        if (isMultiValued()) {
            throw new IllegalStateException(this + " has several keys for a cell");
        }
        if (path != null) {
            return jsonKeys(path.find(cell, offset, length), key -> out.put(key, 0, key.length));
        }
        int start = out.length();
        if (!type.fromCell(cell, offset, length, out)) {
            out.truncate(start);
            return Outcome.MALFORMED;
        }
        turn(start, out);
        return Outcome.INDEXED;
    }

    /**
     * All keys of a cell, each once, in order; nothing is added if the cell is malformed.
     *
     * <p>All or none: of a cell of which half can be read, an index with half of its values would answer as if that
     * were all.
     */
    public Outcome keys(byte[] cell, int offset, int length, List<byte[]> out) {
        var keys = new TreeSet<byte[]>(Arrays::compareUnsigned);
        Outcome outcome = switch (shape) {
            case ONE -> one(cell, offset, length, keys);
            case LIST -> list(cell, offset, length, keys);
            case PACKED -> packed(cell, offset, length, keys);
            case SPLIT -> texts(split(cell, offset, length), keys);
            case WORDS -> texts(words(cell, offset, length), keys);
        };
        if (outcome == Outcome.INDEXED) {
            out.addAll(keys);
        }
        return outcome;
    }

    /**
     * Appends the key of a query's value.
     *
     * @throws IllegalArgumentException if it is not of the type
     */
    public void value(Object value, KeyWriter out) {
        int start = out.length();
        type.fromValue(value, out);
        turn(start, out);
    }

    /**
     * Appends what the keys of all values with this prefix begin with.
     *
     * <p>Turned round where the order is descending: what agrees at its beginning still does.
     *
     * @throws IllegalArgumentException if the type has no prefixes or this is none
     */
    public void prefix(Object prefix, KeyWriter out) {
        int start = out.length();
        type.fromPrefix(prefix, out);
        turn(start, out);
    }

    /** The offset behind the key that begins here, or -1 if none does. */
    public int end(byte[] key, int from, int to) {
        return type.end(key, from, to, descending ? 0xFF : 0);
    }

    /**
     * The value of a whole key, as far as the type tells values apart.
     *
     * <p>What the type does not tell apart is lost: folded text stays folded, and 1.00 is 1.
     */
    public Object decode(byte[] key, int from, int to) {
        if (!descending) {
            return type.value(key, from, to);
        }
        var turned = new KeyWriter();
        turned.put(key, from, to - from);
        turned.complementFrom(0);
        return type.value(turned.buffer(), 0, turned.length());
    }

    /** By the text form, which has all that a codec is. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ColumnCodec codec && codec.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** The text form. */
    @Override
    public String toString() {
        var text = new StringBuilder(type.name());
        if (path != null) {
            text.append(".json(").append(CodecText.escape(path.toString())).append(')');
        }
        switch (shape) {
            case ONE -> {}
            case SPLIT ->
                text.append(".split(").append(CodecText.escape(separator)).append(')');
            case WORDS -> text.append(".words");
            case LIST -> text.append(".list");
            case PACKED -> text.append(".packed");
        }
        return text.append(descending ? ".desc" : "").toString();
    }

    private ColumnCodec with(CodecText.Word word) {
        String argument = word.argument();
        if (argument != null) {
            return withArgument(word, argument);
        }
        return switch (word.name()) {
            case "desc" -> withDescending();
            case "words" -> withWords();
            case "list" -> withList();
            case "packed" -> withPacked();
            default -> throw unknown(word);
        };
    }

    private ColumnCodec withArgument(CodecText.Word word, String argument) {
        return switch (word.name()) {
            case "split" -> withSplit(argument);
            case "json" -> withJson(argument);
            default -> throw unknown(word);
        };
    }

    private static IllegalArgumentException unknown(CodecText.Word word) {
        return new IllegalArgumentException("unknown '" + word
                + "' after the type; known are desc, split(...), words, list, " + "packed and json(...)");
    }

    /** One way to find several values in a cell is enough: two after each other would have no agreed meaning. */
    private ColumnCodec shaped(Shape newShape, String by, boolean fits, String needed) {
        if (shape != Shape.ONE || path != null) {
            throw new IllegalArgumentException(
                    "two ways to find several values in a cell after " + this + "; give one");
        }
        String name = newShape.name().toLowerCase(Locale.ROOT);
        if (!fits) {
            throw new IllegalArgumentException(name + " does not fit type " + type.name() + "; it needs " + needed);
        }
        return new ColumnCodec(type, newShape, by, null, descending);
    }

    /**
     * Keys delimit themselves, so those of a type that are turned round are in the opposite order, and still none
     * begins another.
     */
    private void turn(int start, KeyWriter out) {
        if (descending) {
            out.complementFrom(start);
        }
    }

    private Outcome one(byte[] cell, int offset, int length, Set<byte[]> keys) {
        if (path != null) {
            return jsonKeys(path.find(cell, offset, length), keys::add);
        }
        return element(cell, offset, length, keys) ? Outcome.INDEXED : Outcome.MALFORMED;
    }

    /**
     * A length that does not fit what is left makes the whole cell malformed: nothing behind it can be trusted either.
     */
    private Outcome list(byte[] cell, int offset, int length, Set<byte[]> keys) {
        int stop = offset + length;
        int at = offset;
        for (int count = 0; at < stop; count++) {
            int rest = stop - at - LIST_HEADER;
            int size = rest < 0 ? -1 : (int) FixedType.number(cell, at, LIST_HEADER);
            if (size < 0 || size > rest || count == MAX_ELEMENTS || !element(cell, at + LIST_HEADER, size, keys)) {
                return Outcome.MALFORMED;
            }
            at += LIST_HEADER + size;
        }
        return found(keys);
    }

    /** A rest that is not a whole value makes the cell malformed. */
    private Outcome packed(byte[] cell, int offset, int length, Set<byte[]> keys) {
        int width = type.cellWidth();
        if (length % width != 0 || length / width > MAX_ELEMENTS) {
            return Outcome.MALFORMED;
        }
        for (int at = offset; at < offset + length; at += width) {
            if (!element(cell, at, width, keys)) {
                return Outcome.MALFORMED;
            }
        }
        return found(keys);
    }

    /** Equal values have one key, and so one entry. */
    private boolean element(byte[] cell, int offset, int length, Set<byte[]> keys) {
        var key = new KeyWriter();
        if (!type.fromCell(cell, offset, length, key)) {
            return false;
        }
        turn(0, key);
        keys.add(key.toBytes());
        return true;
    }

    /** One that is not of the type makes the cell malformed. */
    private Outcome texts(@Nullable List<String> texts, Set<byte[]> keys) {
        if (texts == null || texts.size() > MAX_ELEMENTS) {
            return Outcome.MALFORMED;
        }
        for (String text : texts) {
            var key = new KeyWriter();
            if (!type.fromText(text, key)) {
                return Outcome.MALFORMED;
            }
            turn(0, key);
            keys.add(key.toBytes());
        }
        return found(keys);
    }

    /** Given over only when all are known to be right, as the caller may write them straight into a key. */
    private Outcome jsonKeys(@Nullable List<JsonValue> values, Consumer<byte[]> keys) {
        if (values == null || values.size() > MAX_ELEMENTS) {
            return Outcome.MALFORMED;
        }
        var all = new ArrayList<byte[]>();
        for (JsonValue value : values) {
            var key = new KeyWriter();
            if (value.kind() != type.json() || !type.fromText(value.text(), key)) {
                return Outcome.MALFORMED;
            }
            turn(0, key);
            all.add(key.toBytes());
        }
        all.forEach(keys);
        return all.isEmpty() ? Outcome.ABSENT : Outcome.INDEXED;
    }

    private static Outcome found(Set<byte[]> keys) {
        return keys.isEmpty() ? Outcome.ABSENT : Outcome.INDEXED;
    }

    /** Empty parts are none: a separator at the end, or two in a row, add no value. */
    private @Nullable List<String> split(byte[] cell, int offset, int length) {
        String text = TextType.decode(cell, offset, length);
        if (text == null) {
            return null;
        }
        var parts = new ArrayList<String>();
        int from = 0;
        while (from <= text.length()) {
            int next = text.indexOf(separator, from);
            int to = next < 0 ? text.length() : next;
            if (to > from) {
                parts.add(text.substring(from, to));
            }
            from = to + separator.length();
        }
        return parts;
    }

    /**
     * Letters and digits in a row are a word.
     *
     * <p>By code points, so that letters outside the basic plane count as well.
     */
    private static @Nullable List<String> words(byte[] cell, int offset, int length) {
        String text = TextType.decode(cell, offset, length);
        if (text == null) {
            return null;
        }
        var words = new LinkedHashSet<String>();
        int start = -1;
        for (int at = 0; at <= text.length(); ) {
            int point = at < text.length() ? text.codePointAt(at) : ' ';
            if (Character.isLetterOrDigit(point)) {
                start = start < 0 ? at : start;
            } else if (start >= 0) {
                words.add(text.substring(start, at));
                start = -1;
            }
            at += Character.charCount(point);
        }
        return List.copyOf(words);
    }

    /** How values lie in a cell: one, between separators, as words, each behind its length, or one after the other. */
    private enum Shape {
        ONE,
        SPLIT,
        WORDS,
        LIST,
        PACKED
    }
}

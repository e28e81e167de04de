package io.leeway.hindex.internal.encode;

/**
 * One type of indexed values: how a cell's bytes, a text and a query's value become key bytes.
 *
 * <p>All key bytes of a type are <em>self-delimiting</em>: none is the beginning of another. So keys may be joined, and
 * the unsigned order of the bytes is the order of the values, also of joined ones. Stateless and thread-safe.
 *
 * <p>Both hold turned round as well, bit by bit, which is how descending columns are made.
 */
abstract class ValueType {

    private final String name;
    private final Class<?> javaType;
    private final JsonKind json;

    ValueType(String name, Class<?> javaType, JsonKind json) {
        this.name = name;
        this.javaType = javaType;
        this.json = json;
    }

    /** The name in definitions, with its argument if it has one. */
    final String name() {
        return name;
    }

    /** The class of values in queries. */
    final Class<?> javaType() {
        return javaType;
    }

    /** Which JSON values are of this type. */
    final JsonKind json() {
        return json;
    }

    /** The width of every cell of this type; 0 if it varies. */
    int cellWidth() {
        return 0;
    }

    /** Whether values that begin alike have keys that begin alike. */
    boolean hasPrefixes() {
        return false;
    }

    /**
     * Appends the key of a cell as the application wrote it; false, with rubbish appended, if it is malformed.
     *
     * <p>The same value must have the same bytes whichever of these ways it comes: a query finds by {@link #fromValue}
     * what a write made by this.
     */
    abstract boolean fromCell(byte[] cell, int offset, int length, KeyWriter out);

    /** Appends the key of a value written as text; false, with rubbish appended, if it is none of this type. */
    abstract boolean fromText(String text, KeyWriter out);

    /** Appends the key of a value of {@link #javaType()}. */
    abstract void fromValue(Object value, KeyWriter out);

    /** Appends what keys of all values with this prefix begin with. */
    void fromPrefix(Object prefix, KeyWriter out) {
        throw new IllegalArgumentException("values of type " + name + " have no prefixes; ask for a range");
    }

    /**
     * Where a key ends.
     *
     * <p>The key may be damaged, or of another index: nothing may be assumed of it.
     *
     * @param mask 0xFF if all bytes are turned round, else 0
     * @return the offset behind it, or -1 if no key begins here
     */
    abstract int end(byte[] key, int from, int to, int mask);

    /** The value of a key; what {@link #fromValue} made it of, but for what the type does not tell apart. */
    abstract Object value(byte[] key, int from, int to);

    /**
     * Kinds of values in a JSON document.
     *
     * <p>A value of another kind than the column's type makes a document malformed: "1" is no number.
     */
    enum JsonKind {
        STRING,
        NUMBER,
        BOOLEAN,
        NONE
    }
}

package io.leeway.lazybase.internal.model;

/**
 * Types of columns. Whatever the type, a value is stored in one of two ways: as a {@code long} or as bytes.
 *
 * <p>As longs: numbers (floating ones as their bits, ordered), decimals as unscaled values, dates as days, times and
 * timestamps as milliseconds. As bytes: texts in UTF-8, binaries, UUIDs as their 16 bytes.
 */
public enum ColumnType {
    BOOLEAN(true, "bool", 16),
    SMALLINT(true, "int2", 21),
    INTEGER(true, "int4", 23),
    BIGINT(true, "int8", 20),
    REAL(true, "float4", 700),
    DOUBLE(true, "float8", 701),
    DECIMAL(true, "numeric", 1700),
    TEXT(false, "text", 25),
    VARCHAR(false, "varchar", 1043),
    JSON(false, "json", 114),
    BYTEA(false, "bytea", 17),
    UUID(false, "uuid", 2950),
    DATE(true, "date", 1082),
    TIME(true, "time", 1083),
    TIMESTAMP(true, "timestamp", 1114),
    TIMESTAMPTZ(true, "timestamptz", 1184);

    private final boolean longs;
    private final String pgName;
    private final int oid;

    ColumnType(boolean longs, String pgName, int oid) {
        this.longs = longs;
        this.pgName = pgName;
        this.oid = oid;
    }

    /** Whether values are stored as longs; otherwise they are bytes. */
    public boolean isLong() {
        return longs;
    }

    /** PostgreSQL's name of the type. */
    public String pgName() {
        return pgName;
    }

    /** PostgreSQL's number of the type. */
    public int oid() {
        return oid;
    }

    /** Whether an {@code add} is possible: sums of longs that do not depend on their order. */
    public boolean isAddable() {
        return this == SMALLINT || this == INTEGER || this == BIGINT || this == DECIMAL;
    }

    /** Whether it is one of the types whose values are texts. */
    public boolean isText() {
        return this == TEXT || this == VARCHAR || this == JSON;
    }
}

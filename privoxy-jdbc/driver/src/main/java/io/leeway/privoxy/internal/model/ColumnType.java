package io.leeway.privoxy.internal.model;

import java.util.Objects;

/**
 * The type of a column as far as checking needs it.
 *
 * @param kind family of its values
 * @param equality empty when SQL's {@code =} on this type is identity of values; otherwise the name of the equivalence
 *     that {@code =} tests (a case-insensitive collation, blank-padded CHAR, floating point …). Values are then compared
 *     through the uninterpreted function {@link #keyFunction()}, so that the checker's equality is neither coarser nor
 *     finer than the database's
 * @param whole whether numbers of this type are whole, so that {@code x > 4} means {@code x >= 5}
 * @param sqlName the type's name in the database, for messages and drift detection
 * @param stored whether a value of it is one that is to be stored, so that only what is stored as it is counts
 */
public record ColumnType(ValueKind kind, String equality, boolean whole, String sqlName, boolean stored) {

    private static final String SELECTED = "selected ";
    private static final String ZERO_DATES = " with zero dates";
    private static final String ROW = "row";
    private static final String LIST = "array";
    private static final String NONE = "none";

    /** A UUID of which texts count only as the database writes them: small letters and dashes. */
    public static final ColumnType CANONICAL_UUID = exact(ValueKind.UUID, "uuid as it is written");

    /** A type of values that are compared. */
    public ColumnType(ValueKind kind, String equality, boolean whole, String sqlName) {
        this(kind, equality, whole, sqlName, false);
    }

    /** The type of values that are to be stored in such a column. */
    public ColumnType asStored() {
        return new ColumnType(kind, equality, whole, sqlName, true);
    }

    /**
     * The type of what comes out of an expression that gives a column's value as it is. To some databases it is another one
     * than the column's where the comparison is not by values: MariaDB reads a constant as a YEAR only right beside the column.
     */
    public ColumnType selected() {
        return sqlName.startsWith(SELECTED) ? this : new ColumnType(kind, equality, whole, SELECTED + sqlName, stored);
    }

    /** The type of a column that takes no NULL, and of which {@code IS NULL} asks for the zero date (MariaDB). */
    public ColumnType withZeroDates() {
        return new ColumnType(kind, equality, whole, sqlName + ZERO_DATES, stored);
    }

    /** Whether {@code IS NULL} and {@code IS NOT NULL} may both be true of a value. */
    public boolean hasZeroDates() {
        return sqlName.endsWith(ZERO_DATES);
    }

    /** The type's name in the database. */
    public String nameInDatabase() {
        String name = sqlName.startsWith(SELECTED) ? sqlName.substring(SELECTED.length()) : sqlName;
        return hasZeroDates() ? name.substring(0, name.length() - ZERO_DATES.length()) : name;
    }

    public ColumnType {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(equality, "equality");
        Objects.requireNonNull(sqlName, "sqlName");
    }

    /** A type whose equality is identity. */
    public static ColumnType exact(ValueKind kind, String sqlName) {
        return new ColumnType(kind, "", false, sqlName);
    }

    /** A whole-number type. */
    public static ColumnType integer(String sqlName) {
        return new ColumnType(ValueKind.NUMBER, "", true, sqlName);
    }

    /** A type whose equality is coarser than identity, named by {@code equality}. */
    public static ColumnType inexact(ValueKind kind, String equality, String sqlName) {
        return new ColumnType(kind, equality, false, sqlName);
    }

    /** A type of rows; where there are several, the equality of each has its name. */
    public static ColumnType row(String name, String sqlName) {
        return inexact(ValueKind.OPAQUE, ROW + ' ' + name, sqlName);
    }

    /** A type whose comparisons have the database's names and mean something of their own: {@code =} is no equivalence. */
    public static ColumnType incomparable(String name, String sqlName) {
        return inexact(ValueKind.OPAQUE, NONE + ' ' + name, sqlName);
    }

    /** Whether {@code =} is an equivalence, and {@code <>} its negation. */
    public boolean isComparable() {
        return !isOf(NONE);
    }

    /** Whether its values are rows, of which IS NULL is said by their fields. */
    public boolean isRow() {
        return isOf(ROW);
    }

    /** Whether its values are lists whose equality is that of H2. */
    public boolean isList() {
        return isOf(LIST);
    }

    private boolean isOf(String family) {
        return kind == ValueKind.OPAQUE && (equality.equals(family) || equality.startsWith(family + ' '));
    }

    public boolean hasExactEquality() {
        return equality.isEmpty();
    }

    /** Symbol of the function whose results are identical exactly when SQL calls the arguments equal. */
    public String keyFunction() {
        return "key:" + equality;
    }
}

package io.leeway.privoxy.internal.sql;

import java.util.EnumSet;
import java.util.Set;

/**
 * What holds of some databases and not of others, where more than one reader has to know it. {@link Dialect#has}
 * answers. A peculiarity that decides in one place only stands there, beside what it decides; what a grammar takes is
 * the parsers' own.
 */
public enum DialectRule {
    /**
     * Names of columns and functions have no case, quoted or not. What a letter's case is, {@link Dialect#isOneName}
     * says.
     */
    NAMES_IGNORE_CASE(Dialect.MARIADB),

    /** A table of the session hides the query of WITH that has its name; nobody else knows of such a table. */
    TABLES_HIDE_COMMON_TABLES(Dialect.H2),

    /** TRUE is 1 and FALSE is 0, in comparisons and in what is shown. */
    TRUTH_IS_A_NUMBER(Dialect.MARIADB),

    /** A number stands where a condition is asked for: it holds unless it is zero. */
    NUMBERS_ARE_CONDITIONS(Dialect.MARIADB, Dialect.H2),

    /** {@code 1e2} is a decimal number like 100, and exact; to the others it is floating point. */
    EXPONENTS_ARE_DECIMAL(Dialect.POSTGRESQL),

    /** A number of floating point and a decimal one make a decimal one, of as many digits as it takes. */
    FLOATING_WITH_DECIMAL_IS_DECIMAL(Dialect.H2),

    /** To round a whole number makes floating point of it, which has no sign of zero then. */
    ROUNDED_WHOLE_NUMBERS_FLOAT(Dialect.POSTGRESQL),

    /** All numbers of one column are shown with the same number of digits, so that equal ones look alike. */
    COLUMNS_HAVE_ONE_SCALE(Dialect.MARIADB),

    /** {@code length} may be that of a segment or a path, which is a distance and no whole number. */
    LENGTH_MAY_BE_A_DISTANCE(Dialect.POSTGRESQL),

    /** There are types whose values are equal or not, but have no order: nothing can be sorted by them. */
    HAS_TYPES_WITHOUT_ORDER(Dialect.POSTGRESQL),

    /** Two moments may look alike: of the hour that comes twice a year a zone's clock does not tell which. */
    MOMENTS_LOOK_ALIKE(Dialect.MARIADB),

    /** A moment is shown with the zone in which it was made, so that equal ones look different. */
    MOMENTS_SHOW_THEIR_ZONE(Dialect.H2),

    /** A row or list with a NULL in it is not surely equal to itself. */
    NULLS_INSIDE_ARE_UNKNOWN(Dialect.H2),

    /**
     * A constant is taken for a value of the column that it stands beside, and put in place of a column that equals it
     * elsewhere in the statement.
     */
    CONSTANTS_BECOME_THE_COLUMNS(Dialect.MARIADB),

    /** What a group of rows does not determine is taken from whichever of them comes first. */
    FIRST_ROW_SPEAKS_FOR_ITS_GROUP(Dialect.MARIADB),

    /** A change of the schema belongs to a transaction and is seen by nobody else before its commit. */
    SCHEMA_CHANGES_ARE_TRANSACTIONAL(Dialect.POSTGRESQL),

    /** A transaction with a snapshot sees the catalogue as it was then; to the others catalogues are of the moment. */
    SNAPSHOTS_SHOW_THEIR_CATALOGUE(Dialect.POSTGRESQL),

    /** Generated keys are the numbers of rows, kept for each statement unasked, whatever columns are named. */
    GENERATED_KEYS_ARE_NUMBERS(Dialect.MARIADB);

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final Set<Dialect> dialects;

    DialectRule(Dialect first, Dialect... more) {
        dialects = EnumSet.of(first, more);
    }

    boolean holdsOf(Dialect dialect) {
        return dialects.contains(dialect);
    }
}

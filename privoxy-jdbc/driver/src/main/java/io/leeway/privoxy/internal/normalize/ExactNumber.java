package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Collection;

/**
 * What is known of a number as far as its sum may depend on the order of what is summed up: how it is held, and how
 * many digits it has at most, of which only MariaDB has too few.
 *
 * <p>Digits are bounds from above: of a product the sum of both, of a sum one more. On PostgreSQL and H2 a decimal
 * grows as it must and nobody asks for them.
 *
 * @param whole digits before the point
 * @param fraction digits behind it
 */
record ExactNumber(Kind kind, int whole, int fraction) {

    /** How a number is held. */
    enum Kind {
        WHOLE,
        /** With a fraction, of however many digits. */
        DECIMAL,
        /** PostgreSQL's money and intervals: exact, but one divided by another is a floating-point number. */
        AMOUNT,
        /** Floating point, or not known. */
        OTHER
    }

    static final ExactNumber OTHER = new ExactNumber(Kind.OTHER, 0, 0);
    static final ExactNumber AMOUNT = new ExactNumber(Kind.AMOUNT, 0, 0);
    static final ExactNumber TRUTH = new ExactNumber(Kind.WHOLE, 1, 0);
    static final ExactNumber INT = new ExactNumber(Kind.WHOLE, 10, 0);
    /** Of as many digits as the widest whole type. DECIMAL(20) holds a BIGINT UNSIGNED. */
    static final ExactNumber WHOLE = new ExactNumber(Kind.WHOLE, 20, 0);

    /**
     * Ten thousand million rows: so many digits a sum has more than what is summed up. More rows than a table here has:
     * the sum of n numbers of d digits has at most d + log10(n).
     */
    private static final int ROWS = 10;
    /** MariaDB's decimals have so many digits, and so many of them behind the point. */
    private static final int DIGITS = 65;

    private static final int SCALE = 38;
    /**
     * What MariaDB's session may at most set for how many digits a division adds. div_precision_increment. It can be
     * set in a session, so its maximum counts, not its value.
     */
    private static final int DIVISION = 30;

    static ExactNumber decimal(int whole, int fraction) {
        return new ExactNumber(Kind.DECIMAL, whole, fraction);
    }

    boolean isKnown() {
        return kind != Kind.OTHER;
    }

    /**
     * Whether the sum of any rows is exact: MariaDB rounds and cuts what has more digits without a word. A sum that is
     * cut at 65 digits, or rounded at 38 behind the point, depends on what was added first: so it tells the order of
     * rows (SeventhAttackIT.noSumOfDecimalsIsCut).
     */
    boolean hasExactSum(Dialect dialect) {
        return isKnown() && (dialect != Dialect.MARIADB || whole + fraction + ROWS <= DIGITS && fraction <= SCALE);
    }

    ExactNumber sum() {
        return new ExactNumber(kind, whole + ROWS, fraction);
    }

    // Of MariaDB a division adds digits behind the point, up to its bound; money and intervals of PostgreSQL stay what
    // they are.
    ExactNumber average() {
        return kind == Kind.AMOUNT ? this : decimal(whole, Math.min(fraction + DIVISION, Math.max(fraction, SCALE)));
    }

    /**
     * Rounded: to so many digits behind the point, which may be more than there were.
     *
     * @param digits their number; more than any database has if it is not known
     */
    ExactNumber rounded(int digits) {
        return new ExactNumber(kind, whole + 1, Math.min(digits, SCALE));
    }

    ExactNumber plus(ExactNumber other) {
        return new ExactNumber(wider(other), Math.max(whole, other.whole) + 1, Math.max(fraction, other.fraction));
    }

    ExactNumber times(ExactNumber other) {
        return new ExactNumber(wider(other), whole + other.whole, fraction + other.fraction);
    }

    /** Of whole numbers too there may be a fraction. */
    ExactNumber dividedBy(ExactNumber other) {
        // money / money is DOUBLE PRECISION to PostgreSQL, money / 2 is money.
        if (!isKnown() || !other.isKnown() || other.kind == Kind.AMOUNT) {
            return OTHER;
        }
        return kind == Kind.AMOUNT ? this : new ExactNumber(Kind.DECIMAL, whole + other.fraction, average().fraction);
    }

    ExactNumber wholeDividedBy(ExactNumber other) {
        return new ExactNumber(wider(other), whole + other.fraction, 0);
    }

    ExactNumber restOf(ExactNumber other) {
        return new ExactNumber(wider(other), whole, Math.max(fraction, other.fraction));
    }

    /** What may be any of these. */
    static ExactNumber common(Collection<ExactNumber> numbers) {
        ExactNumber common = new ExactNumber(Kind.WHOLE, 0, 0);
        for (ExactNumber number : numbers) {
            common = new ExactNumber(
                    common.wider(number),
                    Math.max(common.whole, number.whole),
                    Math.max(common.fraction, number.fraction));
        }
        return common;
    }

    // The kinds stand in the order in which one takes the other in: beside floating point everything is floating point.
    private Kind wider(ExactNumber other) {
        return kind.compareTo(other.kind) > 0 ? kind : other.kind;
    }
}

package io.leeway.benchmarks.results;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.NumberFormat;
import java.util.Locale;

/** How the numbers of tables and plots read. */
public final class Numbers {

    /** More than any double has in three digits. */
    private static final int ALL = 340;

    private Numbers() {}

    /** Three significant digits, thousands set apart, without an exponent. */
    public static String rounded(double value) {
        NumberFormat format = NumberFormat.getNumberInstance(Locale.ROOT);
        format.setMaximumFractionDigits(ALL);
        return format.format(BigDecimal.valueOf(value).round(new MathContext(3)));
    }

    /** The same with a unit, if there is one. */
    static String withUnit(double value, String unit) {
        return (rounded(value) + " " + unit).strip();
    }
}

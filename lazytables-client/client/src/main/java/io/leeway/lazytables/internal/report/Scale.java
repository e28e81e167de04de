package io.leeway.lazytables.internal.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where values stand along an axis, linear or by powers of ten.
 *
 * <p>Immutable.
 */
final class Scale {

    /** About so many, depending on what is round. */
    private static final int TICKS = 6;

    private final double from;
    private final double to;
    private final boolean powers;
    private final double low;
    private final double high;

    private Scale(double from, double to, boolean powers, double low, double high) {
        this.from = from;
        this.to = to;
        this.powers = powers;
        this.low = low;
        this.high = high;
    }

    /**
     * From one place to another; never so narrow that ticks could not be told apart.
     *
     * <p>A curve of equal values has no height, and would divide by nought.
     */
    static Scale linear(double from, double to, double low, double high) {
        double span = Math.max(to - from, Math.max(1e-12, 1e-6 * Math.max(Math.abs(from), Math.abs(to))));
        return new Scale(from, from + span, false, low, high);
    }

    /** By powers of ten if that shows more: all are above zero, and the greatest is fifty times the least. */
    static Scale fitting(double least, double greatest, double low, double high) {
        if (least > 0 && greatest / least >= 50) {
            return new Scale(Math.log10(least), Math.log10(greatest), true, low, high);
        }
        double room = 0.04 * (greatest - least);
        return linear(least - room, greatest + room, low, high);
    }

    double at(double value) {
        double place = powers ? Math.log10(value) : value;
        return low + (place - from) / (to - from) * (high - low);
    }

    /** Round values to write on the axis. */
    List<Double> ticks() {
        double step = powers ? Math.max(1, round((to - from) / TICKS)) : round((to - from) / TICKS);
        var ticks = new ArrayList<Double>();
        // Reckoned anew from whole steps: added up, the last would be beside its round number.
        for (double tick = Math.ceil(from / step - 1e-9) * step; tick <= to + step * 1e-9; tick += step) {
            double whole = Math.rint(tick / step) * step;
            ticks.add(powers ? Math.pow(10, whole) : whole + 0.0);
        }
        return ticks;
    }

    /** As short as the distance of ticks allows. */
    String label(double tick) {
        if (powers) {
            return String.format(Locale.ROOT, "%.0e", tick)
                    .replace("e+0", "e")
                    .replace("e-0", "e-")
                    .replace("e0", "");
        }
        int decimals = (int) Math.max(0, Math.ceil(-Math.log10(round((to - from) / TICKS)) - 1e-9));
        return String.format(Locale.ROOT, "%,." + Math.min(decimals, 9) + "f", tick + 0.0);
    }

    /** The next number above that is 1, 2 or 5 with zeros. */
    private static double round(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double lead = value / power * (1 - 1e-9);
        return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
    }
}

package io.leeway.autotune;

import java.util.ArrayList;
import java.util.List;

/**
 * What a knob is: its name, its kind, its bounds, what a change costs. Learners see a number as a point of [0, 1]
 * between the bounds, on a logarithmic scale where sizes are meant.
 *
 * @param name stable over restarts of the service, such as {@code tomcat.http-nio-8080.threads}
 * @param kind what values are
 * @param min the lowest number that is ever set
 * @param max the highest number that is ever set
 * @param logarithmic whether doubling is the natural step
 * @param choices the words of a categorical knob; otherwise empty
 * @param cost what a change costs
 * @param rule in which order what is behind the knob is changed, and when it counts as changed; for people
 * @since 0.1
 */
public record KnobSpec(
        String name,
        Kind kind,
        double min,
        double max,
        boolean logarithmic,
        List<String> choices,
        Cost cost,
        String rule) {

    /** What values a knob has. */
    public enum Kind {
        /** Whole numbers between the bounds. */
        INTEGER,
        /** Any number between the bounds. */
        REAL,
        /** One of several words. */
        CHOICE
    }

    /** Copies, and refuses bounds that leave nothing to choose. */
    public KnobSpec {
        choices = List.copyOf(choices);
        if (kind == Kind.CHOICE ? choices.isEmpty() : !(min <= max)) {
            throw AutoTuneError.BAD_RANGE.because(name + " has no values: " + min + ".." + max + " " + choices);
        }
        if (logarithmic && min <= 0) {
            throw AutoTuneError.BAD_RANGE.because(name + " is logarithmic and starts at " + min);
        }
    }

    /** A size: whole numbers on a logarithmic scale, changed live. */
    public static KnobSpec size(String name, int min, int max, String rule) {
        return new KnobSpec(name, Kind.INTEGER, min, max, min > 0, List.of(), Cost.LIVE, rule);
    }

    /** A number on a linear scale, changed live. */
    public static KnobSpec real(String name, double min, double max, String rule) {
        return new KnobSpec(name, Kind.REAL, min, max, false, List.of(), Cost.LIVE, rule);
    }

    /** One of several words, changed live. */
    public static KnobSpec choice(String name, List<String> choices, String rule) {
        return new KnobSpec(name, Kind.CHOICE, 0, 0, false, choices, Cost.LIVE, rule);
    }

    /** The same with other bounds. */
    public KnobSpec within(double newMin, double newMax) {
        return new KnobSpec(name, kind, newMin, newMax, logarithmic && newMin > 0, choices, cost, rule);
    }

    /** The same with another cost. */
    public KnobSpec costing(Cost newCost) {
        return new KnobSpec(name, kind, min, max, logarithmic, choices, newCost, rule);
    }

    /** Whether values are numbers. */
    public boolean isNumeric() {
        return kind != Kind.CHOICE;
    }

    /** Where a number lies between the bounds, in [0, 1]; what is outside lies on the nearer bound. */
    public double toUnit(KnobValue value) {
        if (max == min) {
            return 0;
        }
        double x = Math.min(max, Math.max(min, value.number()));
        double u = logarithmic ? Math.log(x / min) / Math.log(max / min) : (x - min) / (max - min);
        return Math.min(1, Math.max(0, u));
    }

    /** The value at a point of [0, 1]; whole for integers, always within the bounds. */
    public KnobValue fromUnit(double unit) {
        double u = Math.min(1, Math.max(0, unit));
        double x = logarithmic ? min * Math.pow(max / min, u) : min + u * (max - min);
        if (kind == Kind.INTEGER) {
            x = Math.rint(x);
        }
        return KnobValue.of(Math.min(max, Math.max(min, x)));
    }

    /**
     * Reads and checks what somebody typed.
     *
     * @throws AutoTuneException with {@link AutoTuneError#BAD_VALUE} if it is no value of this knob
     */
    public KnobValue parse(String text) {
        if (kind == Kind.CHOICE) {
            return checked(KnobValue.of(text));
        }
        try {
            return checked(KnobValue.of(Double.parseDouble(text)));
        } catch (IllegalArgumentException e) {
            throw AutoTuneError.BAD_VALUE.because(name + " is a number from " + bounds() + ", not " + text);
        }
    }

    /** The value, if it is one of this knob; otherwise throws as {@link #parse} does. */
    public KnobValue checked(KnobValue value) {
        boolean good = value instanceof KnobValue.Choice choice
                ? kind == Kind.CHOICE && choices.contains(choice.word())
                : kind != Kind.CHOICE && isWithin(value.number());
        if (!good) {
            throw AutoTuneError.BAD_VALUE.because(name + " is " + bounds() + ", not " + value);
        }
        return value;
    }

    private boolean isWithin(double x) {
        return x >= min && x <= max && (kind != Kind.INTEGER || x == Math.rint(x));
    }

    /** The bounds for people: {@code 1..64}, {@code a|b}. */
    public String bounds() {
        return kind == Kind.CHOICE
                ? String.join("|", new ArrayList<>(choices))
                : KnobValue.of(min) + ".." + KnobValue.of(max);
    }
}

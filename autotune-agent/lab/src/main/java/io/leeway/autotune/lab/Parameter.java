package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.KnobValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be configured. Optimisers see every parameter as a coordinate of [0, 1]: numbers between their
 * bounds, on a logarithmic scale where doubling is the natural step; words by equal parts. Immutable.
 *
 * @param name unique in its space, such as {@code front.threads}
 * @param service whose it is; reductions keep or leave out whole services
 * @param kind what values are
 * @param min the lowest number; 0 for words
 * @param max the highest number; for words their number less one
 * @param step the grid that numbers lie on, counted from {@code min}; 0 for none
 * @param logarithmic whether numbers are on a logarithmic scale
 * @param words in their order; empty for numbers
 * @param standard the value without tuning
 * @param when only then the parameter is there; null for always
 * @since 0.1
 */
public record Parameter(
        String name,
        String service,
        Kind kind,
        double min,
        double max,
        double step,
        boolean logarithmic,
        List<String> words,
        KnobValue standard,
        @Nullable Condition when) {

    /** What values a parameter has. */
    public enum Kind {
        /** Whole numbers. */
        INTEGER,
        /** Any number between the bounds. */
        REAL,
        /** Words of which neighbours are alike, such as small, medium, large. */
        ORDERED,
        /** Words without an order. */
        CATEGORICAL
    }

    /**
     * A parameter is there only while another one has one of some values.
     *
     * @param parameter the other one, which comes before in the space
     * @param values of it, as texts
     */
    public record Condition(String parameter, List<String> values) {

        /** Copies. */
        public Condition {
            values = List.copyOf(values);
        }
    }

    /** Copies, and refuses bounds and standards that cannot be. */
    public Parameter {
        words = List.copyOf(words);
        boolean isNumber = kind == Kind.INTEGER || kind == Kind.REAL;
        require(name, isNumber == words.isEmpty(), isNumber ? "a number has no words" : "there are no words");
        require(name, Double.isFinite(min) && Double.isFinite(max) && min <= max, "bounds are " + min + ".." + max);
        require(name, !logarithmic || min > 0, "a logarithmic scale cannot start at " + min);
        require(name, step >= 0 && Double.isFinite(step), "a step cannot be " + step);
        require(
                name,
                kind != Kind.INTEGER || (isWhole(min) && isWhole(max) && isWhole(step)),
                "bounds and step of an integer are whole");
        require(name, words.stream().distinct().count() == words.size(), "a word comes twice");
        require(
                name,
                standard instanceof KnobValue.Choice choice
                        ? words.contains(choice.word())
                        : isNumber
                                && standard.number() >= min
                                && standard.number() <= max
                                && (kind != Kind.INTEGER || isWhole(standard.number())),
                "the default " + standard + " is none of its values");
    }

    private static boolean isWhole(double x) {
        return x == Math.rint(x);
    }

    private static void require(String name, boolean good, String otherwise) {
        if (!good) {
            throw AutoTuneError.BAD_RANGE.because(name + ": " + otherwise);
        }
    }

    /** Whole numbers, on a logarithmic scale if they start above 0 and span more than a decade. */
    public static Parameter integer(String name, int min, int max, int standard) {
        boolean wide = min > 0 && max / (double) min > 10;
        return new Parameter(name, "", Kind.INTEGER, min, max, 0, wide, List.of(), KnobValue.of(standard), null);
    }

    /** Any number, on a linear scale. */
    public static Parameter real(String name, double min, double max, double standard) {
        return new Parameter(name, "", Kind.REAL, min, max, 0, false, List.of(), KnobValue.of(standard), null);
    }

    /** Words in an order. */
    public static Parameter ordered(String name, List<String> words, String standard) {
        return new Parameter(
                name, "", Kind.ORDERED, 0, words.size() - 1.0, 0, false, words, KnobValue.of(standard), null);
    }

    /** Words without an order. */
    public static Parameter categorical(String name, List<String> words, String standard) {
        return new Parameter(
                name, "", Kind.CATEGORICAL, 0, words.size() - 1.0, 0, false, words, KnobValue.of(standard), null);
    }

    /** The same, of a service. */
    public Parameter of(String newService) {
        return new Parameter(name, newService, kind, min, max, step, logarithmic, words, standard, when);
    }

    /** The same, only while another parameter has one of these values. */
    public Parameter when(String parameter, String... values) {
        return new Parameter(
                name,
                service,
                kind,
                min,
                max,
                step,
                logarithmic,
                words,
                standard,
                new Condition(parameter, List.of(values)));
    }

    /** The same, with another value without tuning. */
    public Parameter standing(KnobValue newStandard) {
        return new Parameter(name, service, kind, min, max, step, logarithmic, words, newStandard, when);
    }

    /** Whether values are numbers. */
    public boolean isNumber() {
        return kind == Kind.INTEGER || kind == Kind.REAL;
    }

    /** The value at a coordinate; always one of the parameter's. */
    public KnobValue value(double unit) {
        double u = Math.min(1, Math.max(0, unit));
        if (!isNumber()) {
            return KnobValue.of(words.get((int) Math.min(words.size() - 1.0, u * words.size())));
        }
        double x = logarithmic ? min * Math.pow(max / min, u) : min + u * (max - min);
        if (step > 0) {
            x = min + step * Math.rint((x - min) / step);
            // The grid need not end at the upper bound.
            x = x > max ? x - step : x;
        }
        x = kind == Kind.INTEGER ? Math.rint(x) : x;
        return KnobValue.of(Math.min(max, Math.max(min, x)));
    }

    /** Where a value lies: its place between the bounds, or the middle of its word's part. */
    public double unit(KnobValue value) {
        if (!isNumber()) {
            return (words.indexOf(value.toString()) + 0.5) / words.size();
        }
        if (max == min) {
            return 0;
        }
        double x = Math.min(max, Math.max(min, value.number()));
        return logarithmic ? Math.log(x / min) / Math.log(max / min) : (x - min) / (max - min);
    }

    /** How many values there are, if there are less than a thousand; otherwise a thousand. */
    public int size() {
        if (!isNumber()) {
            return words.size();
        }
        double grid = step > 0 ? step : kind == Kind.INTEGER ? 1 : 0;
        return grid == 0 ? (max > min ? 1_000 : 1) : (int) Math.min(1_000, Math.floor((max - min) / grid) + 1);
    }

    /**
     * The value, if it is one of this parameter.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_VALUE} if it is not
     */
    public KnobValue checked(KnobValue value) {
        boolean good = value instanceof KnobValue.Choice choice
                ? words.contains(choice.word())
                : isNumber()
                        && value.number() >= min
                        && value.number() <= max
                        && (kind != Kind.INTEGER || isWhole(value.number()));
        if (!good) {
            throw AutoTuneError.BAD_VALUE.because(name + " is " + bounds() + ", not " + value);
        }
        return value;
    }

    /** Whether a text is that of one of its values, as settings spell it. */
    boolean has(String text) {
        if (!isNumber()) {
            return words.contains(text);
        }
        try {
            KnobValue value = KnobValue.of(Double.parseDouble(text));
            return checked(value).toString().equals(text);
        } catch (IllegalArgumentException | AutoTuneException e) {
            return false;
        }
    }

    /** The values for people: {@code 1..64}, {@code a|b}. */
    public String bounds() {
        return isNumber() ? KnobValue.of(min) + ".." + KnobValue.of(max) : String.join("|", words);
    }
}

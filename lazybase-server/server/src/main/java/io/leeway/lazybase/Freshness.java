package io.leeway.lazybase;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fresh an answer has to be (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section 3.3.7).
 *
 * @since 0.1
 */
public sealed interface Freshness {

    /** Whatever is cheapest: the authority alone. */
    record Any() implements Freshness {
        @Override
        public String toString() {
            return "any";
        }
    }

    /**
     * Everything that was acknowledged up to so long ago.
     *
     * @param age not negative; zero sees all
     */
    record Within(Duration age) implements Freshness {
        public Within {
            if (age.isNegative()) {
                throw new IllegalArgumentException("an age below zero");
            }
        }

        @Override
        public String toString() {
            return text(age);
        }
    }

    /**
     * As fresh as can be had in so much time, by the estimates of {@code EXPLAIN FRESHNESS}.
     *
     * @param budget positive
     */
    record Freshest(Duration budget) implements Freshness {
        @Override
        public String toString() {
            return "freshest within " + text(budget);
        }
    }

    /** Sees all that was acknowledged before the query began. */
    Freshness NOW = new Within(Duration.ZERO);

    /** Sees the authority. */
    Freshness ANY = new Any();

    /**
     * Reads {@code any}, {@code 5 s}, {@code fresh within 5 s}, {@code 0} or {@code freshest within 50 ms}. Units are ms, s, m (min) and h.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static Freshness parse(String text) {
        String given = text.strip().toLowerCase(Locale.ROOT);
        if (given.equals("any")) {
            return ANY;
        }
        if (given.startsWith("freshest within")) {
            return new Freshest(duration(given.substring("freshest within".length()), text));
        }
        String age = given.startsWith("fresh within") ? given.substring("fresh within".length()) : given;
        return new Within(duration(age, text));
    }

    private static Duration duration(String given, String whole) {
        Matcher matcher = Pattern.compile("\\s*([0-9]{1,9})\\s*(ms|s|sec|seconds?|m|min|minutes?|h|hours?)?\\s*")
                .matcher(given);
        if (!matcher.matches() || (matcher.group(2) == null && !matcher.group(1).equals("0"))) {
            throw new IllegalArgumentException(
                    "'" + whole + "' is not a freshness; give any, 5 s, 0 s or freshest within 50 ms");
        }
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        if (unit.equals("ms")) {
            return Duration.ofMillis(number);
        }
        return switch (unit.charAt(0)) {
            case 'm' -> Duration.ofMinutes(number);
            case 'h' -> Duration.ofHours(number);
            default -> Duration.ofSeconds(number);
        };
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}

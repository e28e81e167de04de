package io.leeway.autotune;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One option: its key, what it may be, its default.
 *
 * @param key under {@code autotune.}, API
 * @param values what it may be, for people
 * @param standard the default, as text
 * @param text what it does
 * @param parser of a text; throws IllegalArgumentException for one that it may not be
 * @param <T> what it becomes
 * @since 0.1
 */
public record AutoTuneOption<T>(String key, String values, String standard, String text, Function<String, T> parser) {

    static AutoTuneOption<Integer> number(String key, int standard, int min, int max, String text) {
        return new AutoTuneOption<>(key, min + " to " + max, Integer.toString(standard), text, value -> {
            int number = Integer.parseInt(value);
            return checked(number, number >= min && number <= max);
        });
    }

    static AutoTuneOption<Double> share(String key, double standard, double min, double max, String text) {
        return new AutoTuneOption<>(key, min + " to " + max, Double.toString(standard), text, value -> {
            double number = Double.parseDouble(value);
            return checked(number, number >= min && number <= max);
        });
    }

    static AutoTuneOption<Boolean> flag(String key, boolean standard, String text) {
        return new AutoTuneOption<>(key, "true, false", Boolean.toString(standard), text, value -> {
            boolean is = Boolean.parseBoolean(value);
            return checked(is, is || "false".equals(value));
        });
    }

    static AutoTuneOption<String> text(String key, String standard, String values, String text) {
        return new AutoTuneOption<>(key, values, standard, text, value -> value);
    }

    static AutoTuneOption<List<String>> list(String key, String values, String text) {
        return new AutoTuneOption<>(
                key,
                values,
                "",
                text,
                value -> value.isBlank()
                        ? List.of()
                        : List.of(value.split(";")).stream().map(String::strip).toList());
    }

    static AutoTuneOption<Duration> duration(String key, String standard, String min, String max, String text) {
        Duration least = parseDuration(min);
        Duration most = parseDuration(max);
        return new AutoTuneOption<>(key, min + " to " + max, standard, text, value -> {
            Duration duration = parseDuration(value);
            return checked(duration, duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0);
        });
    }

    private static <T> T checked(T value, boolean good) {
        if (!good) {
            throw new IllegalArgumentException("out of bounds");
        }
        return value;
    }

    private static Duration parseDuration(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (var unit : List.of("ms", "s", "m", "h")) {
            if (lower.endsWith(unit)
                    && lower.substring(0, lower.length() - unit.length()).matches("\\d{1,9}")) {
                long number = Long.parseLong(lower.substring(0, lower.length() - unit.length()));
                return switch (unit) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    default -> Duration.ofHours(number);
                };
            }
        }
        throw new IllegalArgumentException("a duration has a unit, such as 200ms, 5s, 1m");
    }

    /** The environment variable that has it: {@code AUTOTUNE_GUARD_LATENCY}. */
    public String variable() {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}

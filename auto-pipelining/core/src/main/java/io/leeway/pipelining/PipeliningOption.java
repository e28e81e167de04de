package io.leeway.pipelining;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One option: its key, type, default, bounds and meaning. Immutable and thread-safe.
 *
 * @param <T> type of the value
 * @since 0.1
 */
public final class PipeliningOption<T> {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(us|ms|s|m|h)");

    private final String key;
    private final String preset;
    private final String bounds;
    private final String text;
    private final Function<String, T> reader;

    private PipeliningOption(String key, String preset, String bounds, String text, Function<String, T> reader) {
        this.key = key;
        this.preset = preset;
        this.bounds = bounds;
        this.text = text;
        this.reader = reader;
    }

    static PipeliningOption<Boolean> flag(String key, boolean preset, String text) {
        return new PipeliningOption<>(key, Boolean.toString(preset), "true, false", text, given -> {
            String word = given.toLowerCase(Locale.ROOT);
            require(word.equals("true") || word.equals("false"));
            return word.equals("true");
        });
    }

    static PipeliningOption<Integer> number(String key, int preset, int least, int most, String text) {
        return new PipeliningOption<>(key, Integer.toString(preset), least + " to " + most, text, given -> {
            int value = Integer.parseInt(given);
            require(value >= least && value <= most);
            return value;
        });
    }

    static PipeliningOption<Double> share(String key, double preset, double least, double most, String text) {
        return new PipeliningOption<>(key, Double.toString(preset), least + " to " + most, text, given -> {
            double value = Double.parseDouble(given);
            require(value >= least && value <= most);
            return value;
        });
    }

    static PipeliningOption<Duration> duration(String key, String preset, String least, String most, String text) {
        String bounds = least + " to " + most + "; a number with us, ms, s, m or h";
        return new PipeliningOption<>(key, preset, bounds, text, given -> {
            Duration value = time(given);
            require(value.compareTo(time(least)) >= 0 && value.compareTo(time(most)) <= 0);
            return value;
        });
    }

    static PipeliningOption<String> text(String key, String preset, String bounds, String text) {
        return new PipeliningOption<>(key, preset, bounds, text, given -> given);
    }

    static <E extends Enum<E>> PipeliningOption<E> choice(String key, Class<E> type, E preset, String text) {
        var words = new java.util.ArrayList<String>();
        for (E constant : type.getEnumConstants()) {
            words.add(word(constant));
        }
        return new PipeliningOption<>(key, word(preset), String.join(", ", words), text, given -> {
            int index = words.indexOf(given.toLowerCase(Locale.ROOT));
            require(index >= 0);
            return type.getEnumConstants()[index];
        });
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** The default, as it would be written. */
    public String preset() {
        return preset;
    }

    /** What it may be. */
    public String bounds() {
        return bounds;
    }

    /** What it does. */
    public String text() {
        return text;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if it is not one of this option
     */
    T read(String given) {
        try {
            return reader.apply(given.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + " is " + bounds + ", not \"" + given + "\"", e);
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Duration time(String given) {
        Matcher matcher = DURATION.matcher(given);
        require(matcher.matches());
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(number * 1_000);
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException();
        }
    }
}

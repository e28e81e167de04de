package io.leeway.hindex.internal.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One option: key, type, default, bounds and meaning. Immutable and thread-safe.
 *
 * <p>The table of the documentation is made of these, so it cannot say anything else than the code.
 *
 * @param <T> the values
 */
public final class Option<T> {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private final String key;
    private final String type;
    /** As text, and read like any value: so it is known to be allowed. */
    private final String preset;

    private final String bounds;
    private final String text;
    private final Function<String, T> reader;

    private Option(String key, String type, String preset, String bounds, String text, Function<String, T> reader) {
        this.key = key;
        this.type = type;
        this.preset = preset;
        this.bounds = bounds;
        this.text = text;
        this.reader = reader;
    }

    static Option<Duration> duration(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with ms, s, m or h";
        Duration least = duration(min);
        Duration most = duration(max);
        return new Option<>(key, "duration", preset, bounds, text, given -> {
            Duration value = duration(given);
            if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                throw new IllegalArgumentException("out of bounds");
            }
            return value;
        });
    }

    static Option<Integer> number(String key, int preset, int min, int max, String text) {
        return new Option<>(key, "number", Integer.toString(preset), min + " to " + max, text, given -> {
            int value = Integer.parseInt(given);
            if (value < min || value > max) {
                throw new IllegalArgumentException("out of bounds");
            }
            return value;
        });
    }

    static <E extends Enum<E>> Option<E> choice(String key, Class<E> type, E preset, String text) {
        var words = new ArrayList<String>();
        for (E constant : type.getEnumConstants()) {
            words.add(word(constant));
        }
        return new Option<>(key, "choice", word(preset), String.join(", ", words), text, given -> {
            for (E constant : type.getEnumConstants()) {
                if (word(constant).equals(given.toLowerCase(Locale.ROOT))) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("no such choice");
        });
    }

    /** The key in the site file or the table's attributes. */
    public String key() {
        return key;
    }

    /** The kind of value, in one word. */
    public String type() {
        return type;
    }

    /** The value if none is given, as text. */
    public String preset() {
        return preset;
    }

    /** Which values are allowed, in words. */
    public String bounds() {
        return bounds;
    }

    /** What it does, in one sentence. */
    public String text() {
        return text;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if it is not allowed, saying what is
     */
    public T read(String given) {
        try {
            return reader.apply(given.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + "=" + given + " is not allowed; give " + bounds, e);
        }
    }

    @Override
    public String toString() {
        return key;
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no duration");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** As users write it. */
    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All keys, for messages. */
    static List<String> keys(List<Option<?>> options) {
        return options.stream().map(Option::key).toList();
    }
}

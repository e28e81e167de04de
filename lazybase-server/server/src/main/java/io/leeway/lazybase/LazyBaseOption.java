package io.leeway.lazybase;

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
public final class LazyBaseOption<T> {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(B|KB|MB|GB)");

    private final String key;
    private final String type;
    private final String preset;
    private final String bounds;
    private final String text;
    private final boolean sensitive;
    private final Function<String, T> reader;

    private LazyBaseOption(
            String key,
            String type,
            String preset,
            String bounds,
            String text,
            boolean sensitive,
            Function<String, T> reader) {
        this.key = key;
        this.type = type;
        this.preset = preset;
        this.bounds = bounds;
        this.text = text;
        this.sensitive = sensitive;
        this.reader = reader;
    }

    static LazyBaseOption<String> text(String key, String preset, String bounds, String text) {
        return new LazyBaseOption<>(key, "text", preset, bounds, text, false, given -> given);
    }

    static LazyBaseOption<Freshness> freshness(String key, String preset, String text) {
        String bounds = "any, an age such as 5 s, or freshest within 50 ms";
        return new LazyBaseOption<>(key, "freshness", preset, bounds, text, false, Freshness::parse);
    }

    /** A text that is not to be seen in logs, messages or tools. */
    static LazyBaseOption<String> secret(String key, String text) {
        return new LazyBaseOption<>(key, "text", "", "", text, true, given -> given);
    }

    static LazyBaseOption<Integer> number(String key, int preset, int min, int max, String text) {
        String bounds = min + " to " + max;
        return new LazyBaseOption<>(key, "number", Integer.toString(preset), bounds, text, false, given -> {
            int value = Integer.parseInt(given);
            require(value >= min && value <= max);
            return value;
        });
    }

    static LazyBaseOption<Long> size(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with B, KB, MB or GB";
        long least = bytes(min);
        long most = bytes(max);
        return new LazyBaseOption<>(key, "size", preset, bounds, text, false, given -> {
            long value = bytes(given);
            require(value >= least && value <= most);
            return value;
        });
    }

    static LazyBaseOption<Duration> duration(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with ms, s, m or h";
        Duration least = time(min);
        Duration most = time(max);
        return new LazyBaseOption<>(key, "duration", preset, bounds, text, false, given -> {
            Duration value = time(given);
            require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
            return value;
        });
    }

    /** The key in properties, files and on the command line. */
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

    /** Which values are allowed, in words; empty if all of the type. */
    public String bounds() {
        return bounds;
    }

    /** What it does, in one sentence. */
    public String text() {
        return text;
    }

    /** The release that brought it. */
    public String since() {
        return "0.1";
    }

    /** Whether its value is kept out of messages and tools. */
    public boolean sensitive() {
        return sensitive;
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
            String shown = sensitive ? "" : "=" + given;
            throw new IllegalArgumentException(key + shown + " is not allowed; give " + bounds, e);
        }
    }

    @Override
    public String toString() {
        return key;
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalArgumentException("out of bounds");
        }
    }

    private static Duration time(String text) {
        Matcher matcher = DURATION.matcher(text);
        require(matcher.matches());
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    private static long bytes(String text) {
        Matcher matcher = SIZE.matcher(text.toUpperCase(Locale.ROOT));
        require(matcher.matches());
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "B" -> number;
            case "KB" -> number << 10;
            case "MB" -> number << 20;
            default -> number << 30;
        };
    }
}

package io.leeway.lazytables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One option: its key, type, default, bounds and meaning. Immutable and thread-safe.
 *
 * @param <T> type of the value
 * @since 0.1
 */
public final class LazyTablesOption<T> {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(B|KB|MB|GB)");

    private final String key;
    private final String type;
    private final String preset;
    private final String bounds;
    private final String text;
    private final boolean sensitive;
    private final Function<String, T> reader;

    private LazyTablesOption(
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

    static LazyTablesOption<String> text(String key, String preset, String bounds, String text) {
        return new LazyTablesOption<>(key, "text", preset, bounds, text, false, given -> given);
    }

    /** A text that is not to be seen in logs, messages or tools; it may be empty or has a least length. */
    static LazyTablesOption<String> secret(String key, int least, String text) {
        String bounds = least == 0 ? "" : "at least " + least + " characters";
        return new LazyTablesOption<>(key, "text", "", bounds, text, true, given -> {
            require(given.isEmpty() || given.length() >= least);
            return given;
        });
    }

    static LazyTablesOption<Boolean> flag(String key, boolean preset, String text) {
        return new LazyTablesOption<>(key, "flag", Boolean.toString(preset), "true, false", text, false, given -> {
            String word = given.toLowerCase(Locale.ROOT);
            require(word.equals("true") || word.equals("false"));
            return word.equals("true");
        });
    }

    static LazyTablesOption<Integer> number(String key, int preset, int min, int max, String text) {
        String bounds = min + " to " + max;
        return new LazyTablesOption<>(key, "number", Integer.toString(preset), bounds, text, false, given -> {
            int value = Integer.parseInt(given);
            require(value >= min && value <= max);
            return value;
        });
    }

    static LazyTablesOption<Long> size(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with B, KB, MB or GB";
        long least = bytes(min);
        long most = bytes(max);
        return new LazyTablesOption<>(key, "size", preset, bounds, text, false, given -> {
            long value = bytes(given);
            require(value >= least && value <= most);
            return value;
        });
    }

    static LazyTablesOption<Duration> duration(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with ms, s, m or h";
        Duration least = time(min);
        Duration most = time(max);
        return new LazyTablesOption<>(key, "duration", preset, bounds, text, false, given -> {
            Duration value = time(given);
            require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
            return value;
        });
    }

    static <E extends Enum<E>> LazyTablesOption<E> choice(String key, Class<E> type, E preset, String text) {
        var words = new ArrayList<String>();
        for (E constant : type.getEnumConstants()) {
            words.add(word(constant));
        }
        return new LazyTablesOption<>(key, "choice", word(preset), String.join(", ", words), text, false, given -> {
            int index = words.indexOf(given.toLowerCase(Locale.ROOT));
            require(index >= 0);
            return type.getEnumConstants()[index];
        });
    }

    static LazyTablesOption<List<HostAndPort>> addresses(String key, String text) {
        String bounds = "host:port, comma-separated";
        return new LazyTablesOption<>(key, "list", "", bounds, text, false, HostAndPort::list);
    }

    static LazyTablesOption<HostAndPort> address(String key, String preset, String text) {
        return new LazyTablesOption<>(key, "address", preset, "host:port", text, false, HostAndPort::parse);
    }

    static LazyTablesOption<Optional<HostAndPort>> addressOrNone(String key, String bounds, String text) {
        return new LazyTablesOption<>(
                key,
                "address",
                "",
                bounds,
                text,
                false,
                given -> given.isEmpty() ? Optional.empty() : Optional.of(HostAndPort.parse(given)));
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

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

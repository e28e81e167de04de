package io.leeway.eppi.node;

import io.leeway.eppi.Policy;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One option: its key, type, default, bounds and meaning. Immutable and thread-safe.
 *
 * @param <T> type of the value
 * @since 0.1
 */
public final class EppiOption<T> {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(B|KB|MB|GB)");

    private static final Pattern ADDRESS = Pattern.compile("[^\\s/]+:([0-9]{1,5})");
    private static final int MOST_PORT = 65_535;

    private final String key;
    private final String type;
    private final String preset;
    private final String bounds;
    private final String text;
    private final boolean sensitive;
    private final Function<String, T> reader;

    private EppiOption(
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

    static EppiOption<String> text(String key, String preset, String bounds, String text) {
        return new EppiOption<>(key, "text", preset, bounds, text, false, given -> given);
    }

    /** A text that is empty or of a form. */
    static EppiOption<String> formed(String key, String bounds, String text, Predicate<String> form) {
        return new EppiOption<>(key, "text", "", bounds, text, false, given -> {
            require(given.isEmpty() || form.test(given));
            return given;
        });
    }

    static boolean isAddress(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        return matcher.matches() && Integer.parseInt(matcher.group(1)) <= MOST_PORT;
    }

    /** Whether it is an address of HTTP with a host. */
    public static boolean isHttpUrl(String text) {
        try {
            URI url = new URI(text);
            return ("http".equals(url.getScheme()) || "https".equals(url.getScheme())) && url.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    static EppiOption<String> secret(String key, String text) {
        return new EppiOption<>(key, "text", "", "", text, true, given -> given);
    }

    static EppiOption<List<String>> names(String key, String text) {
        return new EppiOption<>(
                key,
                "list",
                "",
                "names, comma-separated; * is everybody in the roster",
                text,
                false,
                given -> Arrays.stream(given.split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList());
    }

    static EppiOption<Boolean> flag(String key, boolean preset, String text) {
        return new EppiOption<>(key, "flag", Boolean.toString(preset), "true, false", text, false, given -> {
            String word = given.toLowerCase(Locale.ROOT);
            require(word.equals("true") || word.equals("false"));
            return word.equals("true");
        });
    }

    static EppiOption<Integer> number(String key, int preset, int min, int max, String text) {
        String bounds = min + " to " + max;
        return new EppiOption<>(key, "number", Integer.toString(preset), bounds, text, false, given -> {
            int value = Integer.parseInt(given);
            require(value >= min && value <= max);
            return value;
        });
    }

    static EppiOption<Long> size(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with B, KB, MB or GB";
        return new EppiOption<>(key, "size", preset, bounds, text, false, given -> {
            long value = bytes(given);
            require(value >= bytes(min) && value <= bytes(max));
            return value;
        });
    }

    static EppiOption<Duration> duration(String key, String preset, String min, String max, String text) {
        String bounds = min + " to " + max + "; a number with ms, s, m or h";
        return new EppiOption<>(key, "duration", preset, bounds, text, false, given -> {
            Duration value = time(given);
            require(value.compareTo(time(min)) >= 0 && value.compareTo(time(max)) <= 0);
            return value;
        });
    }

    static EppiOption<Policy> policy(String key, String preset, String text) {
        String bounds =
                "basic, incremented(Δ), chernoff(γ), exact(γ) with Δ above 0 and below 1, γ above 0.5 and below 1";
        return new EppiOption<>(key, "policy", preset, bounds, text, false, Policy::parse);
    }

    static <E extends Enum<E>> EppiOption<E> choice(String key, Class<E> type, E preset, String text) {
        var words = new ArrayList<String>();
        for (E constant : type.getEnumConstants()) {
            words.add(word(constant));
        }
        return new EppiOption<>(key, "choice", word(preset), String.join(", ", words), text, false, given -> {
            int index = words.indexOf(given.toLowerCase(Locale.ROOT));
            require(index >= 0);
            return type.getEnumConstants()[index];
        });
    }

    /** The key in files and on the command line. */
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

    /** What it does, in one sentence or two. */
    public String text() {
        return text;
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

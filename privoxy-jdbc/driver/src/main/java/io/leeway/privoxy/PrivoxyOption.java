package io.leeway.privoxy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * One option: its key, type, default, bounds and meaning. Immutable and thread-safe.
 *
 * @param <T> type of the value
 * @since 0.1
 */
public final class PrivoxyOption<T> {

    private final String key;
    private final String type;
    private final String bounds;
    private final String defaultText;
    private final String description;
    private final String since;
    private final boolean sensitive;
    private final List<String> choices;
    private final Function<String, T> parser;

    private PrivoxyOption(Spec<T> spec, String key, String defaultText, String description) {
        this.key = key;
        this.type = spec.type;
        this.bounds = spec.bounds;
        this.choices = spec.choices;
        this.parser = spec.parser;
        this.defaultText = defaultText;
        this.description = description;
        this.since = "0.1";
        this.sensitive = spec.sensitive;
    }

    static PrivoxyOption<String> text(String key, String defaultText, String description) {
        return new PrivoxyOption<>(Spec.of("text", "", text -> text), key, defaultText, description);
    }

    /** A text that is not to be seen in logs, messages or tools. */
    static PrivoxyOption<String> secret(String key, String defaultText, String description) {
        var spec = new Spec<String>("text", "", List.of(), true, text -> text);
        return new PrivoxyOption<>(spec, key, defaultText, description);
    }

    static PrivoxyOption<List<String>> list(String key, String description) {
        return new PrivoxyOption<>(Spec.of("list", "comma-separated", PrivoxyOption::split), key, "", description);
    }

    static PrivoxyOption<Boolean> flag(String key, boolean preset, String description) {
        var choices = List.of("true", "false");
        var spec = new Spec<Boolean>("flag", "", choices, false, text -> choose(choices, text) == 0);
        return new PrivoxyOption<>(spec, key, Boolean.toString(preset), description);
    }

    static PrivoxyOption<Integer> number(String key, int preset, int min, int max, String description) {
        String bounds = min + " to " + max;
        Spec<Integer> spec = Spec.of("number", bounds, text -> between(min, max, bounds, text));
        return new PrivoxyOption<>(spec, key, Integer.toString(preset), description);
    }

    static PrivoxyOption<Duration> duration(String key, String preset, String description) {
        Spec<Duration> spec = Spec.of("duration", "number with ms, s, m or h; 0s is never", PrivoxyOption::time);
        return new PrivoxyOption<>(spec, key, preset, description);
    }

    static <E extends Enum<E>> PrivoxyOption<E> choice(String key, Class<E> type, E preset, String description) {
        List<String> names = names(type);
        E[] constants = type.getEnumConstants();
        var spec = new Spec<E>("choice", "", names, false, text -> constants[choose(names, text)]);
        return new PrivoxyOption<>(spec, key, preset.name().toLowerCase(Locale.ROOT), description);
    }

    static <E extends Enum<E>> PrivoxyOption<Map<String, E>> choices(String key, Class<E> type, String description) {
        List<String> names = names(type);
        E[] constants = type.getEnumConstants();
        String bounds = "name:choice, comma-separated; choices " + String.join(", ", names);
        Spec<Map<String, E>> spec = Spec.of("map", bounds, text -> pairs(text, names, constants));
        return new PrivoxyOption<>(spec, key, "", description);
    }

    /** The key as it stands in URLs and properties. */
    public String key() {
        return key;
    }

    /** The kind of value, in one word. */
    public String type() {
        return type;
    }

    /** What values are allowed, in words; empty if all of the type. */
    public String bounds() {
        return choices.isEmpty() ? bounds : String.join(", ", choices);
    }

    /** The words to choose from; empty if the value is free. */
    public List<String> choices() {
        return choices;
    }

    /** The value when none is given, as text. */
    public String defaultText() {
        return defaultText;
    }

    /** What it does, in one line. */
    public String description() {
        return description;
    }

    /** The release that brought it. */
    public String since() {
        return since;
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
    public T parse(String text) {
        return parser.apply(text.strip());
    }

    @Override
    public String toString() {
        return key;
    }

    private static List<String> split(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static int choose(List<String> choices, String text) {
        int index = choices.indexOf(text.toLowerCase(Locale.ROOT));
        if (index < 0) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", choices));
        }
        return index;
    }

    private static int between(int min, int max, String bounds, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Falls through to the same message as a number out of range.
        }
        throw new IllegalArgumentException("must be a whole number from " + bounds);
    }

    private static Duration time(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        try {
            Duration duration = Duration.parse(lower.endsWith("ms") ? "PT" + millis(lower) + "S" : "PT" + lower);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (RuntimeException notADuration) {
            // Falls through to the same message as a negative one.
        }
        throw new IllegalArgumentException("must be a duration as 500ms, 5s, 2m or 1h");
    }

    private static String millis(String text) {
        long number = Long.parseUnsignedLong(text.substring(0, text.length() - 2));
        return number / 1000 + "." + String.format(Locale.ROOT, "%03d", number % 1000);
    }

    private static <E> Map<String, E> pairs(String text, List<String> names, E[] constants) {
        var pairs = new LinkedHashMap<String, E>();
        for (String part : split(text)) {
            int colon = part.lastIndexOf(':');
            if (colon <= 0) {
                throw new IllegalArgumentException("must be name:choice, comma-separated");
            }
            String name = part.substring(0, colon).strip();
            int choice = choose(names, part.substring(colon + 1).strip());
            if (pairs.put(name, constants[choice]) != null) {
                throw new IllegalArgumentException("names " + name + " twice");
            }
        }
        return Map.copyOf(pairs);
    }

    private static <E extends Enum<E>> List<String> names(Class<E> type) {
        var names = new ArrayList<String>();
        for (E constant : type.getEnumConstants()) {
            names.add(constant.name().toLowerCase(Locale.ROOT));
        }
        return List.copyOf(names);
    }

    private record Spec<T>(
            String type, String bounds, List<String> choices, boolean sensitive, Function<String, T> parser) {

        static <T> Spec<T> of(String type, String bounds, Function<String, T> parser) {
            return new Spec<>(type, bounds, List.of(), false, parser);
        }
    }
}

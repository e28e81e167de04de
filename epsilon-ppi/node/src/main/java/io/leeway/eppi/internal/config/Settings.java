package io.leeway.eppi.internal.config;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.console.DidYouMean;
import io.leeway.eppi.node.EppiOption;
import io.leeway.eppi.node.EppiOptions;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** The values of all options. Immutable. */
public final class Settings {

    private final Map<EppiOption<?>, Object> values;

    private Settings(Map<EppiOption<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** Files that have to be there before a node starts, if the option is given. */
    private static final Set<EppiOption<?>> FILES =
            Set.of(EppiOptions.ROSTER, EppiOptions.KEY, EppiOptions.NETWORK_KEY);

    /**
     * Reads options, whose keys may stand without the prefix.
     *
     * @param needed those that have to be there
     * @throws EppiException with {@link Code#CONFIGURATION} that lists all faults
     */
    @SafeVarargs
    public static Settings of(Map<String, String> given, EppiOption<String>... needed) {
        var left = new TreeMap<String, String>();
        given.forEach(
                (key, value) -> left.put(key.startsWith(EppiOptions.PREFIX) ? key : EppiOptions.PREFIX + key, value));
        var values = new HashMap<EppiOption<?>, Object>();
        var faults = new ArrayList<String>();
        for (EppiOption<?> option : EppiOptions.all()) {
            values.put(option, read(option, left.remove(option.key()), faults));
        }
        List<String> known = EppiOptions.all().stream().map(EppiOption::key).toList();
        left.keySet().forEach(key -> faults.add("there is no option " + key + DidYouMean.hint(key, known)));
        for (EppiOption<String> each : needed) {
            // What is wrong was said already.
            boolean isWrong = faults.stream().anyMatch(fault -> fault.startsWith(each.key() + "="));
            if (!isWrong && String.valueOf(values.get(each)).isEmpty()) {
                faults.add(missing(each));
            }
        }
        FILES.forEach(option -> lookFor(option, String.valueOf(values.get(option)), faults));
        if (!faults.isEmpty()) {
            throw EppiException.of(Code.CONFIGURATION, String.join("; ", faults));
        }
        return new Settings(values);
    }

    private static void lookFor(EppiOption<?> option, String file, List<String> faults) {
        try {
            if (!file.isEmpty() && !Files.isReadable(Path.of(file))) {
                faults.add(option + "=" + file + " is no file that can be read");
            }
        } catch (InvalidPathException e) {
            faults.add(option + " is no path");
        }
    }

    private static String missing(EppiOption<String> option) {
        return option.key() + " is missing: " + lowered(option.text());
    }

    /** A sentence within another. */
    private static String lowered(String sentence) {
        String text = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    /**
     * The options of a properties file, as texts.
     *
     * @throws EppiException with {@link Code#CONFIGURATION} if it cannot be read
     */
    public static Map<String, String> texts(Path file) {
        var all = new HashMap<String, String>();
        try (Reader reader = Files.newBufferedReader(file)) {
            var properties = new Properties();
            properties.load(reader);
            properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
            return all;
        } catch (NoSuchFileException e) {
            throw EppiException.of(Code.CONFIGURATION, "there is no file " + file, e);
        } catch (IOException | IllegalArgumentException e) {
            throw EppiException.of(Code.CONFIGURATION, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Object read(
            EppiOption<?> option, @org.jspecify.annotations.Nullable String text, List<String> faults) {
        if (text != null) {
            try {
                return option.read(text);
            } catch (IllegalArgumentException refused) {
                faults.add(String.valueOf(refused.getMessage()));
            }
        }
        return option.read(option.preset());
    }

    /** The value of an option. */
    @SuppressWarnings("unchecked") // Each was read by its own option.
    public <T> T get(EppiOption<T> option) {
        return (T) Objects.requireNonNull(values.get(option), option.key());
    }

    /** The path that an option has to have. */
    public Path path(EppiOption<String> option) {
        try {
            return Path.of(required(option));
        } catch (InvalidPathException e) {
            throw EppiException.of(Code.CONFIGURATION, option + " is no path", e);
        }
    }

    /** The text that an option has to have. */
    public String required(EppiOption<String> option) {
        String text = get(option);
        if (text.isEmpty()) {
            throw EppiException.of(Code.CONFIGURATION, missing(option));
        }
        return text;
    }

    /** Keys and values, without those that are sensitive. */
    @Override
    public String toString() {
        var text = new TreeMap<String, Object>();
        values.forEach((option, value) -> text.put(option.key(), option.sensitive() ? "***" : value));
        return text.toString();
    }
}

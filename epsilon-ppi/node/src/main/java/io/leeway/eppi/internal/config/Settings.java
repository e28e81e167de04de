package io.leeway.eppi.internal.config;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.console.DidYouMean;
import io.leeway.eppi.node.EppiOption;
import io.leeway.eppi.node.EppiOptions;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;

/** The values of all options. Immutable. */
public final class Settings {

    private final Map<EppiOption<?>, Object> values;

    private Settings(Map<EppiOption<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads options, whose keys may stand without the prefix.
     *
     * @throws EppiException with {@link Code#CONFIGURATION} that lists all faults
     */
    public static Settings of(Map<String, String> given) {
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
        if (!faults.isEmpty()) {
            throw EppiException.of(Code.CONFIGURATION, String.join("; ", faults));
        }
        return new Settings(values);
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
        return Path.of(required(option));
    }

    /** The text that an option has to have. */
    public String required(EppiOption<String> option) {
        String text = get(option);
        if (text.isEmpty()) {
            throw EppiException.of(Code.CONFIGURATION, option.key() + " is missing: " + option.text());
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

package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The words of a command, taken apart: its own settings, options of the configuration, and names.
 *
 * @param own settings that belong to the command, by their names; "" where none was given a value
 * @param options of the configuration, by their whole keys
 * @param names words that are no options
 */
record Words(Map<String, String> own, Map<String, String> options, List<String> names) {

    private static final String CONFIG = "config";
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m)");

    /**
     * Takes words apart, of which these settings are the command's own. What stands on the command line wins over the
     * file of --config.
     *
     * <p>Wherever --config stands among the words. Keys may leave out the prefix that all of them have.
     */
    static Words of(List<String> words, Set<String> ownSettings) {
        var own = new LinkedHashMap<String, String>();
        var options = new LinkedHashMap<String, String>();
        var typed = new LinkedHashMap<String, String>();
        var names = new ArrayList<String>();
        for (String word : words) {
            if (!word.startsWith("--")) {
                names.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            String key = word.substring(2, equals < 0 ? word.length() : equals);
            String value = equals < 0 ? "" : word.substring(equals + 1);
            if (ownSettings.contains(key)) {
                own.put(key, value);
            } else if (equals < 0) {
                throw usage(word + " is not an option; give --key=value");
            } else if (key.equals(CONFIG)) {
                options.putAll(file(value));
            } else {
                typed.put(key.startsWith(LazyTablesOptions.PREFIX) ? key : LazyTablesOptions.PREFIX + key, value);
            }
        }
        options.putAll(typed);
        return new Words(own, options, names);
    }

    /** Ends the command if there are words that are no options. */
    Map<String, String> optionsAlone() {
        if (!names.isEmpty()) {
            throw usage(names.get(0) + " is not an option; give --key=value");
        }
        return options;
    }

    /** Whether a setting of the command is given. */
    boolean has(String name) {
        return own.containsKey(name);
    }

    /** A setting of the command, or null. */
    @Nullable
    String text(String name) {
        return own.get(name);
    }

    /** A whole number. */
    int whole(String name, int otherwise, int least, int most) {
        String value = own.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw usage("--" + name + "=" + value + " is no whole number");
        }
        throw usage("--" + name + "=" + value + " is not within " + least + " to " + most);
    }

    /** A time; the first one if the setting is given without a value, the second if it is not given. */
    Duration time(String name, Duration empty, Duration absent) {
        String value = own.get(name);
        if (value == null || value.isEmpty()) {
            return value == null ? absent : empty;
        }
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw usage("--" + name + "=" + value + " is no time; give a number with ms, s or m, such as 2s");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    static LazyTablesException usage(String what) {
        return LazyTablesException.of(Code.BAD_ARGUMENT, what + " (lazytables --help)");
    }

    /**
     * Its keys have to be whole, as in a program's own file; those that are unknown are found where all options are
     * checked.
     */
    private static Map<String, String> file(String name) {
        var properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            String why = e instanceof InvalidPathException ? "is no path" : "cannot be read: " + e.getMessage();
            throw LazyTablesException.of(Code.CONFIGURATION, name + " " + why, e);
        }
        var options = new LinkedHashMap<String, String>();
        properties.stringPropertyNames().forEach(key -> options.put(key, properties.getProperty(key)));
        return options;
    }
}

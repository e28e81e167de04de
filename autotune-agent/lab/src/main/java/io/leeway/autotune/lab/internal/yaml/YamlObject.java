package io.leeway.autotune.lab.internal.yaml;

import io.leeway.autotune.AutoTuneError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * An object of a YAML file. Reading a key that is wrong gives its default and notes a fault with the line, so that one
 * run over a file finds all of them; {@link #noOtherKeys} notes keys that were never asked for.
 */
public final class YamlObject {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final int MOST_CHARACTERS = 3_000_000;

    private final Path file;
    private final Node node;
    private final Faults faults;
    private final Map<String, Node> entries = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();

    private YamlObject(Path file, Node node, Faults faults) {
        this.file = file;
        this.node = node;
        this.faults = faults;
        if (!(node instanceof MappingNode mapping)) {
            faults.at(file, node, "keys with values are wanted here");
            return;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                faults.at(file, tuple.getKeyNode(), "a key is one word");
            } else if (entries.put(key.getValue(), tuple.getValueNode()) != null) {
                faults.at(file, key, key.getValue() + " comes twice");
            }
        }
    }

    /**
     * Reads a file; a fault is noted if it is no YAML at all.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_FILE} if there is nothing to read
     */
    public static YamlObject read(Path file, Faults faults) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            var settings = LoadSettings.builder()
                    .setLabel(file.getFileName().toString())
                    .setCodePointLimit(MOST_CHARACTERS)
                    .build();
            Optional<Node> root = new Compose(settings).composeString(text);
            return new YamlObject(
                    file, root.orElseThrow(() -> AutoTuneError.BAD_FILE.because(file + " is empty")), faults);
        } catch (NoSuchFileException e) {
            throw AutoTuneError.BAD_FILE.because("there is no file " + file, e);
        } catch (IOException e) {
            throw AutoTuneError.BAD_FILE.because(file + " cannot be read: " + e.getMessage(), e);
        } catch (YamlEngineException e) {
            throw AutoTuneError.BAD_FILE.because(
                    "\n  " + String.valueOf(e.getMessage()).replace("\n", "\n  "), e);
        }
    }

    private @Nullable Node find(String key) {
        asked.add(key);
        return entries.get(key);
    }

    /** Whether a key is there. */
    public boolean has(String key) {
        return find(key) != null;
    }

    /** The keys, in the order of the file. */
    public Set<String> keys() {
        return entries.keySet();
    }

    /** Notes something about a key's value, or about the whole if it is not there. */
    public void fault(String key, String what) {
        Node value = find(key);
        faults.at(file, value == null ? node : value, key + ": " + what);
    }

    /** Notes what an exception says about a key. */
    public <T> @Nullable T trying(String key, Function<YamlObject, T> what) {
        try {
            return what.apply(this);
        } catch (io.leeway.autotune.AutoTuneException | IllegalArgumentException e) {
            fault(key, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** A text; a missing one is a fault. */
    public String text(String key) {
        String text = text(key, "");
        if (!has(key)) {
            faults.at(file, node, key + " is missing");
        }
        return text;
    }

    /** A text with a default. */
    public String text(String key, String otherwise) {
        Node value = find(key);
        return value == null ? otherwise : scalar(key, value, otherwise);
    }

    private String scalar(String key, Node value, String otherwise) {
        if (value instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        faults.at(file, value, key + " is a single value");
        return otherwise;
    }

    /** A number within bounds, with a default. */
    public double number(String key, double otherwise, double min, double max) {
        String text = text(key, "");
        if (!has(key)) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, as a number out of bounds is.
        }
        fault(key, "a number from " + shown(min) + " to " + shown(max) + " is wanted, not " + text);
        return otherwise;
    }

    /** A whole number within bounds, with a default. */
    public long whole(String key, long otherwise, long min, long max) {
        double number = number(key, (double) otherwise, (double) min, (double) max);
        if (number != Math.rint(number)) {
            fault(key, "a whole number is wanted, not " + text(key, ""));
            return otherwise;
        }
        return (long) number;
    }

    private static String shown(double bound) {
        return bound == Math.rint(bound) && Math.abs(bound) < 1e15
                ? Long.toString((long) bound)
                : Double.toString(bound);
    }

    /** A duration such as {@code 200ms}, {@code 5s}, {@code 1m}. */
    public Duration duration(String key, Duration otherwise) {
        String text = text(key, "");
        if (!has(key)) {
            return otherwise;
        }
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            fault(key, "a duration has a unit, such as 200ms, 5s, 1m, not " + text);
            return otherwise;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /** Texts of a list; one single text is a list of one. */
    public List<String> texts(String key) {
        var texts = new ArrayList<String>();
        Node value = find(key);
        if (value instanceof SequenceNode sequence) {
            sequence.getValue().forEach(element -> texts.add(scalar(key, element, "")));
        } else if (value != null) {
            texts.add(scalar(key, value, ""));
        }
        return texts;
    }

    /** Objects of a list. */
    public List<YamlObject> objects(String key) {
        var objects = new ArrayList<YamlObject>();
        Node value = find(key);
        if (value instanceof SequenceNode sequence) {
            sequence.getValue().forEach(element -> objects.add(new YamlObject(file, element, faults)));
        } else if (value != null) {
            faults.at(file, value, key + " is a list");
        }
        return objects;
    }

    /** Whether a key has a list. */
    public boolean isList(String key) {
        return find(key) instanceof SequenceNode;
    }

    /** An object; null if it is not there. */
    public @Nullable YamlObject object(String key) {
        Node value = find(key);
        return value == null ? null : new YamlObject(file, value, faults);
    }

    /** Notes every key that nobody asked for. */
    public void noOtherKeys() {
        entries.forEach((key, value) -> {
            if (!asked.contains(key)) {
                faults.at(file, value, "there is no key " + key + " here; there are " + String.join(", ", asked));
            }
        });
    }
}

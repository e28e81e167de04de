package io.leeway.eppi.internal.cli;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Words of a command: plain ones, and {@code --key=value}. */
final class Arguments {

    private final List<String> words = new ArrayList<>();
    private final Map<String, String> options = new HashMap<>();

    Arguments(List<String> given) {
        for (String word : given) {
            if (!word.startsWith("--")) {
                words.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            if (equals < 0) {
                options.put(word.substring(2), "true");
            } else {
                options.put(word.substring(2, equals), word.substring(equals + 1));
            }
        }
    }

    /** An option that is not of the product but of the command; taken out. */
    String take(String name, String preset) {
        String value = options.remove(name);
        return value == null ? preset : value;
    }

    String need(String name) {
        String value = take(name, "");
        if (value.isEmpty()) {
            throw EppiException.of(Code.CONFIGURATION, "--" + name + "=… is missing");
        }
        return value;
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(take(name, "false"));
    }

    String word(int index, String what) {
        if (index >= words.size()) {
            throw EppiException.of(Code.CONFIGURATION, what + " is missing");
        }
        return words.get(index);
    }

    boolean hasWord(int index) {
        return index < words.size();
    }

    /** Nothing may be left. */
    void end() {
        if (!options.isEmpty()) {
            throw EppiException.of(
                    Code.CONFIGURATION,
                    "this command has no option --"
                            + options.keySet().iterator().next());
        }
    }

    /** The options of the product: those of {@code --config}, and the others, which win. */
    Map<String, String> ofProduct() {
        String config = take("config", "");
        Map<String, String> all = new HashMap<>();
        if (!config.isEmpty()) {
            all.putAll(Settings.texts(Path.of(config)));
        }
        options.forEach((key, value) -> all.put(key.startsWith("eppi.") ? key : "eppi." + key, value));
        return all;
    }
}

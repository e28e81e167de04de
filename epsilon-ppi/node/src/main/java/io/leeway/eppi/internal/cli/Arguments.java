package io.leeway.eppi.internal.cli;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Words of a command: plain ones, {@code --key=value} or {@code --key value}, and flags. */
final class Arguments {

    /** What has no value. */
    private static final Set<String> FLAGS =
            Set.of("with-parent", "index-only", "once", "state.fresh", "eppi.state.fresh");

    private final List<String> words = new ArrayList<>();
    private final Map<String, String> options = new HashMap<>();

    Arguments(List<String> given) {
        for (int i = 0; i < given.size(); i++) {
            String word = given.get(i);
            if (!word.startsWith("--")) {
                words.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            String name = word.substring(2, equals < 0 ? word.length() : equals);
            if (equals >= 0) {
                options.put(name, word.substring(equals + 1));
            } else if (FLAGS.contains(name)) {
                options.put(name, "true");
            } else if (i + 1 < given.size() && !given.get(i + 1).startsWith("--")) {
                options.put(name, given.get(++i));
            } else {
                throw EppiException.of(Code.CONFIGURATION, word + " needs a value: " + word + "=…");
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

    /** No more words than these may be there. */
    void mostWords(int most) {
        if (words.size() > most) {
            throw EppiException.of(Code.CONFIGURATION, "\"" + words.get(most) + "\" is one word too many");
        }
    }

    /** No options may be left. */
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

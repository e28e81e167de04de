package io.leeway.autotune;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Values of several knobs at one time, by name. Immutable.
 *
 * @param values in the order of names
 * @since 0.1
 */
public record Setting(Map<String, KnobValue> values) {

    /** Copies. */
    public Setting {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /**
     * The value of a knob.
     *
     * @throws AutoTuneException with {@link AutoTuneError#UNKNOWN_NAME} if there is none
     */
    public KnobValue get(String knob) {
        KnobValue value = values.get(knob);
        if (value == null) {
            throw AutoTuneError.UNKNOWN_NAME.because("no value of " + knob + " in " + values.keySet());
        }
        return value;
    }

    /** This with another value of one knob. */
    public Setting with(String knob, KnobValue value) {
        var changed = new TreeMap<>(values);
        changed.put(knob, value);
        return new Setting(changed);
    }

    /** This with the values of another, where it has some. */
    public Setting with(Setting other) {
        var changed = new TreeMap<>(values);
        changed.putAll(other.values);
        return new Setting(changed);
    }

    /** Those values that differ from another's. */
    public Setting changedFrom(Setting before) {
        return new Setting(values.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(before.values.get(entry.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** {@code pool.size 10 → 24, threads 4 → 8}, for people. */
    public String changesFrom(Setting before) {
        return changedFrom(before).values.entrySet().stream()
                .map(entry -> {
                    KnobValue was = before.values.get(entry.getKey());
                    // What was not there before has a value, and no change of one.
                    return entry.getKey() + " " + (was == null ? "" : was + " → ") + entry.getValue();
                })
                .collect(Collectors.joining(", "));
    }
}

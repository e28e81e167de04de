package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Bounds that the user gave instead of the agent's. */
final class Ranges {

    private final Map<String, String> byName = new TreeMap<>();

    Ranges(List<String> texts) {
        for (String text : texts) {
            int at = text.lastIndexOf('=');
            if (at < 1) {
                throw AutoTuneError.BAD_OPTION.because("not knob=min..max: " + text);
            }
            byName.put(text.substring(0, at), text.substring(at + 1));
        }
        // So that faults are told at the start, not when the knob is found.
        byName.forEach((name, bounds) -> bounded(KnobSpec.size(name, 1, 1, ""), bounds));
    }

    KnobSpec applied(KnobSpec spec) {
        String bounds = byName.get(spec.name());
        return bounds == null ? spec : bounded(spec, bounds);
    }

    static KnobSpec bounded(KnobSpec spec, String bounds) {
        String[] ends = bounds.split("\\.\\.", -1);
        try {
            if (ends.length == 2) {
                double min = Double.parseDouble(ends[0]);
                double max = Double.parseDouble(ends[1]);
                return spec.within(min, max);
            }
        } catch (NumberFormatException e) {
            throw AutoTuneError.BAD_OPTION.because("not min..max: " + bounds, e);
        }
        throw AutoTuneError.BAD_OPTION.because("not min..max: " + bounds);
    }
}

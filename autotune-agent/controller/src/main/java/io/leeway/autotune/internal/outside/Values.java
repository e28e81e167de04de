package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values as programs print them: a number with a unit of memory or without, or a word. */
final class Values {

    private static final Pattern NUMBER = Pattern.compile("(-?[0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)i?b?");

    private Values() {}

    static KnobValue parse(KnobSpec spec, String text) throws IOException {
        String word = text.strip();
        if (!spec.isNumeric()) {
            return KnobValue.of(word);
        }
        Matcher number = NUMBER.matcher(word.toLowerCase(Locale.ROOT));
        if (!number.matches()) {
            throw new IOException(spec.name() + " is no number: " + word);
        }
        double factor = Math.pow(1024, " kmgt".indexOf(number.group(2).isEmpty() ? " " : number.group(2)));
        return KnobValue.of(Double.parseDouble(number.group(1)) * factor);
    }
}

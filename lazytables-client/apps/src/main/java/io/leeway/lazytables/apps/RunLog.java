package io.leeway.lazytables.apps;

import java.io.Flushable;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records of a run, a JSON object per line, for reports: {@code run} with the settings; {@code begin} with when each worker began; {@code clock} with what each worker
 * computed and waited in each clock; {@code measure} with the objective after each pass; {@code end}. Times are nanoseconds since
 * the worker began that they are of.
 *
 * <p>Thread-safe.
 */
public final class RunLog {

    private static final RunLog NONE = new RunLog(null);

    private final @Nullable Appendable out;
    /** Why nothing is written any more. */
    private @Nullable IOException fault;

    private RunLog(@Nullable Appendable out) {
        this.out = out;
    }

    /** Keeps nothing. */
    public static RunLog none() {
        return NONE;
    }

    /** Writes to it; closing it is the caller's. */
    public static RunLog to(Appendable out) {
        return new RunLog(out);
    }

    /** Why records are missing, or null. What a run does is worth more than what it notes of it: it goes on without. */
    synchronized @Nullable IOException fault() {
        return fault;
    }

    /** Writes a record of names and values: numbers, truth values, texts. */
    synchronized void write(String kind, Object... namesAndValues) {
        if (out == null || fault != null) {
            return;
        }
        var line = new StringBuilder(128).append("{\"kind\":");
        quote(line, kind);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            line.append(',');
            quote(line, namesAndValues[i].toString());
            line.append(':');
            value(line, namesAndValues[i + 1]);
        }
        try {
            out.append(line.append("}\n"));
            if (out instanceof Flushable buffered) {
                // Who looks on sees it, and a process that is killed takes nothing with it.
                buffered.flush();
            }
        } catch (IOException failed) {
            fault = failed;
        }
    }

    private static void value(StringBuilder line, Object value) {
        if (value instanceof Double number && !Double.isFinite(number)) {
            // JSON has no such numbers.
            line.append("null");
        } else if (value instanceof Number || value instanceof Boolean) {
            line.append(value);
        } else {
            quote(line, value.toString());
        }
    }

    private static void quote(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                line.append('\\').append(each);
            } else if (each < ' ') {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            } else {
                line.append(each);
            }
        }
        line.append('"');
    }
}

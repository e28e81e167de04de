package io.leeway.autotune.internal.trace;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request's header says of its trace.
 *
 * @param trace the trace's id, 32 digits; B3's short ids are filled up with noughts, as OpenTelemetry does
 * @param parent the id of the caller's span; empty if the header has none
 */
public record TraceHeader(String trace, String parent) {

    private static final Pattern W3C = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?");
    private static final Pattern B3 =
            Pattern.compile("([0-9a-f]{16}(?:[0-9a-f]{16})?)-(null|[0-9a-f]{16})(?:-[01d])?(?:-[0-9a-f]{16})?");
    private static final int LONGEST = 512;

    /** W3C's traceparent or B3's single header; nothing if it is neither, or of an invalid trace. */
    public static Optional<TraceHeader> parse(String header) {
        if (header.length() > LONGEST) {
            return Optional.empty();
        }
        String text = header.strip().toLowerCase(Locale.ROOT);
        Matcher w3c = W3C.matcher(text);
        Matcher found = w3c.matches() ? w3c : B3.matcher(text);
        if (!found.matches()) {
            return Optional.empty();
        }
        String trace = filled(found.group(1));
        String parent = "null".equals(found.group(2)) ? "" : found.group(2);
        return trace.chars().allMatch(c -> c == '0') ? Optional.empty() : Optional.of(new TraceHeader(trace, parent));
    }

    /** A trace's id with 32 digits. */
    public static String filled(String id) {
        return "0".repeat(Math.max(0, 32 - id.length())) + id;
    }
}

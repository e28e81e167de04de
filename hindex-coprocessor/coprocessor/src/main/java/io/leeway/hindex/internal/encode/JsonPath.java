package io.leeway.hindex.internal.encode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path into a JSON document: names and places, as {@code a.b[0].c}; {@code [*]} stands for all elements of an array,
 * once in a path. The document is read once and checked as a whole, as RFC 8259 has it; of equal names the last counts.
 * Immutable and thread-safe.
 */
final class JsonPath {

    /** Deeper documents are refused: the reader calls itself. */
    static final int MAX_DEPTH = 200;

    /** As a step. No place in an array has this number. */
    private static final int ALL = -1;

    private final String text;
    /** Names as text, places as numbers. */
    private final List<Object> steps;

    private JsonPath(String text, List<Object> steps) {
        this.text = text;
        this.steps = List.copyOf(steps);
    }

    /**
     * Reads a path.
     *
     * @throws IllegalArgumentException if it is none
     */
    static JsonPath parse(String text) {
        var steps = new ArrayList<Object>();
        for (String part : text.split("\\.", -1)) {
            int bracket = part.indexOf('[');
            String name = bracket < 0 ? part : part.substring(0, bracket);
            if (!name.isEmpty()) {
                steps.add(name);
            } else if (bracket != 0 || !steps.isEmpty()) {
                throw wrong(text);
            }
            if (bracket >= 0) {
                addPlaces(text, part.substring(bracket), steps);
            }
        }
        if (steps.stream().filter(step -> step.equals(ALL)).count() > 1) {
            throw new IllegalArgumentException(
                    "more than one [*] in the path " + text + "; an index follows one array");
        }
        return new JsonPath(text, steps);
    }

    /** Whether it may lead to several values. */
    boolean isMultiValued() {
        return steps.contains(ALL);
    }

    /**
     * The values that it leads to; null stands for a document that is none. Values that are JSON's null are left out.
     *
     * <p>An empty list says that the document is right and has nothing there: then it is absent and not malformed.
     */
    @Nullable
    List<JsonValue> find(byte[] document, int offset, int length) {
        String content = TextType.decode(document, offset, length);
        return content == null ? null : new JsonReader(content, steps).read();
    }

    @Override
    public String toString() {
        return text;
    }

    private static void addPlaces(String text, String places, List<Object> steps) {
        if (!places.endsWith("]")) {
            throw wrong(text);
        }
        for (String place : places.substring(1, places.length() - 1).split("\\]\\[", -1)) {
            if (place.equals("*")) {
                steps.add(ALL);
            } else if (place.matches("[0-9]{1,6}")) {
                steps.add(Integer.valueOf(place));
            } else {
                throw wrong(text);
            }
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "not a JSON path: '" + text + "'; write names and places as a.b[0].c or a[*].b");
    }

    /** A value as it stands in the document. */
    record JsonValue(ValueType.JsonKind kind, String text) {}
}

package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * What a returned row tells about the database.
 *
 * @param parts facts; each holds for every row whose guard is non-null
 * @param complete whether reading all rows gives the whole answer of {@code parts} (no LIMIT, no over-approximation)
 */
public record Recording(List<Part> parts, boolean complete) {

    /** Nothing is learnt from the rows. */
    public static final Recording NONE = new Recording(List.of(), false);

    public Recording {
        parts = List.copyOf(parts);
    }

    /**
     * A row of the result is an answer of {@code query}.
     *
     * @param query with {@code Parameter(i)} standing for {@code arguments.get(i)}
     * @param arguments slots of the statement
     * @param resultColumns for each head term the 0-based column of the result
     * @param guard 0-based result column that must be non-null for this part to hold, or -1
     */
    public record Part(ConjunctiveQuery query, List<Slot> arguments, List<Integer> resultColumns, int guard) {
        public Part {
            arguments = List.copyOf(arguments);
            resultColumns = List.copyOf(resultColumns);
        }
    }
}

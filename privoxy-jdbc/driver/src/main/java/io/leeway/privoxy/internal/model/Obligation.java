package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * One of the questions whose answers together determine what a statement returns. The statement is compliant if every
 * obligation is, for every choice of alternatives of its arguments.
 *
 * @param query the question, as a set; {@code Parameter(i)} is {@code arguments.get(i)}
 * @param arguments where its arguments come from
 * @param reason what part of the statement this stands for, in plain words, without data
 */
public record Obligation(UnionQuery query, List<Slot> arguments, String reason) {

    /** The reason of the rows that a statement returns. */
    public static final String ROWS = "rows of the result";

    /** The same where more is asked for than they show, by which equal ones are told apart. */
    public static final String ROWS_AS_OFTEN = "rows of the result, each as often as it occurs";

    public Obligation {
        arguments = List.copyOf(arguments);
    }
}

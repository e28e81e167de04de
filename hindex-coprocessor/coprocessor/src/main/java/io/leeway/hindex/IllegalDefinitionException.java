package io.leeway.hindex;

import java.util.List;

/**
 * A definition of an index that cannot be: all that is wrong with it, each with its place and what to write instead.
 *
 * @since 0.1
 */
public final class IllegalDefinitionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    /** With all problems, at least one. */
    public IllegalDefinitionException(String name, List<String> problems) {
        super("index " + name + " cannot be: " + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** The problems, one sentence each. */
    public List<String> problems() {
        return problems;
    }
}

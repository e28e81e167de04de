package io.leeway.netsim;

import java.util.List;
import java.util.stream.Collectors;

/** All that is wrong with an experiment file. */
public final class ExperimentFileException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    ExperimentFileException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Each problem, by line. */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * One problem.
     *
     * @param code which
     * @param line where, from 1
     * @param text what is wrong, and what to write instead
     */
    public record Problem(NetsimError code, int line, String text) {
        @Override
        public String toString() {
            return "line " + line + ": " + code + " " + text;
        }
    }
}

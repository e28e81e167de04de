package io.leeway.pipelining;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Operators and the streams between them, as a host runs them at present. Immutable and thread-safe.
 *
 * @param operators the operators
 * @param streams who feeds whom
 * @since 0.1
 */
public record PipelineGraph(List<Operator> operators, List<Stream> streams) {

    /**
     * How tuples of one source may meet again at an operator with several inputs.
     *
     * @since 0.1
     */
    public enum Merge {
        /** Exactly as one thread brings them: ports that would interleave them differently are refused. */
        AS_SEQUENTIAL,
        /** In order within each input, in any order between inputs. */
        PER_INPUT
    }

    /**
     * One operator.
     *
     * @param id its number, unique in the graph
     * @param name its name, for people
     * @param source whether it makes tuples; it has a thread of its own and no input port
     * @param stateful whether two threads must not be in it at once
     * @param merge how tuples may meet at it
     * @param refusal why there may be no thread in front of it; empty if there may
     * @since 0.1
     */
    public record Operator(int id, String name, boolean source, boolean stateful, Merge merge, String refusal) {

        /** A source. */
        public static Operator source(int id, String name) {
            return new Operator(id, name, true, true, Merge.AS_SEQUENTIAL, "a source has no input port");
        }

        /** An operator in front of which there may be a thread. */
        public static Operator of(int id, String name, boolean stateful, Merge merge) {
            return new Operator(id, name, false, stateful, merge, "");
        }

        /** The same operator, in front of which there may be no thread. */
        public Operator refused(String why) {
            return new Operator(id, name, source, stateful, merge, why);
        }

        /** Whether there may be a thread in front of it, as far as it alone decides. */
        public boolean mayBeThreaded() {
            return refusal.isEmpty();
        }
    }

    /**
     * One stream.
     *
     * @param from the operator that submits
     * @param to the operator that takes
     * @since 0.1
     */
    public record Stream(int from, int to) {}

    /** Copies both lists. */
    public PipelineGraph {
        operators = List.copyOf(operators);
        streams = List.copyOf(streams);
    }

    /** The operator of that number. */
    public Optional<Operator> operator(int id) {
        return operators.stream().filter(operator -> operator.id() == id).findFirst();
    }

    /** The name of an operator, for people. */
    public String name(int id) {
        return operator(id).map(Operator::name).orElse("operator " + id);
    }

    /** The numbers of the operators that an operator feeds. */
    public List<Integer> after(int id) {
        var after = new ArrayList<Integer>();
        for (Stream stream : streams) {
            if (stream.from() == id) {
                after.add(stream.to());
            }
        }
        return after;
    }
}

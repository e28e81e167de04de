package io.leeway.benchmarks.pipelining;

import io.leeway.pipelining.graph.TupleOperator;
import io.leeway.pipelining.graph.TupleOutput;
import io.leeway.pipelining.graph.TupleSource;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Operators as the paper's applications have them, of settable cost. */
final class Work {

    private Work() {}

    /**
     * A tuple.
     *
     * @param number its place in the source
     * @param key what it is about
     * @param value changes on its way
     * @param payload read by each operator
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Tuple(long number, int key, long value, byte[] payload) implements Serializable {
        Tuple with(long now) {
            return new Tuple(number, key, now, payload);
        }
    }

    /** A series of multiplications (AutoPipelining §4.8.2), and a look at the payload. */
    static long burn(long value, int multiplications) {
        long burnt = value;
        for (int i = 0; i < multiplications; i++) {
            burnt = burnt * 6364136223846793005L + 1442695040888963407L;
        }
        return burnt;
    }

    /** Tuples of so many keys; {@code most} of them. */
    static TupleSource source(long most, int keys, int bytes) {
        return new TupleSource() {
            private long next;

            @Override
            public boolean next(TupleOutput output) {
                long number = next++;
                output.submit(new Tuple(number, (int) (number % keys), number, new byte[bytes]));
                return next < most;
            }
        };
    }

    /** A Functor, also what the applications call Custom: costs, and changes the value. */
    static TupleOperator functor(int cost) {
        return (input, given, output) -> {
            Tuple tuple = (Tuple) given;
            long value = tuple.value();
            for (byte each : tuple.payload()) {
                value += each;
            }
            output.submit(tuple.with(burn(value, cost)));
        };
    }

    /** Sends each tuple to one of its outputs, by key after a division: two splits in a row go by different parts of it. */
    static TupleOperator split(int divisor, int outputs) {
        return (input, given, output) -> output.submit(((Tuple) given).key() / divisor % outputs, given);
    }

    /** Waits for one tuple of each input, in their order, and joins them. */
    static TupleOperator barrier(int inputs, int cost) {
        var waiting = Stream.generate(ArrayDeque<Tuple>::new).limit(inputs).toList();
        return (input, given, output) -> {
            waiting.get(input).add((Tuple) given);
            if (waiting.stream().noneMatch(ArrayDeque::isEmpty)) {
                List<Tuple> met = waiting.stream().map(ArrayDeque::remove).toList();
                output.submit(met.get(0)
                        .with(burn(met.stream().mapToLong(Tuple::value).sum(), cost)));
            }
        };
    }

    /** Joins tuples of two inputs that have the same number. */
    static TupleOperator join(int cost) {
        var waiting = List.of(new HashMap<Long, Tuple>(), new HashMap<Long, Tuple>());
        return (input, given, output) -> {
            Tuple tuple = (Tuple) given;
            Tuple other = waiting.get(1 - input).remove(tuple.number());
            if (other == null) {
                waiting.get(input).put(tuple.number(), tuple);
            } else {
                output.submit(tuple.with(burn(tuple.value() + other.value(), cost)));
            }
        };
    }

    /** A running sum of each key, passed on with each tuple. */
    static TupleOperator aggregator(int cost) {
        Map<Integer, Long> sums = new HashMap<>();
        return (input, given, output) -> {
            Tuple tuple = (Tuple) given;
            Long sum = sums.merge(tuple.key(), burn(tuple.value(), cost), Long::sum);
            output.submit(tuple.with(sum));
        };
    }

    /** The end: counts, and sums up what came in whatever order. */
    static TupleOperator sink(LongAdder count, LongAdder digest) {
        return (input, given, output) -> {
            count.increment();
            digest.add(((Tuple) given).value() * 31 + ((Tuple) given).number());
        };
    }
}

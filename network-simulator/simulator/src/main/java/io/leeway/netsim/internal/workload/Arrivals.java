package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.sim.Rng;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When the messages of a job are there. */
public sealed interface Arrivals {

    /** Picoseconds to the next message. */
    long next(Rng rng);

    /** When each of so many messages is there, in picoseconds from the job's start; empty if all are at once. */
    default long[] times(int count, Rng rng) {
        long[] times = new long[count];
        for (int i = 1; i < count; i++) {
            times[i] = times[i - 1] + next(rng);
        }
        return times;
    }

    /** The one of this name: {@code together}, {@code etc}, {@code etc 1us} or {@code poisson 1us}. */
    static Optional<Arrivals> of(String name) {
        Matcher match = Pattern.compile("(together|etc|poisson)(?: (\\d{1,6}(?:\\.\\d{1,3})?)(us|ns))?")
                .matcher(name);
        if (!match.matches() || match.group(1).equals("together") != (match.group(2) == null) && !name.equals("etc")) {
            return Optional.empty();
        }
        if (match.group(2) == null) {
            return Optional.of(name.equals("etc") ? new KeyValue(KeyValue.MEAN) : new Together());
        }
        double mean = Double.parseDouble(match.group(2)) * (match.group(3).equals("us") ? 1e6 : 1e3);
        return Optional.of(match.group(1).equals("etc") ? new KeyValue(mean) : new Poisson(mean));
    }

    /** All at the start. */
    record Together() implements Arrivals {
        @Override
        public long next(Rng rng) {
            return 0;
        }

        @Override
        public long[] times(int count, Rng rng) {
            return new long[0];
        }
    }

    /**
     * A Poisson process.
     *
     * @param mean picoseconds
     */
    record Poisson(double mean) implements Arrivals {
        @Override
        public long next(Rng rng) {
            return (long) (mean * rng.nextExponential());
        }
    }

    /**
     * Requests to a key-value store: the published model of its ETC pool, a generalized Pareto distribution, faster or
     * slower.
     *
     * @param mean picoseconds
     */
    record KeyValue(double mean) implements Arrivals {
        private static final double SCALE = 16.0292e6;
        private static final double SHAPE = 0.154971;
        /** As published: 19 us. */
        static final double MEAN = SCALE / (1 - SHAPE);

        @Override
        public long next(Rng rng) {
            double published = SCALE / SHAPE * (Math.pow(1 - rng.nextDouble(), -SHAPE) - 1);
            return (long) (published * mean / MEAN);
        }
    }
}

package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.sim.Rng;
import java.util.Optional;

/** Lengths of messages, in bytes. */
public sealed interface Sizes {

    /** The next one, at least 1. */
    int next(Rng rng);

    /** The expected length. */
    double mean();

    /** The one of this name: {@code fbkv}, {@code fbhd}, or a number of bytes. */
    static Optional<Sizes> of(String name) {
        return switch (name) {
            case "fbkv" -> Optional.of(new KeyValue());
            case "fbhd" -> Optional.of(new Hadoop());
            default -> {
                try {
                    int bytes = Integer.parseInt(name);
                    yield bytes > 0 && bytes <= 50_000_000 ? Optional.of(new Fixed(bytes)) : Optional.empty();
                } catch (NumberFormatException e) {
                    yield Optional.empty();
                }
            }
        };
    }

    /**
     * All the same.
     *
     * @param bytes the length
     */
    record Fixed(int bytes) implements Sizes {
        @Override
        public int next(Rng rng) {
            return bytes;
        }

        @Override
        public double mean() {
            return bytes;
        }
    }

    /**
     * Values of a key-value store (FBKV): the published model of its ETC pool. 47 % are below 16 bytes, here evenly; the
     * rest follow a generalized Pareto distribution from 15 bytes on, cut at 1 MB.
     */
    record KeyValue() implements Sizes {
        private static final double SCALE = 214.476;
        private static final double SHAPE = 0.348238;
        private static final double SMALL = 0.47;

        @Override
        public int next(Rng rng) {
            if (rng.nextDouble() < SMALL) {
                return 1 + rng.nextInt(15);
            }
            double tail = 15 + SCALE / SHAPE * (Math.pow(1 - rng.nextDouble(), -SHAPE) - 1);
            return (int) Math.min(1_000_000, Math.max(1, tail));
        }

        @Override
        public double mean() {
            return SMALL * 8 + (1 - SMALL) * (15 + SCALE / (1 - SHAPE));
        }
    }

    /** Flows of a Hadoop cluster (FBHD), by the published quantiles, with logarithms joined by straight lines. */
    record Hadoop() implements Sizes {
        private static final double[] SHARES = {0, 0.1, 0.5, 0.75, 0.9, 0.95, 0.97, 0.99, 1};
        private static final double[] BYTES = {50, 315, 662, 42_500, 120_000, 273_000, 1_000_000, 3_430_000, 10_000_000
        };

        @Override
        public int next(Rng rng) {
            double share = rng.nextDouble();
            int i = 1;
            while (share > SHARES[i]) {
                i++;
            }
            double part = (share - SHARES[i - 1]) / (SHARES[i] - SHARES[i - 1]);
            return (int) (BYTES[i - 1] * Math.pow(BYTES[i] / BYTES[i - 1], part));
        }

        @Override
        public double mean() {
            double mean = 0;
            for (int i = 1; i < SHARES.length; i++) {
                double growth = Math.log(BYTES[i] / BYTES[i - 1]);
                mean += (SHARES[i] - SHARES[i - 1]) * (BYTES[i] - BYTES[i - 1]) / growth;
            }
            return mean;
        }
    }
}

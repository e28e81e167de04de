package io.leeway.eppi;

import java.util.Locale;

/**
 * Says with which probability a provider without records of a person publishes that it has some (ε-PPI §2.3.2).
 *
 * <p>Symbols: of {@code m} providers, {@code f} hold records of the person, whose wish is {@code ε}. A list satisfies the
 * wish if at least {@code f·ε/(1−ε)} of its entries are false. A probability of 1 or above means that even all providers
 * together have too few false entries: the person is <em>common</em>.
 *
 * <p>Every policy is monotone: more holders or a higher wish never lower the probability. Immutable and thread-safe.
 *
 * @since 0.1
 */
public sealed interface Policy {

    /**
     * The publishing probability; 1 or above if the person is common, infinite if nobody is left to publish noise.
     *
     * @param frequency holders, 0 to {@code providers}
     * @param providers how many there are, at least 1
     * @param epsilon the wish, 0 to 1
     */
    double probability(int frequency, int providers, double epsilon);

    /** How it is written in options: {@code basic}, {@code incremented(0.02)}, {@code chernoff(0.9)}, {@code exact(0.9)}. */
    String text();

    /** The expected number of false entries is what the wish needs: satisfied about every second time (ε-PPI §2.3.2, eq. 3). */
    record Basic() implements Policy {

        @Override
        public double probability(int frequency, int providers, double epsilon) {
            return Policies.basic(frequency, providers, epsilon);
        }

        @Override
        public String text() {
            return "basic";
        }
    }

    /**
     * The basic policy and a constant more (eq. 4), of which nobody can say what success it brings.
     *
     * @param delta what is added, above 0 and below 1
     */
    record Incremented(double delta) implements Policy {

        /** Checks the range. */
        public Incremented {
            Policies.require(delta > 0 && delta < 1, "the increment must be above 0 and below 1, not " + delta);
        }

        @Override
        public double probability(int frequency, int providers, double epsilon) {
            double basic = Policies.basic(frequency, providers, epsilon);
            return epsilon == 0 ? 0 : basic + delta;
        }

        @Override
        public String text() {
            return "incremented(" + Policies.number(delta) + ")";
        }
    }

    /**
     * Satisfied at least with the success ratio, by Chernoff's bound (theorem 2.3.1, eq. 5). Overshoots: about 0.99 where
     * 0.9 was asked for.
     *
     * @param success the ratio, above 0.5 and below 1
     */
    record Chernoff(double success) implements Policy {

        /** Checks the range. */
        public Chernoff {
            Policies.requireSuccess(success);
        }

        @Override
        public double probability(int frequency, int providers, double epsilon) {
            double basic = Policies.basic(frequency, providers, epsilon);
            if (basic == 0 || Double.isInfinite(basic)) {
                return basic;
            }
            double g = Math.log(1 / (1 - success)) / (providers - frequency);
            return basic + g + Math.sqrt(g * g + 2 * basic * g);
        }

        @Override
        public String text() {
            return "chernoff(" + Policies.number(success) + ")";
        }
    }

    /**
     * The smallest probability that satisfies the wish with the success ratio, by the exact tail of the binomial
     * distribution: the guarantee of {@link Chernoff} with less noise.
     *
     * @param success the ratio, above 0.5 and below 1
     */
    record Exact(double success) implements Policy {

        /** Checks the range. */
        public Exact {
            Policies.requireSuccess(success);
        }

        @Override
        public double probability(int frequency, int providers, double epsilon) {
            return Policies.exact(frequency, providers, epsilon, success);
        }

        @Override
        public String text() {
            return "exact(" + Policies.number(success) + ")";
        }
    }

    /**
     * Reads what {@link #text()} writes.
     *
     * @throws IllegalArgumentException if it is no policy, or its number is out of range
     */
    static Policy parse(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (word.equals("basic")) {
            return new Basic();
        }
        int open = word.indexOf('(');
        Policies.require(open > 0 && word.endsWith(")"), "not a policy: " + text);
        double number = Policies.parse(word.substring(open + 1, word.length() - 1));
        return switch (word.substring(0, open)) {
            case "incremented" -> new Incremented(number);
            case "chernoff" -> new Chernoff(number);
            case "exact" -> new Exact(number);
            default -> throw new IllegalArgumentException("not a policy: " + text);
        };
    }

    /**
     * The probability that a list satisfies its wish, exactly: the tail of the binomial distribution.
     *
     * @param probability with which providers without records publish; above 1 counts as 1
     */
    static double success(int frequency, int providers, double epsilon, double probability) {
        int need = need(frequency, epsilon);
        return Policies.tail(providers - frequency, need, Math.min(1, probability));
    }

    /** How many false entries the wish needs; {@link Integer#MAX_VALUE} if no number of them is enough. */
    static int need(int frequency, double epsilon) {
        if (frequency == 0 || epsilon == 0) {
            return 0;
        }
        if (epsilon >= 1) {
            return Integer.MAX_VALUE;
        }
        double exact = frequency * epsilon / (1 - epsilon);
        // 0.9/(1-0.9) is a little above 9 in floating point, which must not ask for one more.
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(exact - 1e-9 * Math.max(1, exact)));
    }

    /**
     * The smallest number of holders that makes a person common; {@code providers + 1} if none does.
     *
     * @param epsilon the wish, 0 to 1
     */
    default int commonFrom(int providers, double epsilon) {
        int low = 1;
        int high = providers + 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (probability(middle, providers, epsilon) >= 1) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}

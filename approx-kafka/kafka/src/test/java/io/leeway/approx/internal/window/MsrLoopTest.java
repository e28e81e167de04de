package io.leeway.approx.internal.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.estimate.Ratio;
import io.leeway.approx.estimate.Sample;
import io.leeway.approx.internal.wire.Sums;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** An error that is asked for becomes a rate, which follows the data; samples of it keep the error as often as they say. */
class MsrLoopTest {

    private static final int RECORDS = 10_000;

    private static MsrLoop loop(String rule) {
        return new MsrLoop(ApproxOptions.of(Map.of("approx.topics", "trips(" + rule + ")"))
                .topicRules()
                .get(0));
    }

    private static double[] window(RandomGenerator random, double spread) {
        double[] values = new double[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            values[i] = 10 + spread * random.nextGaussian();
        }
        return values;
    }

    private static Sums sums(double[] values) {
        Sums sums = Sums.NONE;
        for (double value : values) {
            sums = sums.plus(value);
        }
        return sums;
    }

    /** Any of the values, each as likely as any other. */
    private static double[] sample(double[] values, int size, RandomGenerator random) {
        double[] rest = values.clone();
        for (int i = 0; i < size; i++) {
            int other = i + random.nextInt(rest.length - i);
            double taken = rest[other];
            rest[other] = rest[i];
            rest[i] = taken;
        }
        return Arrays.copyOf(rest, size);
    }

    @Test
    void theRateIsThatOfTheErrorAndGoesUpAtOnceAndDownByAQuarter() {
        RandomGenerator random = Seeds.random("msr-loop");
        MsrLoop loop = loop("error.max=0.05;value=double;msr.floor=0.01");
        assertThat(loop.msr("all", 0)).as("before anything is known").isEqualTo(0.95);
        loop.learn("all", RECORDS, sums(window(random, 10)), Pairs.NONE);
        // (1.96 * 10 / (0.05 * 10))^2 = 1537 values of an endless window, so 1332 of 10,000.
        assertThat(loop.msr("all", 0)).isCloseTo(0.1332, within(0.015));
        loop.learn("all", RECORDS, sums(window(random, 20)), Pairs.NONE);
        double high = loop.msr("all", 0);
        assertThat(high).isCloseTo(0.381, within(0.05));
        loop.learn("all", RECORDS, sums(window(random, 10)), Pairs.NONE);
        assertThat(loop.msr("all", 0)).isCloseTo(high / 1.25, within(1e-9));
        assertThat(loop.msr("new", 0)).as("each group by itself").isEqualTo(0.95);
    }

    @Test
    void fewValuesAreSentWhole() {
        MsrLoop loop = loop("error.max=0.05;value=double");
        loop.learn("all", 29, sums(Arrays.copyOf(window(Seeds.random("msr-loop"), 1), 29)), Pairs.NONE);
        assertThat(loop.msr("all", 0)).isEqualTo(1);
    }

    @Test
    void meansOfSamplesAreWithinTheErrorAsOftenAsAsked() {
        RandomGenerator random = Seeds.random("msr-loop-means");
        MsrLoop loop = loop("error.max=0.02;confidence=0.95;value=double;msr.floor=0.01");
        int windows = 400;
        int within = 0;
        loop.learn("all", RECORDS, sums(window(random, 6)), Pairs.NONE);
        for (int i = 0; i < windows; i++) {
            double[] values = window(random, 6);
            double truth = sums(values).sum() / RECORDS;
            int size = (int) GroupSpec.need(loop.msr("all", 0), RECORDS);
            double mean =
                    new Sample(sample(values, size, random), RECORDS).mean(0.95).value();
            within += Math.abs(mean / truth - 1) <= 0.02 ? 1 : 0;
            loop.learn("all", RECORDS, sums(values), Pairs.NONE);
        }
        // 380 of 400 and more, since the rate falls slowly; less than 364 are seen once in ten thousand runs.
        assertThat(within).isGreaterThanOrEqualTo(364);
    }

    @Test
    void aQuotaOfTwentyfourHundredGivesSharesAndRanksWithinTwoPercent() {
        RandomGenerator random = Seeds.random("msr-loop-ranks");
        MsrLoop loop = loop("quota=2401");
        loop.learn("all", RECORDS, Sums.NONE, Pairs.NONE);
        int size = (int) GroupSpec.need(loop.msr("all", 0), RECORDS);
        assertThat(size).isEqualTo(2_401);
        int shares = 0;
        int ranks = 0;
        int windows = 400;
        for (int i = 0; i < windows; i++) {
            double[] values = window(random, 6);
            Sample sample = new Sample(sample(values, size, random), RECORDS);
            double median = sample.quantile(0.5, 0.95).value();
            double rank = Arrays.stream(values).filter(value -> value <= median).count() / (double) RECORDS;
            ranks += Math.abs(rank - 0.5) <= 0.02 ? 1 : 0;
            double all = Arrays.stream(values).filter(value -> value > 10).count();
            double estimated = sample.count(value -> value > 10, 0.95).value();
            shares += Math.abs(estimated - all) / RECORDS <= 0.02 ? 1 : 0;
        }
        assertThat(ranks).isGreaterThanOrEqualTo(364);
        assertThat(shares).isGreaterThanOrEqualTo(364);
    }

    @Test
    void theErrorOfACountIsAShareOfAllRecordsWhateverTheValues() {
        for (String answer : new String[] {"count", "rank", "quantile"}) {
            MsrLoop loop = loop("error.max=0.02;answer=" + answer + ";msr.floor=0.01");
            assertThat(loop.msr("all", 0)).as("before anything is known").isEqualTo(1);
            loop.learn("all", RECORDS, Sums.NONE, Pairs.NONE);
            // 2401 of an endless window, so 1937 of 10,000.
            assertThat(GroupSpec.need(loop.msr("all", 0), RECORDS)).isEqualTo(1_937);
            loop.learn("all", 20, Sums.NONE, Pairs.NONE);
            assertThat(loop.msr("all", 0)).as("few are sent whole").isEqualTo(1);
        }
    }

    @Test
    void sharesAndRanksOfSamplesAreWithinTheErrorAsOftenAsAsked() {
        RandomGenerator random = Seeds.random("msr-loop-shares");
        MsrLoop loop = loop("error.max=0.02;answer=count;msr.floor=0.01");
        loop.learn("all", RECORDS, Sums.NONE, Pairs.NONE);
        int size = (int) GroupSpec.need(loop.msr("all", 0), RECORDS);
        int shares = 0;
        int covered = 0;
        int ranks = 0;
        int windows = 400;
        for (int i = 0; i < windows; i++) {
            double[] values = window(random, 6);
            // From rare ones to half of all, which is the worst.
            double limit = 10 + random.nextDouble(12);
            Sample sample = new Sample(sample(values, size, random), RECORDS);
            double all = Arrays.stream(values).filter(value -> value > limit).count();
            var estimated = sample.count(value -> value > limit, 0.95);
            shares += Math.abs(estimated.value() - all) / RECORDS <= 0.02 ? 1 : 0;
            covered += estimated.low() <= all && all <= estimated.high() ? 1 : 0;
            assertThat(estimated.high() - estimated.low()).isLessThanOrEqualTo(0.0405 * RECORDS);
            double p = 0.1 + random.nextDouble(0.8);
            double quantile = sample.quantile(p, 0.95).value();
            double rank =
                    Arrays.stream(values).filter(value -> value <= quantile).count() / (double) RECORDS;
            ranks += Math.abs(rank - p) <= 0.02 ? 1 : 0;
        }
        assertThat(shares).isGreaterThanOrEqualTo(364);
        assertThat(covered).isGreaterThanOrEqualTo(358);
        assertThat(ranks).isGreaterThanOrEqualTo(364);
    }

    /** Fares that go with the miles, but for some noise. */
    private static double[][] rides(RandomGenerator random, double noise) {
        double[] miles = new double[RECORDS];
        double[] fares = new double[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            miles[i] = 1 + 9 * random.nextDouble();
            fares[i] = 3 * miles[i] + noise * random.nextGaussian();
        }
        return new double[][] {fares, miles};
    }

    private static Pairs pairs(double[][] rides) {
        Pairs pairs = Pairs.NONE;
        for (int i = 0; i < RECORDS; i++) {
            pairs = pairs.plus(rides[0][i], rides[1][i]);
        }
        return pairs;
    }

    @Test
    void aRatioNeedsLessThanTheMeanOfItsFirstValueAndKeepsItsErrorAsOftenAsAsked() {
        RandomGenerator random = Seeds.random("msr-loop-ratios");
        String rule = "error.max=0.02;value=csv:0;msr.floor=0.01";
        MsrLoop mean = loop(rule);
        MsrLoop ratio = loop(rule + ";answer=ratio;per=csv:1");
        assertThat(ratio.msr("all", 0)).as("before anything is known").isEqualTo(0.98);
        double[][] first = rides(random, 6);
        mean.learn("all", RECORDS, sums(first[0]), pairs(first));
        ratio.learn("all", RECORDS, sums(first[0]), pairs(first));
        // (1.96 * 6 / (0.02 * 16.5))^2 = 1270 of an endless window, so 1127; a mean's deviation is 9.8 instead of 6.
        assertThat(ratio.msr("all", 0)).isCloseTo(0.1127, within(0.01));
        assertThat(mean.msr("all", 0)).isGreaterThan(1.8 * ratio.msr("all", 0));
        int within = 0;
        int covered = 0;
        int windows = 400;
        for (int i = 0; i < windows; i++) {
            double[][] rides = rides(random, 6);
            double truth =
                    Arrays.stream(rides[0]).sum() / Arrays.stream(rides[1]).sum();
            int size = (int) GroupSpec.need(ratio.msr("all", 0), RECORDS);
            long seed = random.nextLong();
            double[] fares = sample(rides[0], size, new Random(seed));
            double[] miles = sample(rides[1], size, new Random(seed));
            var estimated = Ratio.of(fares, miles, RECORDS, 0.95);
            within += Math.abs(estimated.value() / truth - 1) <= 0.02 ? 1 : 0;
            covered += estimated.low() <= truth && truth <= estimated.high() ? 1 : 0;
            ratio.learn("all", RECORDS, sums(rides[0]), pairs(rides));
        }
        assertThat(within).isGreaterThanOrEqualTo(364);
        assertThat(covered).isGreaterThanOrEqualTo(358);
    }

    @Test
    void aRatioToNothingIsSentWhole() {
        MsrLoop loop = loop("error.max=0.02;value=csv:0;answer=ratio;per=csv:1");
        loop.learn("all", RECORDS, Sums.NONE, Pairs.NONE);
        assertThat(loop.msr("all", 0)).isEqualTo(1);
        Pairs nothing = Pairs.NONE;
        for (int i = 0; i < 100; i++) {
            nothing = nothing.plus(i, 0);
        }
        loop.learn("all", RECORDS, Sums.NONE, nothing);
        assertThat(loop.msr("all", 0)).isEqualTo(1);
    }
}

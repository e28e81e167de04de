package io.leeway.approx.internal.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.estimate.Sample;
import io.leeway.approx.internal.wire.Sums;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.Map;
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
        loop.learn("all", RECORDS, sums(window(random, 10)));
        // (1.96 * 10 / (0.05 * 10))^2 = 1537 values of an endless window, so 1332 of 10,000.
        assertThat(loop.msr("all", 0)).isCloseTo(0.1332, within(0.015));
        loop.learn("all", RECORDS, sums(window(random, 20)));
        double high = loop.msr("all", 0);
        assertThat(high).isCloseTo(0.381, within(0.05));
        loop.learn("all", RECORDS, sums(window(random, 10)));
        assertThat(loop.msr("all", 0)).isCloseTo(high / 1.25, within(1e-9));
        assertThat(loop.msr("new", 0)).as("each group by itself").isEqualTo(0.95);
    }

    @Test
    void fewValuesAreSentWhole() {
        MsrLoop loop = loop("error.max=0.05;value=double");
        loop.learn("all", 29, sums(Arrays.copyOf(window(Seeds.random("msr-loop"), 1), 29)));
        assertThat(loop.msr("all", 0)).isEqualTo(1);
    }

    @Test
    void meansOfSamplesAreWithinTheErrorAsOftenAsAsked() {
        RandomGenerator random = Seeds.random("msr-loop-means");
        MsrLoop loop = loop("error.max=0.02;confidence=0.95;value=double;msr.floor=0.01");
        int windows = 400;
        int within = 0;
        loop.learn("all", RECORDS, sums(window(random, 6)));
        for (int i = 0; i < windows; i++) {
            double[] values = window(random, 6);
            double truth = sums(values).sum() / RECORDS;
            int size = (int) GroupSpec.need(loop.msr("all", 0), RECORDS);
            double mean =
                    new Sample(sample(values, size, random), RECORDS).mean(0.95).value();
            within += Math.abs(mean / truth - 1) <= 0.02 ? 1 : 0;
            loop.learn("all", RECORDS, sums(values));
        }
        // 380 of 400 and more, since the rate falls slowly; less than 364 are seen once in ten thousand runs.
        assertThat(within).isGreaterThanOrEqualTo(364);
    }

    @Test
    void aQuotaOfTwentyfourHundredGivesSharesAndRanksWithinTwoPercent() {
        RandomGenerator random = Seeds.random("msr-loop-ranks");
        MsrLoop loop = loop("quota=2401");
        loop.learn("all", RECORDS, Sums.NONE);
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
}

package io.leeway.approx.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.approx.ApproxException;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.atp.Ranks;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Intervals contain the truth as often as they say: 2,000 windows, the sample chosen by rank as the transport does. */
class CoverageTest {

    private static final int WINDOWS = 2_000;
    private static final int RECORDS = 1_000;
    private static final double MSR = 0.3;

    /** The sample that the transport delivers whatever is lost: those of the lowest ranks. */
    private static double[] sample(double[] all, int window) {
        int need = (int) GroupSpec.need(MSR, all.length);
        double[] ranks = new double[all.length];
        Arrays.setAll(ranks, i -> Ranks.rank(7, window, 0, i));
        double[] sorted = ranks.clone();
        Arrays.sort(sorted);
        return IntStream.range(0, all.length)
                .filter(i -> ranks[i] < sorted[need])
                .mapToDouble(i -> all[i])
                .toArray();
    }

    private interface Answer {
        Estimate of(Sample sample);
    }

    private static void covers(
            String name, ToDoubleFunction<RandomGenerator> values, Answer answer, ToDoubleFunction<double[]> truth) {
        RandomGenerator random = Seeds.random(name);
        int covered = 0;
        for (int window = 0; window < WINDOWS; window++) {
            double[] all = new double[RECORDS];
            for (int i = 0; i < RECORDS; i++) {
                all[i] = values.applyAsDouble(random);
            }
            Estimate estimate = answer.of(new Sample(sample(all, window), RECORDS));
            covered += estimate.covers(truth.applyAsDouble(all)) ? 1 : 0;
        }
        assertThat(covered / (double) WINDOWS).as(name).isBetween(0.93, 0.97);
    }

    private static double mean(double[] all) {
        return Arrays.stream(all).average().orElseThrow();
    }

    private static double fare(RandomGenerator random) {
        return Math.exp(2.2 + 0.6 * random.nextGaussian());
    }

    @Test
    void meansOfNormalValues() {
        covers("normal", random -> 10 + random.nextGaussian(), sample -> sample.mean(0.95), CoverageTest::mean);
    }

    @Test
    void meansOfSkewedValues() {
        covers("lognormal", CoverageTest::fare, sample -> sample.mean(0.95), CoverageTest::mean);
    }

    @Test
    void sums() {
        covers(
                "sum",
                CoverageTest::fare,
                sample -> sample.sum(0.95),
                all -> Arrays.stream(all).sum());
    }

    @Test
    void counts() {
        covers(
                "count",
                CoverageTest::fare,
                sample -> sample.count(v -> v > 10, 0.95),
                all -> Arrays.stream(all).filter(v -> v > 10).count());
    }

    @Test
    void ratiosToAKnownTotalAreNarrower() {
        RandomGenerator random = Seeds.random("ratio");
        int covered = 0;
        double narrower = 0;
        for (int window = 0; window < WINDOWS; window++) {
            double[] miles = new double[RECORDS];
            double[] fares = new double[RECORDS];
            for (int i = 0; i < RECORDS; i++) {
                miles[i] = fare(random);
                fares[i] = 3 * miles[i] + random.nextGaussian();
            }
            double[] x = sample(miles, window);
            double[] y = sample(fares, window);
            Estimate estimate = Ratio.sum(y, x, Arrays.stream(miles).sum(), RECORDS, 0.95);
            covered += estimate.covers(Arrays.stream(fares).sum()) ? 1 : 0;
            narrower += estimate.halfWidth() / new Sample(y, RECORDS).sum(0.95).halfWidth();
        }
        assertThat(covered / (double) WINDOWS).isBetween(0.93, 0.97);
        assertThat(narrower / WINDOWS).isLessThan(0.2);
    }

    @Test
    void quantilesAreCoveredAtLeastAsOftenAsTheySay() {
        RandomGenerator random = Seeds.random("quantile");
        int covered = 0;
        for (int window = 0; window < WINDOWS; window++) {
            double[] all = random.doubles(RECORDS).toArray();
            Estimate estimate = new Sample(sample(all, window), RECORDS).quantile(0.9, 0.95);
            Arrays.sort(all);
            covered += estimate.covers(all[900]) ? 1 : 0;
        }
        assertThat(covered / (double) WINDOWS).isBetween(0.93, 0.99);
    }

    @Test
    void strataWithTheirOwnRates() {
        RandomGenerator random = Seeds.random("strata");
        int covered = 0;
        for (int window = 0; window < WINDOWS; window++) {
            List<Sample> samples = new ArrayList<>();
            double truth = 0;
            for (int group = 0; group < 3; group++) {
                double[] all = new double[RECORDS];
                for (int i = 0; i < RECORDS; i++) {
                    all[i] = (group + 1) * fare(random);
                }
                truth += Arrays.stream(all).sum();
                samples.add(new Sample(sample(all, window + group * WINDOWS), RECORDS));
            }
            covered += new Strata(samples).sum(0.95).covers(truth) ? 1 : 0;
        }
        assertThat(covered / (double) WINDOWS).isBetween(0.93, 0.97);
    }

    @Test
    void aWholeWindowIsExact() {
        Estimate sum = new Sample(new double[] {1, 2, 3}, 3).sum(0.95);
        assertThat(sum.low()).isEqualTo(6);
        assertThat(sum.high()).isEqualTo(6);
        assertThat(sum.warnings()).isEmpty();
    }

    @Test
    void refusesWhatASampleCannotTell() {
        Sample sample = new Sample(new double[] {1, 2, 3}, 100);
        assertThatThrownBy(sample::maximum).isInstanceOf(ApproxException.class).hasMessageContaining("APPROX-301");
        assertThatThrownBy(sample::minimum).isInstanceOf(ApproxException.class);
        assertThatThrownBy(sample::distinct).isInstanceOf(ApproxException.class);
        assertThatThrownBy(() -> sample.quantile(0.999, 0.95)).isInstanceOf(ApproxException.class);
        assertThatThrownBy(() -> new Sample(new double[] {1}, 9).mean(0.95)).isInstanceOf(ApproxException.class);
        assertThatThrownBy(() -> new Strata(List.of(sample, new Sample(new double[0], 5))).sum(0.95))
                .isInstanceOf(ApproxException.class);
    }

    @Test
    void warnsOfFewValuesAndOfHeavyTails() {
        assertThat(new Sample(new double[] {1, 2, 3}, 100).mean(0.95).warnings())
                .hasSize(1);
        double[] heavy = new double[100];
        Arrays.fill(heavy, 1);
        heavy[7] = 1_000;
        assertThat(new Sample(heavy, 1_000).sum(0.95).warnings())
                .singleElement()
                .asString()
                .contains("heavy tail");
    }
}

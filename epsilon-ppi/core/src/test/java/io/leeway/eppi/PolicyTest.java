package io.leeway.eppi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {

    private static final Policy BASIC = new Policy.Basic();
    private static final Policy INCREMENTED = new Policy.Incremented(0.02);
    private static final Policy CHERNOFF = new Policy.Chernoff(0.9);
    private static final Policy EXACT = new Policy.Exact(0.9);

    @ParameterizedTest
    @CsvSource({
        "10000, 1, 0.632, 1.000, 0.998",
        "10000, 10, 0.542, 1.000, 0.993",
        "10000, 100, 0.514, 1.000, 0.988",
        "10000, 500, 0.506, 1.000, 0.988",
        "100, 10, 0.549, 0.758, 0.997",
        "250, 25, 0.531, 0.838, 0.995",
        "500, 50, 0.522, 0.910, 0.993",
        "1000, 100, 0.516, 0.968, 0.992",
        "10000, 1000, 0.505, 1.000, 0.990",
    })
    void successRatiosAreThoseOfTheBinomialDistribution(
            int providers, int frequency, double basic, double incremented, double chernoff) {
        assertThat(success(BASIC, frequency, providers, 0.5)).isCloseTo(basic, within(0.00051));
        assertThat(success(INCREMENTED, frequency, providers, 0.5)).isCloseTo(incremented, within(0.00051));
        assertThat(success(CHERNOFF, frequency, providers, 0.5)).isCloseTo(chernoff, within(0.00051));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0.5, 7, 2",
        "10, 0.5, 29, 20",
        "100, 0.5, 224, 200",
        "500, 0.5, 1050, 1000",
        "100, 0.9, 1067, 1000",
    })
    void listsUnderChernoffHaveTheExpectedLength(int frequency, double epsilon, int listed, int need) {
        double probability = CHERNOFF.probability(frequency, 10_000, epsilon);

        assertThat(frequency + (10_000 - frequency) * probability).isCloseTo(listed, within(0.5));
        assertThat(frequency + Policy.need(frequency, epsilon)).isEqualTo(need);
    }

    @ParameterizedTest
    @CsvSource({
        "10000, 1, 0.5, 0.00023, 0.00065",
        "10000, 10, 0.5, 0.00142, 0.00195",
        "100, 10, 0.5, 0.153, 0.216",
    })
    void theExactPolicyNeedsLessNoiseThanChernoff(int m, int f, double epsilon, double exact, double chernoff) {
        assertThat(EXACT.probability(f, m, epsilon)).isCloseTo(exact, within(exact * 0.01));
        assertThat(CHERNOFF.probability(f, m, epsilon)).isCloseTo(chernoff, within(chernoff * 0.01));
    }

    @Test
    void theExactPolicyListsTwentyFourOfTenAndOneThousandAndThirtySevenOfAHundred() {
        assertThat(10 + 9_990 * EXACT.probability(10, 10_000, 0.5)).isCloseTo(24, within(0.5));
        assertThat(100 + 9_900 * EXACT.probability(100, 10_000, 0.9)).isCloseTo(1037, within(0.5));
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.9, 0.89817, 0.89370",
        "0.5, 0.5, 0.49495, 0.49236",
        "0.8, 0.2, 0.19679, 0.19615",
        "0.9, 0.1, 0.09820, 0.09796",
    })
    void personsBecomeCommonAtTheShareThatThePolicyHasNoNoiseLeftFor(
            double epsilon, double basic, double incremented, double chernoff) {
        assertThat(share(BASIC, epsilon)).isCloseTo(basic, within(0.00011));
        assertThat(share(INCREMENTED, epsilon)).isCloseTo(incremented, within(0.00011));
        assertThat(share(CHERNOFF, epsilon)).isCloseTo(chernoff, within(0.00011));
    }

    @Test
    void theThresholdIsTheSmallestCommonFrequency() {
        for (Policy policy : List.of(BASIC, INCREMENTED, CHERNOFF, EXACT)) {
            for (double epsilon : new double[] {0.25, 0.5, 0.9}) {
                int threshold = policy.commonFrom(200, epsilon);
                for (int f = 1; f <= 200; f++) {
                    assertThat(policy.probability(f, 200, epsilon) >= 1)
                            .as("%s %s of 200 at %s", policy.text(), f, epsilon)
                            .isEqualTo(f >= threshold);
                }
            }
        }
        assertThat(EXACT.commonFrom(200, 0)).isEqualTo(201);
    }

    @Test
    void chernoffAndExactReachTheirRatioForEveryFrequencyAndWish() {
        RandomGenerator random = Seeds.random("policies");
        for (int i = 0; i < Depth.of(3_000, 100_000); i++) {
            int providers = 2 + random.nextInt(3_000);
            int frequency = 1 + random.nextInt(providers);
            double epsilon = random.nextDouble();
            double ratio = 0.501 + random.nextDouble() * 0.498;
            for (Policy policy : List.of(new Policy.Chernoff(ratio), new Policy.Exact(ratio))) {
                if (policy.probability(frequency, providers, epsilon) < 1) {
                    assertThat(success(policy, frequency, providers, epsilon))
                            .as("%s %d of %d at %s", policy.text(), frequency, providers, epsilon)
                            .isGreaterThanOrEqualTo(ratio - 1e-12);
                }
            }
        }
    }

    @Test
    void trialsSucceedAsOftenAsTheDistributionSays() {
        RandomGenerator random = Seeds.random("trials");
        int trials = Depth.of(4_000, 100_000);
        for (Policy policy : List.of(BASIC, INCREMENTED, CHERNOFF, EXACT)) {
            double probability = policy.probability(20, 200, 0.5);
            int successes = 0;
            for (int t = 0; t < trials; t++) {
                int noise = 0;
                for (int i = 20; i < 200; i++) {
                    noise += random.nextDouble() < probability ? 1 : 0;
                }
                successes += noise >= 20 ? 1 : 0;
            }
            double expected = success(policy, 20, 200, 0.5);
            double error = Math.sqrt(expected * (1 - expected) / trials);
            // Five standard errors: one run in a million.
            assertThat((double) successes / trials).isCloseTo(expected, within(5 * error + 1e-9));
        }
    }

    @Test
    void theNeedIsNotRaisedByRounding() {
        assertThat(Policy.need(100, 0.9)).isEqualTo(900);
        assertThat(Policy.need(3, 0.75)).isEqualTo(9);
        assertThat(Policy.need(1, 0.1)).isEqualTo(1);
        assertThat(Policy.need(0, 0.9)).isZero();
        assertThat(Policy.need(1, 1)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void theEndsOfTheRangeAreTheExactListAndAllProviders() {
        for (Policy policy : List.of(BASIC, INCREMENTED, CHERNOFF, EXACT)) {
            assertThat(policy.probability(5, 10, 0)).isZero();
            assertThat(policy.probability(1, 10, 1)).isGreaterThanOrEqualTo(1);
            assertThat(policy.probability(10, 10, 0.1)).isGreaterThanOrEqualTo(1);
        }
    }

    @Test
    void textsAreReadBack() {
        for (Policy policy : List.of(BASIC, INCREMENTED, CHERNOFF, EXACT)) {
            assertThat(Policy.parse(policy.text())).isEqualTo(policy);
        }
    }

    @Test
    void whatIsNoPolicyIsRefused() {
        for (String text : List.of(
                "",
                "best",
                "exact",
                "exact()",
                "exact(x)",
                "exact(0.5)",
                "exact(1)",
                "chernoff(2)",
                "incremented(0)",
                "incremented(NaN)")) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> Policy.parse(text));
        }
    }

    private static double success(Policy policy, int frequency, int providers, double epsilon) {
        return Policy.success(frequency, providers, epsilon, policy.probability(frequency, providers, epsilon));
    }

    private static double share(Policy policy, double epsilon) {
        return policy.commonFrom(10_000, epsilon) / 10_000.0;
    }
}

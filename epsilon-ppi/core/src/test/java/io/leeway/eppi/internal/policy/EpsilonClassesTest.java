package io.leeway.eppi.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EpsilonClassesTest {

    @Test
    void nobodyGetsLessThanWishedAndEveryClassHasItsSize() {
        RandomGenerator random = Seeds.random("classes");
        for (int round = 0; round < 500; round++) {
            double top = random.nextDouble();
            double[] wishes = random.doubles(1 + random.nextInt(200), 0, Math.max(0.01, top))
                    .toArray();
            int least = 1 + random.nextInt(40);
            double[] classes = EpsilonClasses.of(wishes, least);
            for (int i = 0; i < wishes.length; i++) {
                assertThat(classes[i]).isGreaterThanOrEqualTo(wishes[i]);
            }
            Map<Double, Long> sizes = sizes(classes);
            long between = sizes.entrySet().stream()
                    .filter(entry -> entry.getKey() > 0 && entry.getKey() < 1)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            sizes.forEach((level, size) -> {
                if (level > 0 && level < 1) {
                    assertThat(size).isGreaterThanOrEqualTo(Math.min(least, between));
                }
            });
        }
    }

    @Test
    void theEndsStayWhatTheyAre() {
        assertThat(EpsilonClasses.of(new double[] {0, 1, 0.3}, 50)).containsExactly(0, 1, 0.5);
    }

    private static Map<Double, Long> sizes(double[] classes) {
        return Arrays.stream(classes)
                .boxed()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
}

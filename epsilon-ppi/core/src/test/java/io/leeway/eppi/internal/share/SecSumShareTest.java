package io.leeway.eppi.internal.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SecSumShareTest {

    private final RandomGenerator random = Seeds.random("shares");

    @Test
    void theSumsOfTheCoordinatorsAddUpToTheNumberOfHoldersForAnyNumberOfBoth() {
        for (int round = 0; round < Depth.of(60, 2_000); round++) {
            int providers = 1 + random.nextInt(round % 10 == 0 ? 300 : 20);
            int coordinators = 2 + random.nextInt(6);
            int persons = 1 + random.nextInt(40);
            var ring = Ring.forProviders(providers);
            int[] holders = new int[persons];
            int[][] sums = new int[coordinators][persons];
            for (int p = 0; p < providers; p++) {
                int[] bits = random.ints(persons, 0, 2).toArray();
                SecSumShare.add(holders, new Ring(31), bits);
                byte[][] seeds = seeds(coordinators - 1);
                for (int k = 0; k < seeds.length; k++) {
                    SecSumShare.add(sums[k], ring, SecSumShare.vector(seeds[k], ring, persons));
                }
                SecSumShare.add(sums[coordinators - 1], ring, SecSumShare.lastShare(bits, ring, seeds));
            }
            int[] total = new int[persons];
            Arrays.stream(sums).forEach(sum -> SecSumShare.add(total, ring, sum));
            assertThat(total).containsExactly(holders);
        }
    }

    @Test
    void aPersonWhomAllProvidersHoldIsNotReadAsHeldByNone() {
        for (int providers = 1; providers < 70; providers++) {
            assertThat(Ring.forProviders(providers).mask()).isGreaterThan(providers);
        }
        assertThat(Ring.forProviders(6_000).bits()).isEqualTo(13);
    }

    /**
     * Every coalition of fewer than all coordinators, with any providers besides, sees the same distribution for all
     * inputs that agree in what the coalition's providers put in. By enumeration of all random numbers.
     */
    @Test
    void coalitionsOfCoordinatorsAndProvidersLearnNothing() {
        for (int coordinators = 2; coordinators <= 4; coordinators++) {
            for (int providers = 1; providers <= (coordinators == 2 ? 3 : Depth.of(2, 3)); providers++) {
                var ring = new Ring(coordinators == 4 ? 1 : 2);
                secrecy(providers, coordinators, ring);
            }
        }
    }

    private void secrecy(int providers, int coordinators, Ring ring) {
        for (int coalition = 0; coalition < 1 << coordinators; coalition++) {
            if (Integer.bitCount(coalition) < coordinators) {
                for (int insiders = 0; insiders < 1 << providers; insiders++) {
                    // By what the insiders put in: the distribution of views, which has to be one.
                    var known = new HashMap<Integer, Map<String, Integer>>();
                    for (int inputs = 0; inputs < 1 << providers; inputs++) {
                        Map<String, Integer> views = views(inputs, providers, coordinators, ring, coalition, insiders);
                        Map<String, Integer> before = known.putIfAbsent(inputs & insiders, views);
                        if (before != null) {
                            assertThat(views).isEqualTo(before);
                        }
                    }
                }
            }
        }
    }

    private static Map<String, Integer> views(
            int inputs, int providers, int coordinators, Ring ring, int coalition, int insiders) {
        int draws = providers * (coordinators - 1);
        var views = new HashMap<String, Integer>();
        for (long all = 0; all < 1L << draws * ring.bits(); all++) {
            var view = new StringBuilder();
            for (int p = 0; p < providers; p++) {
                int[] last = {inputs >>> p & 1};
                for (int k = 0; k < coordinators; k++) {
                    int[] share = last;
                    if (k < coordinators - 1) {
                        int index = p * (coordinators - 1) + k;
                        share = new int[] {(int) (all >>> index * ring.bits()) & ring.mask()};
                        SecSumShare.subtract(last, ring, share);
                    }
                    // Insiders know all that they draw.
                    if ((coalition >>> k & 1) == 1 || (insiders >>> p & 1) == 1) {
                        view.append(share[0]).append(',');
                    }
                }
            }
            views.merge(view.toString(), 1, Integer::sum);
        }
        return views;
    }

    @Test
    void expandedNumbersAreUniformInTheRing() {
        for (int bits : new int[] {3, 8, 11, 16, 20}) {
            var ring = new Ring(bits);
            int[] vector = SecSumShare.vector(seeds(1)[0], ring, 40_000);
            int[] eighths = new int[8];
            for (int value : vector) {
                eighths[value >>> bits - 3]++;
            }
            assertThat(Arrays.stream(eighths).boxed())
                    .as("%d bits", bits)
                    .allSatisfy(count -> assertThat(count).isBetween(4_600, 5_400));
        }
    }

    @Test
    void sharesSurviveTheirEncoding() {
        for (int bits = 1; bits <= 31; bits++) {
            var ring = new Ring(bits);
            int[] vector = SecSumShare.vector(seeds(1)[0], ring, 100);
            assertThat(SecSumShare.decode(SecSumShare.encode(vector, ring), 100, ring))
                    .containsExactly(vector);
        }
    }

    @Test
    void malformedSharesAreRefused() {
        var ring = new Ring(5);
        assertThatIllegalArgumentException().isThrownBy(() -> SecSumShare.decode(new byte[3], 4, ring));
        assertThatIllegalArgumentException().isThrownBy(() -> SecSumShare.decode(new byte[] {32}, 1, ring));
        assertThatIllegalArgumentException().isThrownBy(() -> SecSumShare.decode(new byte[] {-1, -1}, 1, new Ring(9)));
        byte[] negative = {-1, 0, 0, 0};
        assertThatIllegalArgumentException().isThrownBy(() -> SecSumShare.decode(negative, 1, new Ring(20)));
    }

    private byte[][] seeds(int count) {
        byte[][] seeds = new byte[count][AesStream.SEED_BYTES];
        for (byte[] seed : seeds) {
            random.nextBytes(seed);
        }
        return seeds;
    }
}

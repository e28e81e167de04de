package io.leeway.eppi.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.eppi.Token;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class NoiseTest {

    private static final int PERSONS = 20_000;

    private final RandomGenerator random = Seeds.random("noise");
    private final byte[] tokens = tokens();
    private final Noise noise = new Noise(new byte[16]);

    @Test
    void falseEntriesAreAsManyAsTheProbabilitySays() {
        for (double probability : new double[] {0, 0.001, 0.25, 0.5, 0.99, 1}) {
            double expected = PERSONS * probability;
            double error = Math.sqrt(PERSONS * probability * (1 - probability));
            assertThat((double) row(probability, new BitSet()).cardinality())
                    .isBetween(expected - 5 * error, expected + 5 * error);
        }
    }

    @Test
    void aLargerProbabilityOnlyAdds() {
        BitSet smaller = row(0.3, new BitSet());
        BitSet larger = row(0.31, new BitSet());

        smaller.andNot(larger);
        assertThat(smaller.isEmpty()).isTrue();
        assertThat(row(0.3, new BitSet())).isEqualTo(row(0.3, new BitSet()));
    }

    @Test
    void trueEntriesAreAlwaysPublished() {
        var members = new BitSet();
        random.ints(500, 0, PERSONS).forEach(members::set);
        BitSet row = row(0, members);

        assertThat(row).isEqualTo(members);
    }

    @Test
    void providersDoNotHaveTheSameNoise() {
        byte[] key = new byte[16];
        key[3] = 1;
        BitSet other = new Noise(key).row(tokens, limits(0.5), new BitSet());
        other.xor(row(0.5, new BitSet()));

        assertThat(other.cardinality()).isBetween(PERSONS / 2 - 400, PERSONS / 2 + 400);
    }

    private BitSet row(double probability, BitSet members) {
        return noise.row(tokens, limits(probability), members);
    }

    private static long[] limits(double probability) {
        double[] probabilities = new double[PERSONS];
        Arrays.fill(probabilities, probability);
        return Noise.limits(probabilities);
    }

    private byte[] tokens() {
        byte[] bytes = new byte[PERSONS * Token.BYTES];
        random.nextBytes(bytes);
        return bytes;
    }
}

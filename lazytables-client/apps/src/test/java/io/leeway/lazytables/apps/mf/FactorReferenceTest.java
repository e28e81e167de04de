package io.leeway.lazytables.apps.mf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FactorReferenceTest {

    @TempDir
    Path folder;

    @Test
    void aStepGoesDownTheGradient() {
        float[] left = {0.5f, -1f, 2f, 0.25f, 1f};
        float[] right = {1f, 0.5f, -0.5f, 2f, 0.125f};
        double rate = 1e-3;
        var step = new SgdStep(5, (float) rate, 0.1f);
        double[] slope = new double[10];
        for (int k = 0; k < 10; k++) {
            slope[k] = (loss(left, right, k, 1e-3) - loss(left, right, k, -1e-3)) / 2e-3;
        }
        float[] newLeft = left.clone();
        float[] newRight = right.clone();

        float error = step.apply(newLeft, 0, newRight, 0, 3);

        assertThat((double) error).isCloseTo(3 - (0.5 - 0.5 - 1 + 0.5 + 0.125), within(1e-6));
        for (int k = 0; k < 5; k++) {
            // Half of the slope: the factor two is in the rate, as usual.
            assertThat((double) newLeft[k] - left[k]).isCloseTo(-rate * slope[k] / 2, within(1e-6));
            assertThat((double) newRight[k] - right[k]).isCloseTo(-rate * slope[5 + k] / 2, within(1e-6));
        }
    }

    /** In doubles and from the definition, with one of the ten numbers moved. */
    private static double loss(float[] left, float[] right, int moved, double by) {
        double product = 0;
        double size = 0;
        for (int k = 0; k < 5; k++) {
            double l = left[k] + (moved == k ? by : 0);
            double r = right[k] + (moved == k + 5 ? by : 0);
            product += l * r;
            size += l * l + r * r;
        }
        return (3 - product) * (3 - product) + 0.1 * size;
    }

    @Test
    void findsFactorsThatExplainAllButTheNoise() {
        Ratings all = SyntheticRatings.generate(1500, 300, 60, 4, 0.3, Seeds.seed("factors"));
        Ratings learn = all.part(10, false);
        Ratings test = all.part(10, true);
        var reference = new FactorReference(learn, 8, 0.02, 0.05, 7);
        double before = reference.rootMeanSquare(test);

        for (int i = 0; i < 60; i++) {
            reference.pass();
        }

        assertThat(learn.size() + test.size()).isEqualTo(all.size());
        assertThat(before).isGreaterThan(0.9);
        // The noise is 0.3; what is above it is the price of having to learn.
        assertThat(reference.rootMeanSquare(test)).isBetween(0.3, 0.45);
        assertThat(reference.rootMeanSquare(learn)).isLessThan(0.31);
    }

    @Test
    void blocksHaveEveryCellOnce() {
        Ratings ratings = SyntheticRatings.generate(50, 40, 10, 2, 0.1, Seeds.seed("blocks"));

        int cells = 0;
        for (int block = 0; block < 3; block++) {
            cells += RatingBlock.of(ratings, 0, 20, block, 3, new SplittableRandom(1))
                    .size();
            cells += RatingBlock.of(ratings, 20, 50, block, 3, new SplittableRandom(1))
                    .size();
        }

        assertThat(cells).isEqualTo(ratings.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "userId,movieId,rating,timestamp;7,100,3.5,0;9,100,4.0,0",
                "7::100::3.5::0;9::100::4::0",
                "7 100 3.5 0;9 100 4 0"
            })
    void readsTheFormatsOfMovieLens(String text) throws IOException {
        Path file = Files.writeString(
                folder.resolve("ratings"), text.replace(';', '\n').replace(' ', '\t'));

        Ratings ratings = MovieLensFile.read(file);

        assertThat(ratings.users()).isEqualTo(2);
        assertThat(ratings.items()).isEqualTo(1);
        assertThat(ratings.user()).containsExactly(0, 1);
        assertThat(ratings.value()).containsExactly(3.5f, 4f);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1,2 | line 1: there are 2 parts",
                "1,2,3,4;1,x,3,4 | line 2: the item is no whole number: 'x'",
                "-1,2,3,4 | line 1: the user is -1",
                "1,2,NaN,4 | line 1: the rating is not finite",
                "1,2,much,4 | line 1: the rating is no number: 'much'",
                "userId,movieId,rating,timestamp | has no ratings"
            })
    void saysWhatIsWrongWithRatings(String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("ratings"), text.replace(';', '\n'));

        assertThatThrownBy(() -> MovieLensFile.read(file))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(message);
    }
}

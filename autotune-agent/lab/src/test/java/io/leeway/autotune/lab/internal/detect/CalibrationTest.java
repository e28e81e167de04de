package io.leeway.autotune.lab.internal.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationTest {

    @Test
    void mostBottlenecksAreFoundWhereTheTracesThatWereKeptBackSaidIt() {
        Dataset data = Dataset.simulated(3, 400, 0.3, 5);
        List<Dataset> parts = data.split(0.85);
        GraphDetector detector = GraphDetector.train(data, 4, 1, "three applications", progress -> {});

        Scoring keptBack = Scoring.of(detector, parts.get(1));

        // Either limit binds: four fifths are found, or one in twenty of the others is named.
        assertThat(keptBack.normalRecall()).isGreaterThan(0.94);
        assertThat(keptBack.recall() > 0.8 || keptBack.normalRecall() < 0.96).isTrue();
        assertThat(Calibration.ofSpans(detector, parts.get(1))).isBetween(-0.2, 0.2);
    }

    @Test
    void withoutAnomaliesThereIsNothingToCalibrateBy() {
        Dataset normal = new Dataset(Dataset.simulated(1, 40, 0.3, 1).samples().stream()
                .filter(sample -> !sample.isAnomalous())
                .toList());

        assertThat(Calibration.isEnough(normal)).isFalse();
        assertThat(GraphDetector.train(normal, 1, 1, "nothing", progress -> {}).data())
                .isEqualTo("nothing");
    }
}

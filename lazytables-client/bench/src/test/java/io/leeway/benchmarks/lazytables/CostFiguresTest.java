package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostFiguresTest {

    @Test
    void asManyWorkersAsTogetherDoMore() {
        assertThat(CostFigures.workersToPass(10, 4)).isEqualTo(3);
        assertThat(CostFigures.workersToPass(10, 5)).isEqualTo(3);
        assertThat(CostFigures.workersToPass(10, 10.1)).isEqualTo(1);
    }
}

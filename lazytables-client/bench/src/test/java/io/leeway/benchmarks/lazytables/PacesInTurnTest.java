package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.Pace;
import io.leeway.lazytables.apps.Application;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacesInTurnTest {

    private static final Application<?> LDA = Workload.LDA.application(7, 0.02, 1);

    @Test
    void pacesAreReadAsWorkAndSlack() {
        assertThat(PacesInTurn.parse("4/0,1/3")).containsExactly(new Pace(0, 4), new Pace(3, 1));
    }

    @Test
    void aStretchThatEndsWithinAClockIsRefused() {
        assertThatThrownBy(() -> new PacesInTurn<>(LDA, List.of(new Pace(3, 1), new Pace(0, 4)), 6))
                .hasMessageContaining("6 passes")
                .hasMessageContaining("clocks of 4");
    }
}

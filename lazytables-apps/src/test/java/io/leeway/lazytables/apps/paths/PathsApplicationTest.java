package io.leeway.lazytables.apps.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import io.leeway.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PathsApplicationTest {

    private static final Graph ROADS = SyntheticGraphs.roads(60, 50, Seeds.seed("map"));
    private static final int SOURCE = 1234;

    @ParameterizedTest
    @EnumSource
    void distancesAreExact(Modes mode) {
        Outcome<long[]> outcome = Run.of(new PathsApplication(ROADS, SOURCE), mode.settings(2000), RunLog.none());

        assertThat(outcome.atRest()).isTrue();
        assertThat(outcome.result()).isEqualTo(Dijkstra.distances(ROADS, SOURCE));
    }

    @Test
    void refusesAVertexThatThereIsNot() {
        assertThatThrownBy(() -> new PathsApplication(ROADS, 3000))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("0 to 2999");
    }
}

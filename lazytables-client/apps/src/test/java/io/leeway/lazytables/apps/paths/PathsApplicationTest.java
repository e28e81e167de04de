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
import java.time.Duration;
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

    /** So many clocks, with delays that slack hides, that the pace changes on the way and the end comes under another than the begin. */
    @Test
    void distancesAreExactAlsoIfThePaceChanges() {
        Graph roads = SyntheticGraphs.roads(150, 120, Seeds.seed("larger map"));
        // A crossing of four roads: from one that has none the run would be at rest at once.
        int source = SOURCE;
        while (roads.degree(source) < 4) {
            source++;
        }

        Outcome<long[]> outcome = Run.of(
                new PathsApplication(roads, source),
                Modes.ADAPTIVE.settings(2000).slack(0).times(Duration.ofMinutes(2), Duration.ofMillis(3)),
                RunLog.none());

        assertThat(outcome.atRest()).isTrue();
        assertThat(outcome.paces()).hasSizeGreaterThan(1);
        assertThat(outcome.result()).isEqualTo(Dijkstra.distances(roads, source));
    }

    @Test
    void refusesAVertexThatThereIsNot() {
        assertThatThrownBy(() -> new PathsApplication(ROADS, 3000))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("0 to 2999");
    }
}

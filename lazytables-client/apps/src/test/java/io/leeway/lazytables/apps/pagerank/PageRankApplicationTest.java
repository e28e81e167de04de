package io.leeway.lazytables.apps.pagerank;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.Modes;
import io.leeway.lazytables.apps.Outcome;
import io.leeway.lazytables.apps.RowsAhead;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import io.leeway.testkit.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PageRankApplicationTest {

    /**
     * 142 steps at the factor of 0.85 and without staleness; more where a worker works on while others wait for a processor. A
     * run ends as soon as it is at rest.
     */
    private static final int MOST_CLOCKS = 20_000;

    private static final Graph LINKS = SyntheticGraphs.web(3000, 6, Seeds.seed("pages"));

    @ParameterizedTest
    @EnumSource
    void ranksAreThoseOfTheReference(Modes mode) {
        ranksAreThoseOfTheReference(mode.settings(MOST_CLOCKS));
    }

    @ParameterizedTest
    @EnumSource
    void howeverRowsAreAskedFor(RowsAhead how) {
        ranksAreThoseOfTheReference(Modes.SSP.settings(MOST_CLOCKS).prefetch(how));
    }

    private static void ranksAreThoseOfTheReference(RunSettings settings) {
        var reference = new PageRankReference(LINKS, 0.85);
        reference.solve(1e-13, 1000);

        Outcome<double[]> outcome = Run.of(new PageRankApplication(LINKS, 0.85, 1e-10), settings, RunLog.none());

        assertThat(outcome.atRest()).isTrue();
        double[] exact = reference.ranks();
        double off = 0;
        for (int v = 0; v < exact.length; v++) {
            off += Math.abs(outcome.result()[v] - exact[v]);
        }
        // Ranks that a step changes by e are off by e / (1 - d) at most.
        assertThat(off).isLessThan(1e-8);
        assertThat(outcome.value()).isLessThan(1e-8);
    }
}

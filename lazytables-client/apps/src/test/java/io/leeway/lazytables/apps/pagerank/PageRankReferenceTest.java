package io.leeway.lazytables.apps.pagerank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PageRankReferenceTest {

    @Test
    void aStarsRanksAreKnownInClosedForm() {
        // Nine pages link to the first, which links to nothing.
        int[] from = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        var reference = new PageRankReference(Graph.of(10, from, new int[9], new int[0]), 0.85);

        reference.solve(1e-14, 1000);

        // A leaf has x = 0.015 + 0.085 c and the centre c = x + 0.85 * 9 x, so that all ranks are one together.
        double leaf = 1 / (9 + 1 + 0.85 * 9);
        double[] ranks = reference.ranks();
        assertThat(ranks[0]).isCloseTo(leaf * (1 + 0.85 * 9), within(1e-12));
        assertThat(ranks[5]).isCloseTo(leaf, within(1e-12));
    }

    @Test
    void ranksSolveTheSystemOfEquations() {
        Graph links = SyntheticGraphs.web(60, 4, Seeds.seed("equations"));
        var reference = new PageRankReference(links, 0.85);

        reference.solve(1e-14, 1000);

        double[] exact = byElimination(links, 0.85);
        assertThat(reference.ranks()).containsExactly(exact, within(1e-12));
        assertThat(Arrays.stream(exact).sum()).isCloseTo(1, within(1e-12));
        assertThat(new RankStep(links, 0.85).residual(exact)).isCloseTo(0, within(1e-12));
    }

    private static double[] byElimination(Graph links, double damping) {
        int n = links.vertices();
        double[][] a = new double[n][n + 1];
        for (int v = 0; v < n; v++) {
            a[v][v] += 1;
            a[v][n] = (1 - damping) / n;
            for (int e = links.firstEdge(v); e < links.firstEdge(v + 1); e++) {
                a[links.target(e)][v] -= damping / links.degree(v);
            }
            if (links.degree(v) == 0) {
                for (int w = 0; w < n; w++) {
                    a[w][v] -= damping / n;
                }
            }
        }
        for (int p = 0; p < n; p++) {
            for (int r = 0; r < n; r++) {
                double factor = r == p ? 0 : a[r][p] / a[p][p];
                for (int c = p; c <= n; c++) {
                    a[r][c] -= factor * a[p][c];
                }
            }
        }
        double[] solution = new double[n];
        for (int v = 0; v < n; v++) {
            solution[v] = a[v][n] / a[v][v];
        }
        return solution;
    }
}

package io.leeway.lazytables.apps.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DijkstraTest {

    @Test
    void distancesAreThoseOfFloydAndWarshall() {
        for (Graph graph : new Graph[] {
            SyntheticGraphs.roads(9, 8, Seeds.seed("roads")), SyntheticGraphs.web(70, 3, Seeds.seed("links"))
        }) {
            long[][] all = allPairs(graph);

            for (int source = 0; source < graph.vertices(); source++) {
                assertThat(Dijkstra.distances(graph, source)).isEqualTo(all[source]);
            }
        }
    }

    private static long[][] allPairs(Graph graph) {
        int n = graph.vertices();
        long[][] distance = new long[n][n];
        for (int v = 0; v < n; v++) {
            Arrays.fill(distance[v], Dijkstra.UNREACHABLE);
            for (int e = graph.firstEdge(v); e < graph.firstEdge(v + 1); e++) {
                distance[v][graph.target(e)] = Math.min(distance[v][graph.target(e)], graph.length(e));
            }
            distance[v][v] = 0;
        }
        for (int via = 0; via < n; via++) {
            for (int from = 0; from < n; from++) {
                for (int to = 0; to < n; to++) {
                    if (distance[from][via] != Dijkstra.UNREACHABLE && distance[via][to] != Dijkstra.UNREACHABLE) {
                        distance[from][to] = Math.min(distance[from][to], distance[from][via] + distance[via][to]);
                    }
                }
            }
        }
        return distance;
    }
}

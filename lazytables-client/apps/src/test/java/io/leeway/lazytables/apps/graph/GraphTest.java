package io.leeway.lazytables.apps.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphTest {

    @TempDir
    Path folder;

    @Test
    void turnedAroundTwiceIsTheSame() {
        Graph graph = SyntheticGraphs.roads(7, 5, Seeds.seed("reversed"));

        assertThat(edges(graph.reversed().reversed())).isEqualTo(edges(graph));
        assertThat(edges(graph.reversed())).containsExactlyInAnyOrderElementsOf(edges(graph));
    }

    private static List<List<Integer>> edges(Graph graph) {
        var edges = new ArrayList<List<Integer>>();
        for (int v = 0; v < graph.vertices(); v++) {
            for (int e = graph.firstEdge(v); e < graph.firstEdge(v + 1); e++) {
                edges.add(List.of(v, graph.target(e), graph.length(e)));
            }
        }
        edges.sort((a, b) -> a.toString().compareTo(b.toString()));
        return edges;
    }

    @Test
    void fewPagesHaveMostLinks() {
        Graph graph = SyntheticGraphs.web(5000, 8, Seeds.seed("web")).reversed();

        int[] incoming = new int[graph.vertices()];
        for (int v = 0; v < incoming.length; v++) {
            incoming[v] = graph.degree(v);
        }
        Arrays.sort(incoming);
        long top = 0;
        for (int i = 4950; i < 5000; i++) {
            top += incoming[i];
        }

        // One page in a hundred, with a fair share of one link in a hundred.
        assertThat((double) top / graph.edges()).isGreaterThan(0.1);
        assertThat(graph.edges()).isBetween(5000 * 6, 5000 * 9);
    }

    @Test
    void readsListsOfEdges() throws IOException {
        Path file = write("# FromNodeId ToNodeId;10\t20;20 30 7;% note;;10,30,2");

        EdgeListFile list = EdgeListFile.read(file);

        assertThat(list.id()).containsExactly(10, 20, 30);
        assertThat(edges(list.graph())).containsExactly(List.of(0, 1, 1), List.of(0, 2, 2), List.of(1, 2, 7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2;1 | line 2: there are 1 parts",
                "1 2 3 4 | line 1: there are 4 parts",
                "1 b | line 1: the vertex is no whole number: 'b'",
                "1 -2 | line 1: the vertex is -2",
                "1 2 0 | line 1: the length is 0",
                "1 2 1.5 | line 1: the length is no whole number",
                "# nothing | has no edges"
            })
    void saysWhatIsWrongWithAListOfEdges(String text, String message) throws IOException {
        Path file = write(text);

        assertThatThrownBy(() -> EdgeListFile.read(file))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(message);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("edges"), text.replace(';', '\n') + "\n");
    }
}

package io.leeway.lazytables.apps.paths;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.graph.EdgeListFile;
import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import java.nio.file.Path;
import java.util.Arrays;

/** Distances from one vertex, from the command line. */
public final class PathsMain {

    private static final int MOST = 20_000;

    private PathsMain() {}

    /** See the documentation of the applications for options. */
    public static void main(String[] typed) {
        System.exit(Launch.run(PathsMain::run, typed));
    }

    static void run(Arguments arguments, Launch launch) {
        String file = arguments.text("edges");
        int width = arguments.whole("width", 200, 1, MOST);
        int height = arguments.whole("height", 200, 1, MOST);
        int source = arguments.whole("source", 0, 0, Integer.MAX_VALUE);
        Graph graph = file == null
                ? SyntheticGraphs.roads(width, height, launch.seed())
                : EdgeListFile.read(Path.of(file)).graph();
        var application = new PathsApplication(graph, source);
        if (launch.isReference()) {
            var distances = new long[1][];
            launch.inOneThread(
                    "reachedVertices",
                    () -> distances[0] = Dijkstra.distances(graph, source),
                    () -> reached(distances[0]));
        } else {
            long[] distances = launch.run(application).result();
            launch.say(reached(distances) + " of " + graph.vertices() + " vertices reached");
        }
    }

    private static long reached(long[] distances) {
        return Arrays.stream(distances)
                .filter(distance -> distance != Dijkstra.UNREACHABLE)
                .count();
    }
}

package io.leeway.lazytables.apps.pagerank;

import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.graph.EdgeListFile;
import io.leeway.lazytables.apps.graph.Graph;
import io.leeway.lazytables.apps.graph.SyntheticGraphs;
import java.nio.file.Path;

/** Ranks of pages, from the command line. */
public final class PageRankMain {

    private static final int MOST = 100_000_000;

    private PageRankMain() {}

    /** See the documentation of the applications for options. */
    public static void main(String[] typed) {
        System.exit(Launch.run(PageRankMain::run, typed));
    }

    static void run(Arguments arguments, Launch launch) {
        double damping = arguments.number("damping", 0.85);
        double rest = arguments.number("rest", 1e-9);
        String file = arguments.text("edges");
        int pages = arguments.whole("pages", 20_000, 1, MOST);
        int degree = arguments.whole("degree", 8, 1, 10_000);
        Graph links = file == null
                ? SyntheticGraphs.web(pages, degree, launch.seed())
                : EdgeListFile.read(Path.of(file)).graph();
        if (launch.isReference()) {
            var reference = new PageRankReference(links, damping);
            var step = new RankStep(links, damping);
            launch.inOneThread("changeOfRanks", reference::pass, () -> step.residual(reference.ranks()));
        } else {
            launch.run(new PageRankApplication(links, damping, rest));
        }
    }
}

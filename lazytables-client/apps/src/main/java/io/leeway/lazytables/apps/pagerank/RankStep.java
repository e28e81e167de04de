package io.leeway.lazytables.apps.pagerank;

import io.leeway.lazytables.apps.graph.Graph;

/**
 * The new rank of a page from those of the pages that link to it: the inner loop of PageRank, over ranks that it is handed.
 *
 * <p>{@code p_v = (1 - d) / n + d (sum over links u -> v of p_u / degree(u) + sum over dead ends of p_u / n)}. Immutable.
 */
final class RankStep {

    private final Graph incoming;
    private final double damping;
    private final double[] share;

    /** For links, with d the probability to follow one. */
    RankStep(Graph links, double damping) {
        this.incoming = links.reversed();
        this.damping = damping;
        share = new double[links.vertices()];
        for (int v = 0; v < share.length; v++) {
            share[v] = links.degree(v) == 0 ? 0 : 1.0 / links.degree(v);
        }
    }

    int pages() {
        return share.length;
    }

    boolean isDeadEnd(int page) {
        return share[page] == 0;
    }

    /** The new rank of a page. */
    double apply(int page, double[] rank, double deadEnds) {
        double sum = 0;
        for (int e = incoming.firstEdge(page); e < incoming.firstEdge(page + 1); e++) {
            int source = incoming.target(e);
            sum += rank[source] * share[source];
        }
        return (1 - damping) / pages() + damping * (sum + deadEnds / pages());
    }

    /** The pages that a page's rank depends on, for whoever has to fetch them. */
    Graph incoming() {
        return incoming;
    }

    /** The sum of the ranks of pages without links. */
    double deadEnds(double[] rank) {
        double sum = 0;
        for (int v = 0; v < rank.length; v++) {
            if (isDeadEnd(v)) {
                sum += rank[v];
            }
        }
        return sum;
    }

    /** By how much all ranks together are off: the sum of the absolute differences that one more step would make. */
    double residual(double[] rank) {
        double deadEnds = deadEnds(rank);
        double sum = 0;
        for (int v = 0; v < rank.length; v++) {
            sum += Math.abs(apply(v, rank, deadEnds) - rank[v]);
        }
        return sum;
    }
}

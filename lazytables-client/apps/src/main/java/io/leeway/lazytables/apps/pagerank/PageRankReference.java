package io.leeway.lazytables.apps.pagerank;

import io.leeway.lazytables.apps.graph.Graph;
import java.util.Arrays;

/**
 * Ranks by repeated steps over all pages in one thread: what a run with tables is compared with.
 *
 * <p>Not for several threads.
 */
public final class PageRankReference {

    private final RankStep step;
    private double[] rank;
    private double[] next;

    /** With all pages alike. */
    public PageRankReference(Graph links, double damping) {
        step = new RankStep(links, damping);
        rank = new double[links.vertices()];
        next = new double[links.vertices()];
        Arrays.fill(rank, 1.0 / rank.length);
    }

    /** Steps until the ranks are off by less than this altogether, or for so many steps; returns how many there were. */
    public int solve(double residual, int most) {
        for (int i = 1; i <= most; i++) {
            if (pass() < residual) {
                return i;
            }
        }
        return most;
    }

    /** One step for all pages; returns by how much the ranks changed altogether. */
    public double pass() {
        double deadEnds = step.deadEnds(rank);
        double change = 0;
        for (int v = 0; v < rank.length; v++) {
            next[v] = step.apply(v, rank, deadEnds);
            change += Math.abs(next[v] - rank[v]);
        }
        double[] before = rank;
        rank = next;
        next = before;
        return change;
    }

    /** A copy of the ranks. */
    public double[] ranks() {
        return rank.clone();
    }
}

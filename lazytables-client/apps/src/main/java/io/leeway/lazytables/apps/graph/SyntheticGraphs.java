package io.leeway.lazytables.apps.graph;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Graphs with the shapes of published ones. */
public final class SyntheticGraphs {

    private static final double COPIED = 0.6;
    private static final double DEAD_ENDS = 0.05;
    private static final double MISSING = 0.1;
    private static final int LONGEST = 1000;

    private SyntheticGraphs() {}

    /**
     * Pages and links: a new page copies links of an older one or chooses at random, so that few pages get most links (the
     * copying model of Kumar et al., FOCS 2000); some pages have no links.
     *
     * @param degree links of a page on average
     */
    public static Graph web(int pages, int degree, long seed) {
        var random = new SplittableRandom(seed);
        int[] from = new int[16 + pages * degree];
        int[] to = new int[from.length];
        int[] start = new int[pages + 1];
        int n = 0;
        for (int page = 0; page < pages; page++) {
            int links = page == 0 || random.nextDouble() < DEAD_ENDS ? 0 : 1 + random.nextInt(2 * degree - 1);
            for (int link = 0; link < links; link++) {
                if (n == from.length) {
                    from = Arrays.copyOf(from, Math.addExact(n, n >> 1));
                    to = Arrays.copyOf(to, from.length);
                }
                int model = random.nextInt(page);
                int modelLinks = start[model + 1] - start[model];
                boolean copied = modelLinks > 0 && random.nextDouble() < COPIED;
                from[n] = page;
                to[n++] = copied ? to[start[model] + random.nextInt(modelLinks)] : model;
            }
            start[page + 1] = n;
        }
        return Graph.of(pages, Arrays.copyOf(from, n), Arrays.copyOf(to, n), new int[0]);
    }

    /** Crossings in a grid and roads between neighbours, in both directions, of different lengths; some are missing. */
    public static Graph roads(int width, int height, long seed) {
        var random = new SplittableRandom(seed);
        int[] from = new int[4 * width * height];
        int[] to = new int[from.length];
        int[] length = new int[from.length];
        int n = 0;
        for (int v = 0; v < width * height; v++) {
            int right = (v + 1) % width == 0 ? -1 : v + 1;
            int below = v + width < width * height ? v + width : -1;
            for (int other : new int[] {right, below}) {
                if (other >= 0 && random.nextDouble() >= MISSING) {
                    int metres = 1 + random.nextInt(LONGEST);
                    from[n] = v;
                    to[n] = other;
                    length[n++] = metres;
                    from[n] = other;
                    to[n] = v;
                    length[n++] = metres;
                }
            }
        }
        return Graph.of(width * height, Arrays.copyOf(from, n), Arrays.copyOf(to, n), Arrays.copyOf(length, n));
    }
}

package io.leeway.lazytables.apps.pagerank;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Seat;
import io.leeway.lazytables.apps.graph.Graph;
import java.util.BitSet;

/*
 * Pages are shared out; ranks are a table with rows of CHUNK pages, each rank set by its page's worker only. A clock reads the rows
 * on which the worker's pages depend, and goes over them in order, with new ranks at once (read-my-writes makes private copies
 * needless between clocks). A step shrinks differences by the damping factor, however old the ranks were, so that any slack leads to
 * the same ranks.
 *
 * The sum of the ranks of dead ends, on which every page depends, is a row with a cell for each worker.
 */

/** PageRank over tables. */
public final class PageRankApplication implements Application<double[]> {

    static final int CHUNK = 256;

    private static final int CHANGE = 0;
    private static final int STEPS = 1;
    private static final int SUMS = 2;

    private final Graph links;
    private final RankStep step;
    private final double rest;

    /**
     * For links.
     *
     * @param damping the probability to follow a link
     * @param rest the sum of all changes of ranks in a pass below which the run ends
     */
    public PageRankApplication(Graph links, double damping, double rest) {
        if (!(damping > 0) || !(damping < 1) || !(rest >= 0)) {
            throw new BadInputException("damping is " + damping + " and rest " + rest
                    + "; damping must be between 0 and 1, rest not below zero");
        }
        this.links = links;
        this.step = new RankStep(links, damping);
        this.rest = rest;
    }

    @Override
    public String name() {
        return "pagerank";
    }

    @Override
    public String measure() {
        return "changeOfRanks";
    }

    @Override
    public int sums() {
        return SUMS;
    }

    /** By how much a pass changes ranks; the sums may be of more or less than one. */
    @Override
    public double value(double[] sums) {
        return sums[CHANGE] / sums[STEPS] * links.vertices();
    }

    @Override
    public boolean isObjective() {
        // Ranks move more when news of others come late.
        return false;
    }

    @Override
    public boolean isAtRest(double[] sums) {
        return value(sums) <= rest;
    }

    @Override
    public boolean mustSettle() {
        return true;
    }

    @Override
    public Part<double[]> part(Seat seat) {
        return new Share(seat);
    }

    private final class Share implements Part<double[]> {

        private final Seat seat;
        private final Table ranks;
        private final Table deadEnds;
        private final int from;
        private final int to;
        private final BitSet[] needed;
        private final double[] rank = new double[links.vertices()];
        private final double[] chunk = new double[CHUNK];
        private final double[] ofWorkers;
        private double change;
        private long steps;

        Share(Seat seat) {
            this.seat = seat;
            ranks = seat.table("ranks", TableSpec.dense(CellType.DOUBLE, CHUNK));
            deadEnds = seat.table(
                    "dead-ends", TableSpec.dense(CellType.DOUBLE, seat.of()).rows(1));
            ofWorkers = new double[seat.of()];
            from = seat.from(links.vertices());
            to = seat.to(links.vertices());
            needed = new BitSet[seat.settings().blocks()];
            for (int b = 0; b < needed.length; b++) {
                needed[b] = rowsOf(first(b), first(b + 1));
            }
        }

        private int first(int block) {
            return from + (int) ((long) (to - from) * block / needed.length);
        }

        private BitSet rowsOf(int first, int behind) {
            var rows = new BitSet();
            for (int v = first; v < behind; v++) {
                rows.set(v / CHUNK);
            }
            for (int e = step.incoming().firstEdge(first); e < step.incoming().firstEdge(behind); e++) {
                rows.set(step.incoming().target(e) / CHUNK);
            }
            return rows;
        }

        @Override
        public void load() {
            double own = 0;
            for (int v = from; v < to; v++) {
                set(v, 1.0 / links.vertices());
                own += step.isDeadEnd(v) ? rank[v] : 0;
            }
            seat.worker().put(deadEnds, 0, seat.number(), own);
        }

        private void set(int page, double value) {
            rank[page] = value;
            seat.worker().put(ranks, page / CHUNK, page % CHUNK, value);
        }

        @Override
        public void prefetch(int block) {
            seat.prefetch(ranks, needed[block].stream().asLongStream().toArray());
            seat.prefetch(deadEnds, 0);
        }

        @Override
        public void work(int block) {
            needed[block].stream().forEach(this::fetch);
            seat.read(deadEnds, 0).copyTo(ofWorkers);
            double others = 0;
            for (int w = 0; w < ofWorkers.length; w++) {
                others += w == seat.number() ? 0 : ofWorkers[w];
            }
            double own = ofWorkers[seat.number()];
            for (int v = first(block); v < first(block + 1); v++) {
                double before = rank[v];
                double now = step.apply(v, rank, others + own);
                if (now != before) {
                    own += step.isDeadEnd(v) ? now - before : 0;
                    change += Math.abs(now - before);
                    set(v, now);
                }
            }
            steps += first(block + 1) - first(block);
            seat.worker().put(deadEnds, 0, seat.number(), own);
        }

        private void fetch(int row) {
            seat.read(ranks, row).copyTo(chunk);
            System.arraycopy(chunk, 0, rank, row * CHUNK, Math.min(CHUNK, rank.length - row * CHUNK));
        }

        @Override
        public void measure(double[] sums) {
            sums[CHANGE] += change;
            sums[STEPS] += steps;
            change = 0;
            steps = 0;
        }

        /** By how much the ranks are off: what one more step would change, from exact reads. */
        @Override
        public void finish(double[] sums) {
            fetchAll();
            double all = step.deadEnds(rank);
            for (int v = from; v < to; v++) {
                sums[CHANGE] += Math.abs(step.apply(v, rank, all) - rank[v]);
            }
            sums[STEPS] += to - from;
        }

        private void fetchAll() {
            for (int row = 0; row * CHUNK < rank.length; row++) {
                fetch(row);
            }
        }

        @Override
        public double[] result() {
            fetchAll();
            return rank.clone();
        }
    }
}

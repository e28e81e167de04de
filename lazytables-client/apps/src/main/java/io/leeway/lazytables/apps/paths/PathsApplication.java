package io.leeway.lazytables.apps.paths;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Seat;
import io.leeway.lazytables.apps.graph.Graph;
import java.util.Arrays;
import java.util.stream.LongStream;

/*
 * Vertices are shared out; distances are a table of integers with rows of CHUNK vertices, combined by minimum: what an update says
 * is always true, so that neither order nor age of updates matters, nor that one comes twice. A worker reads its own vertices' rows
 * and offers to the ends of their edges what the way through them costs, if that is less than what it offered before.
 *
 * The run ends when no worker has found a shorter way for so long that all must have heard of all (see Progress). So the result is
 * exact under every slack; without any bound it is made so by clocks with slack 0 in the end.
 */

/** Shortest paths over a table whose updates are combined by minimum. */
public final class PathsApplication implements Application<long[]> {

    static final int CHUNK = 256;

    private static final int SHORTER = 0;
    private static final int REACHED = 1;
    private static final int SUMS = 2;

    private final Graph graph;
    private final int source;

    /** From one vertex. */
    public PathsApplication(Graph graph, int source) {
        if (source < 0 || source >= graph.vertices()) {
            throw new BadInputException("there is no vertex " + source + "; there are 0 to " + (graph.vertices() - 1));
        }
        this.graph = graph;
        this.source = source;
    }

    @Override
    public String name() {
        return "paths";
    }

    @Override
    public String measure() {
        return "reachedVertices";
    }

    @Override
    public int sums() {
        return SUMS;
    }

    @Override
    public double value(double[] sums) {
        return sums[REACHED];
    }

    @Override
    public boolean falls() {
        return false;
    }

    @Override
    public boolean isAtRest(double[] sums) {
        return sums[SHORTER] == 0;
    }

    @Override
    public boolean mustSettle() {
        return true;
    }

    @Override
    public Part<long[]> part(Seat seat) {
        return new Share(seat);
    }

    private final class Share implements Part<long[]> {

        private final Seat seat;
        private final Table table;
        private final int from;
        private final int to;
        /** Of own vertices the distance, of others the best that was offered. */
        private final long[] distance = new long[graph.vertices()];

        private final long[] told = new long[graph.vertices()];
        private long shorter;

        Share(Seat seat) {
            this.seat = seat;
            table = seat.table(
                    "distances", TableSpec.dense(CellType.LONG, CHUNK).op(Combine.MIN));
            from = seat.from(graph.vertices());
            to = seat.to(graph.vertices());
            Arrays.fill(distance, Dijkstra.UNREACHABLE);
            Arrays.fill(told, Dijkstra.UNREACHABLE);
        }

        @Override
        public void load() {
            if (seat.number() == 0) {
                seat.worker().update(table, source / CHUNK, source % CHUNK, 0L);
            }
        }

        /** The first vertex of a block, or what is behind the one before it. */
        private int first(int block) {
            return from + (int) ((long) (to - from) * block / seat.settings().blocks());
        }

        @Override
        public void prefetch(int block) {
            int first = first(block);
            int behind = first(block + 1);
            if (first < behind) {
                seat.prefetch(
                        table,
                        LongStream.rangeClosed(first / CHUNK, (behind - 1) / CHUNK)
                                .toArray());
            }
        }

        @Override
        public void work(int block) {
            int first = first(block);
            int behind = first(block + 1);
            for (int v = first; v < behind; ) {
                RowView row = seat.read(table, v / CHUNK);
                for (int end = Math.min(behind, (v / CHUNK + 1) * CHUNK); v < end; v++) {
                    distance[v] = Math.min(distance[v], row.getLong(v % CHUNK));
                }
            }
            for (int v = first; v < behind; v++) {
                if (distance[v] < told[v]) {
                    tell(v);
                }
            }
        }

        private void tell(int vertex) {
            told[vertex] = distance[vertex];
            shorter++;
            for (int e = graph.firstEdge(vertex); e < graph.firstEdge(vertex + 1); e++) {
                int target = graph.target(e);
                long length = distance[vertex] + graph.length(e);
                if (length < distance[target]) {
                    distance[target] = length;
                    seat.worker().update(table, target / CHUNK, target % CHUNK, length);
                }
            }
        }

        @Override
        public void measure(double[] sums) {
            sums[SHORTER] += shorter;
            shorter = 0;
            for (int v = from; v < to; v++) {
                sums[REACHED] += told[v] == Dijkstra.UNREACHABLE ? 0 : 1;
            }
        }

        @Override
        public long[] result() {
            long[] all = new long[graph.vertices()];
            for (int v = 0; v < all.length; v++) {
                all[v] = seat.read(table, v / CHUNK).getLong(v % CHUNK);
            }
            return all;
        }
    }
}

package io.leeway.lazytables.apps.paths;

import io.leeway.lazytables.apps.graph.Graph;
import java.util.Arrays;

/**
 * Shortest paths from one vertex in one thread, by Dijkstra's algorithm with a binary heap: what a run with tables is compared
 * with, exactly.
 */
public final class Dijkstra {

    /** The distance of a vertex that no path leads to. */
    public static final long UNREACHABLE = Long.MAX_VALUE;

    private final Graph graph;
    private final long[] distance;
    private final int[] heap;
    private final int[] place;
    private int size;

    private Dijkstra(Graph graph) {
        this.graph = graph;
        distance = new long[graph.vertices()];
        Arrays.fill(distance, UNREACHABLE);
        heap = new int[graph.vertices()];
        place = new int[graph.vertices()];
        Arrays.fill(place, -1);
    }

    /** The distance of every vertex. */
    public static long[] distances(Graph graph, int source) {
        var run = new Dijkstra(graph);
        run.reach(source, 0);
        while (run.size > 0) {
            run.settle(run.pop());
        }
        return run.distance;
    }

    private void settle(int vertex) {
        for (int e = graph.firstEdge(vertex); e < graph.firstEdge(vertex + 1); e++) {
            reach(graph.target(e), distance[vertex] + graph.length(e));
        }
    }

    private void reach(int vertex, long length) {
        if (length < distance[vertex]) {
            distance[vertex] = length;
            if (place[vertex] < 0) {
                place[vertex] = size;
                heap[size++] = vertex;
            }
            up(place[vertex]);
        }
    }

    private int pop() {
        int top = heap[0];
        int last = heap[--size];
        if (size > 0) {
            heap[0] = last;
            place[last] = 0;
            down(0);
        }
        place[top] = -1;
        return top;
    }

    private void up(int from) {
        int at = from;
        int vertex = heap[at];
        while (at > 0 && distance[heap[(at - 1) / 2]] > distance[vertex]) {
            put(at, heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        put(at, vertex);
    }

    private void down(int from) {
        int at = from;
        int vertex = heap[at];
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && distance[heap[child + 1]] < distance[heap[child]]) {
                child++;
            }
            if (distance[heap[child]] >= distance[vertex]) {
                break;
            }
            put(at, heap[child]);
            at = child;
        }
        put(at, vertex);
    }

    private void put(int at, int vertex) {
        heap[at] = vertex;
        place[vertex] = at;
    }
}

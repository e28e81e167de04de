package io.leeway.lazytables.apps.graph;

import java.util.Arrays;

/**
 * A directed graph: the edges of every vertex one behind the other. Immutable.
 */
public final class Graph {

    private final int[] start;
    private final int[] target;
    private final int[] length;

    private Graph(int[] start, int[] target, int[] length) {
        this.start = start;
        this.target = target;
        this.length = length;
    }

    /** From edges in any order; the arrays are copied. Lengths may be empty, then every edge has length one. */
    public static Graph of(int vertices, int[] from, int[] to, int[] lengths) {
        int[] start = new int[vertices + 1];
        for (int source : from) {
            start[source + 1]++;
        }
        for (int v = 0; v < vertices; v++) {
            start[v + 1] += start[v];
        }
        int[] next = start.clone();
        int[] target = new int[from.length];
        int[] length = new int[from.length];
        for (int e = 0; e < from.length; e++) {
            int at = next[from[e]]++;
            target[at] = to[e];
            length[at] = lengths.length == 0 ? 1 : lengths[e];
        }
        return new Graph(start, target, length);
    }

    /** Number of vertices. */
    public int vertices() {
        return start.length - 1;
    }

    /** Number of edges. */
    public int edges() {
        return target.length;
    }

    /** Number of edges that leave a vertex. */
    public int degree(int vertex) {
        return start[vertex + 1] - start[vertex];
    }

    /** The first edge of a vertex; its edges end where those of the next begin. */
    public int firstEdge(int vertex) {
        return start[vertex];
    }

    /** Where an edge leads. */
    public int target(int edge) {
        return target[edge];
    }

    /** How long an edge is. */
    public int length(int edge) {
        return length[edge];
    }

    /** All edges turned around. */
    public Graph reversed() {
        int[] source = new int[edges()];
        for (int v = 0; v < vertices(); v++) {
            Arrays.fill(source, start[v], start[v + 1], v);
        }
        return of(vertices(), target, source, length);
    }
}

package io.leeway.netsim.internal.net;

import io.leeway.netsim.internal.sim.Rng;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Shortest paths from every switch to every switch that has hosts; of equal ones a flow's hash decides (ECMP).
 *
 * <p>The hash knows the flow and how far it is, but not which way: so what comes back takes the same path, as credits need.
 */
final class Routes {

    private final List<Topology.Link> links;
    private final int hosts;
    private final int[] rackOf;
    private final int[] portToHost;
    private final int[][][] choices;
    private final int[][] distances;
    private int sprayed;

    /** Ports are two a link: {@code 2 * link} from its first node, {@code 2 * link + 1} from its second. */
    Routes(Topology topology) {
        links = topology.links();
        hosts = topology.hosts();
        int nodes = hosts + topology.switches();
        rackOf = new int[hosts];
        portToHost = new int[hosts];
        List<List<int[]>> neighbours = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            neighbours.add(new ArrayList<>());
        }
        for (int i = 0; i < topology.links().size(); i++) {
            Topology.Link link = topology.links().get(i);
            if (link.from() < hosts) {
                rackOf[link.from()] = link.to();
                portToHost[link.from()] = 2 * i + 1;
            } else {
                neighbours.get(link.from()).add(new int[] {link.to(), 2 * i});
                neighbours.get(link.to()).add(new int[] {link.from(), 2 * i + 1});
            }
        }
        choices = new int[topology.switches()][topology.switches()][];
        distances = new int[topology.switches()][topology.switches()];
        for (int rack : Arrays.stream(rackOf).distinct().toArray()) {
            fill(rack, neighbours);
        }
    }

    private void fill(int rack, List<List<int[]>> neighbours) {
        int[] distance = new int[neighbours.size()];
        Arrays.fill(distance, Integer.MAX_VALUE);
        distance[rack] = 0;
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(rack));
        while (!open.isEmpty()) {
            int node = open.remove();
            for (int[] neighbour : neighbours.get(node)) {
                if (distance[neighbour[0]] == Integer.MAX_VALUE) {
                    distance[neighbour[0]] = distance[node] + 1;
                    open.add(neighbour[0]);
                }
            }
        }
        for (int node = hosts; node < neighbours.size(); node++) {
            int here = distance[node];
            distances[node - hosts][rack - hosts] = here;
            choices[node - hosts][rack - hosts] = neighbours.get(node).stream()
                    .filter(neighbour -> distance[neighbour[0]] == here - 1)
                    .mapToInt(neighbour -> neighbour[1])
                    .toArray();
        }
    }

    int port(int node, int target, int flow, boolean spray) {
        int rack = rackOf[target];
        if (rack == node) {
            return portToHost[target];
        }
        int[] ports = choices[node - hosts][rack - hosts];
        if (ports.length == 1) {
            return ports[0];
        }
        long hash = spray
                ? Rng.mix(sprayed++)
                : Rng.mix(flow * 0x1_0001L + ((long) distances[node - hosts][rack - hosts] << 40));
        return ports[(int) ((hash >>> 33) % ports.length)];
    }

    /** Links from one host to another. */
    int hops(int from, int to) {
        int links = 2;
        int node = rackOf[from];
        while (node != rackOf[to]) {
            links++;
            node = follow(node, choices[node - hosts][rackOf[to] - hosts][0]);
        }
        return links;
    }

    private int follow(int node, int port) {
        Topology.Link link = links.get(port / 2);
        return link.from() == node ? link.to() : link.from();
    }
}

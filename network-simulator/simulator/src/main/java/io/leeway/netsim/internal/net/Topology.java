package io.leeway.netsim.internal.net;

import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes are joined. Hosts are numbered from 0, switches after them; each host has one link.
 *
 * @param name for people
 * @param hosts how many hosts
 * @param switches how many switches
 * @param links pairs of nodes, each a link in both directions
 */
public record Topology(String name, int hosts, int switches, List<Link> links) {

    /** Copies. */
    public Topology {
        links = List.copyOf(links);
    }

    /**
     * A link in both directions.
     *
     * @param from one node
     * @param to the other
     * @param speed its rate as a multiple of the network's
     */
    public record Link(int from, int to, double speed) {

        /** Checks. */
        public Link {
            if (!(speed >= 1e-3 && speed <= 1e3)) {
                throw new IllegalArgumentException("a link's speed is 0.001 to 1000 times the rate, not " + speed);
            }
        }

        /** At the network's rate. */
        public Link(int from, int to) {
            this(from, to, 1);
        }
    }

    /** Links between the first host and the last, which no two hosts are further apart than. */
    public int diameter() {
        return new Routes(this).hops(0, hosts - 1);
    }

    /** All hosts on one switch. */
    public static Topology star(int hosts) {
        List<Link> links = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            links.add(new Link(host, hosts));
        }
        return new Topology("star of " + hosts, hosts, 1, links);
    }

    /** Hosts behind one switch and hosts behind another, joined by one link: the first ones are on the left. */
    public static Topology dumbbell(int left, int right, double speed) {
        int hosts = left + right;
        List<Link> links = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            links.add(new Link(host, host < left ? hosts : hosts + 1));
        }
        links.add(new Link(hosts, hosts + 1, speed));
        return new Topology("dumbbell of " + left + " and " + right, hosts, 2, links);
    }

    /** Two tiers: each leaf is joined to each spine. */
    public static Topology leafSpine(int leaves, int spines, int hostsPerLeaf) {
        return leafSpine(leaves, spines, hostsPerLeaf, 1);
    }

    /** The same with links between the tiers that are faster than those of the hosts, as pFabric has it. */
    public static Topology leafSpine(int leaves, int spines, int hostsPerLeaf, double speed) {
        int hosts = leaves * hostsPerLeaf;
        List<Link> links = new ArrayList<>();
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int i = 0; i < hostsPerLeaf; i++) {
                links.add(new Link(leaf * hostsPerLeaf + i, hosts + leaf));
            }
            for (int spine = 0; spine < spines; spine++) {
                links.add(new Link(hosts + leaf, hosts + leaves + spine, speed));
            }
        }
        return new Topology(leaves + " leaves, " + spines + " spines", hosts, leaves + spines, links);
    }

    /** Three tiers of switches with k ports: k pods, k^3/4 hosts, no oversubscription. */
    public static Topology fatTree(int k) {
        if (k < 2 || k % 2 != 0) {
            throw new IllegalArgumentException("a fat-tree has an even number of ports a switch, not " + k);
        }
        int half = k / 2;
        return pods("fat-tree of " + k, k, half, half, half, half);
    }

    /** The 192 hosts of NetApprox §7.1: 8 cores, 16 aggregation and 32 top-of-rack switches, 3:1 oversubscribed there. */
    public static Topology threeTier192() {
        return pods("three tiers, 192 hosts", 8, 4, 2, 6, 4);
    }

    /**
     * Switches of 12 ports and 192 hosts without oversubscription: eight pods of four racks, which is how a fat-tree of 12
     * has that many.
     */
    public static Topology fatTree192() {
        return pods("fat-tree of 12, 192 hosts", 8, 4, 6, 6, 4);
    }

    private static Topology pods(String name, int pods, int racks, int aggregates, int hostsPerRack, int uplinks) {
        int hosts = pods * racks * hostsPerRack;
        int firstAggregate = hosts + pods * racks;
        int firstCore = firstAggregate + pods * aggregates;
        List<Link> links = new ArrayList<>();
        for (int pod = 0; pod < pods; pod++) {
            for (int rack = 0; rack < racks; rack++) {
                int node = pod * racks + rack;
                for (int i = 0; i < hostsPerRack; i++) {
                    links.add(new Link(node * hostsPerRack + i, hosts + node));
                }
                for (int up = 0; up < aggregates; up++) {
                    links.add(new Link(hosts + node, firstAggregate + pod * aggregates + up));
                }
            }
            for (int aggregate = 0; aggregate < aggregates; aggregate++) {
                for (int up = 0; up < uplinks; up++) {
                    links.add(new Link(
                            firstAggregate + pod * aggregates + aggregate, firstCore + aggregate * uplinks + up));
                }
            }
        }
        int switches = pods * (racks + aggregates) + aggregates * uplinks;
        return new Topology(name, hosts, switches, links);
    }
}

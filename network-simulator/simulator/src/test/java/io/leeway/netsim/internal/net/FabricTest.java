package io.leeway.netsim.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.netsim.internal.sim.Rng;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FabricTest {

    private static final double TEN_GIGABIT = 10e9;
    private static final long MICRO = 1_000_000;

    /** Hosts that send packets of one or of exponential length at random times to host 0. */
    private static final class RandomTraffic implements Fabric.Hosts {
        private final Fabric fabric;
        private final Rng rng = new Rng(3);
        private final double gap;
        private final boolean exponential;
        private int left;

        RandomTraffic(Fabric fabric, double load, boolean exponential, int packets) {
            this.fabric = fabric;
            this.exponential = exponential;
            left = packets;
            gap = fabric.transmission(1_000) * (fabric.hosts() - 1) / load;
            for (int host = 1; host < fabric.hosts(); host++) {
                fabric.timer((long) (gap * rng.nextExponential()), host, 0);
            }
        }

        @Override
        public void arrived(int packet) {}

        @Override
        public void timer(int host, int tag) {
            int bytes = exponential ? 1 + (int) (1_000 * rng.nextExponential()) : 1_000;
            fabric.send(host, fabric.packets().make(host, 0, bytes, 0));
            if (left-- > 0) {
                fabric.timer(fabric.now() + (long) (gap * rng.nextExponential()), host, 0);
            }
        }
    }

    private static Fabric star(int hosts) {
        return new Fabric(
                Topology.star(hosts), FabricConfig.netApprox(TEN_GIGABIT, MICRO).queue(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Test
    void queuesPacketsOfOneLengthAsTheoryHasIt() {
        Fabric fabric = star(65);
        fabric.run(new RandomTraffic(fabric, 0.7, false, 400_000), Long.MAX_VALUE);

        // M/D/1: rho^2 / (2 (1 - rho)) packets wait.
        assertThat(fabric.meanQueueTo(0) / 1_000).isCloseTo(0.49 / 0.6, within(0.05));
    }

    @Test
    void queuesPacketsOfExponentialLengthAsTheoryHasIt() {
        Fabric fabric = star(65);
        fabric.run(new RandomTraffic(fabric, 0.7, true, 400_000), Long.MAX_VALUE);

        // Of M/M/1, rho^2 / (1 - rho) packets wait, each as long as any other.
        assertThat(fabric.meanQueueTo(0) / 1_000).isCloseTo(0.49 / 0.3, within(0.13));
    }

    @Test
    void losesNoPacketFromItsBooks() {
        Fabric fabric = new Fabric(
                Topology.star(9), FabricConfig.netApprox(TEN_GIGABIT, MICRO).queue(5_000, 2_000));
        fabric.run(new RandomTraffic(fabric, 3, true, 20_000), 3_000 * MICRO);

        FabricStats stats = fabric.stats();
        assertThat(stats.dropped()).isPositive();
        assertThat(stats.alive()).isPositive();
        assertThat(stats.entered()).isEqualTo(stats.arrived() + stats.alive() + stats.dropped());
        assertThat(stats.longestQueue()).isLessThanOrEqualTo(5_000);
    }

    @Test
    void servesHigherQueuesFirstAndKeepsEachToItsLimit() {
        Fabric fabric = new Fabric(Topology.star(3), FabricConfig.netApprox(TEN_GIGABIT, MICRO));
        StringBuilder order = new StringBuilder();
        Fabric.Hosts hosts = new Fabric.Hosts() {
            @Override
            public void arrived(int packet) {
                order.append(fabric.packets().queue(packet));
            }

            @Override
            public void timer(int flow, int tag) {}
        };
        // Two hosts at once: half of the packets wait at the switch. Queue 7 has room for one, queue 1 for seven.
        for (int i = 0; i < 4; i++) {
            fabric.send(1, fabric.packets().make(1, 0, 1_500, 7));
            fabric.send(2, fabric.packets().make(2, 0, 1_500, 1));
        }
        fabric.run(hosts, Long.MAX_VALUE);

        assertThat(fabric.stats().drops().get(7)).isPositive();
        assertThat(fabric.stats().drops().get(1)).isZero();
        assertThat(order.toString()).startsWith("7111").contains("1");
    }

    @Test
    void marksAboveItsThresholdOnlyWhatCanBeMarked() {
        Fabric fabric = new Fabric(
                Topology.star(3), FabricConfig.netApprox(TEN_GIGABIT, MICRO).queue(90_000, 3_000));
        Set<Boolean> marked = new HashSet<>();
        Set<Boolean> others = new HashSet<>();
        Fabric.Hosts hosts = new Fabric.Hosts() {
            @Override
            public void arrived(int packet) {
                (fabric.packets().flow(packet) == 1 ? marked : others)
                        .add(fabric.packets().isMarked(packet));
            }

            @Override
            public void timer(int flow, int tag) {}
        };
        for (int i = 0; i < 20; i++) {
            for (int host = 1; host <= 2; host++) {
                int packet = fabric.packets().make(host, 0, 1_500, 0);
                fabric.packets().data(packet, i, 0, 0, host == 1);
                fabric.send(host, packet);
            }
        }
        fabric.run(hosts, Long.MAX_VALUE);

        assertThat(marked).contains(true, false);
        assertThat(others).containsExactly(false);
    }

    @Test
    void everyHostReachesEveryOtherOnAllTopologies() {
        for (Topology topology : new Topology[] {
            Topology.star(5),
            Topology.leafSpine(3, 2, 4),
            Topology.fatTree(4),
            Topology.fatTree(6),
            Topology.threeTier192()
        }) {
            Fabric fabric = new Fabric(
                    topology, FabricConfig.netApprox(TEN_GIGABIT, MICRO).queue(Long.MAX_VALUE, Long.MAX_VALUE));
            int[] arrived = new int[topology.hosts()];
            for (int from = 0; from < topology.hosts(); from++) {
                for (int to = 0; to < topology.hosts(); to++) {
                    if (from != to) {
                        fabric.send(from, fabric.packets().make(from * 1_000 + to, to, 100, 0));
                    }
                }
            }
            fabric.run(
                    new Fabric.Hosts() {
                        @Override
                        public void arrived(int packet) {
                            arrived[fabric.packets().target(packet)]++;
                        }

                        @Override
                        public void timer(int flow, int tag) {}
                    },
                    Long.MAX_VALUE);
            assertThat(arrived).as(topology.name()).containsOnly(topology.hosts() - 1);
        }
        assertThat(Topology.fatTree(12).hosts()).isEqualTo(432);
        assertThat(Topology.threeTier192().hosts()).isEqualTo(192);
        assertThat(Topology.threeTier192().switches()).isEqualTo(56);
    }

    @Test
    void theSharedBufferOfASwitchIsALimitToo() {
        FabricConfig config = new FabricConfig(
                TEN_GIGABIT,
                MICRO,
                6_000,
                Collections.nCopies(8, 1_000_000L),
                Long.MAX_VALUE,
                FabricConfig.Order.STRICT_PRIORITY,
                false);
        Fabric fabric = new Fabric(Topology.star(9), config);
        fabric.run(new RandomTraffic(fabric, 3, false, 5_000), Long.MAX_VALUE);

        assertThat(fabric.stats().longestQueue()).isLessThanOrEqualTo(6_000);
        assertThat(fabric.stats().dropped()).isPositive();
    }
}

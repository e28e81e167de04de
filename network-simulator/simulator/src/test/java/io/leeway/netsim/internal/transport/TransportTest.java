package io.leeway.netsim.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Samples;
import io.leeway.netsim.internal.sim.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {

    private static final double TEN_GIGABIT = 10e9;
    private static final long MICRO = 1_000_000;

    /** Flows that begin together. */
    private static final class Run implements Fabric.Hosts {
        final Fabric fabric;
        final List<Flow> flows = new ArrayList<>();

        Run(Topology topology, FabricConfig config) {
            fabric = new Fabric(topology, config);
        }

        Flow add(Transport transport, int from, int to, Batch batch) {
            Flow flow = transport.flow(fabric, new Flow.Ends(flows.size(), from, to, () -> {}, new Spread()), batch);
            flows.add(flow);
            return flow;
        }

        @Override
        public void arrived(int packet) {
            flows.get(fabric.packets().flow(packet)).arrived(packet);
        }

        @Override
        public void timer(int flow, int tag) {
            flows.get(flow).timer(tag);
        }
    }

    private static Batch messages(int count, int size, double msr) {
        int[] sizes = new int[count];
        Arrays.fill(sizes, size);
        return new Batch(sizes, msr);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void aFlowAloneNeedsHardlyMoreThanTheLink(Transport transport) {
        FabricConfig config = transport.fabric(FabricConfig.netApprox(TEN_GIGABIT, MICRO), 2);
        Run run = new Run(Topology.star(2), config);
        Flow flow = run.add(transport, 0, 1, messages(1_000, 14_600, 1));
        flow.start();
        run.fabric.run(run, 100_000 * MICRO);

        assertThat(flow.isOver()).isTrue();
        assertThat(flow.outcome().messages()).isEqualTo(1_000);
        double ideal = 10_000 * 1_500 * 8 / TEN_GIGABIT * 1e12;
        assertThat(flow.outcome().time() / ideal).isBetween(1.0, 1.25);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void aFlowAloneFillsAFastLinkOverManySwitches(Transport transport) {
        Topology topology = Topology.fatTree(4);
        FabricConfig config = transport.fabric(FabricConfig.netApprox(100e9, MICRO), topology.diameter());
        Run run = new Run(topology, config);
        Flow flow = run.add(transport, 0, 15, messages(1_000, 14_600, 1));
        flow.start();
        run.fabric.run(run, 100_000 * MICRO);

        assertThat(flow.isOver()).isTrue();
        double ideal = 10_000 * 1_500 * 8 / 100e9 * 1e12;
        assertThat(flow.outcome().time() / ideal).isBetween(1.0, 1.4);
    }

    @Test
    void creditsOfSeveralFlowsFillTheLinkButForTheirOwnBytes() {
        for (int flows : new int[] {2, 4, 8}) {
            Run run = new Run(Topology.star(9), FabricConfig.netApprox(100e9, MICRO));
            for (int host = 1; host <= flows; host++) {
                run.add(Transport.AEOLUS_ES, host, 0, messages(1, 20_000_000, 1))
                        .start();
            }
            run.fabric.run(run, 1_000_000 * MICRO);

            long last = run.flows.stream()
                    .mapToLong(flow -> flow.outcome().time())
                    .max()
                    .orElse(0);
            double ideal = flows * Math.ceil(20e6 / Flow.PAYLOAD) * (84 + 1_538) * 8 / 100e9 * 1e12;
            assertThat(last / ideal).as("%d flows", flows).isBetween(0.95, 1.05);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Transport.class, mode = EnumSource.Mode.EXCLUDE, names = "UDP")
    void keepsItsPromiseInAnIncast(Transport transport) {
        FabricConfig config = transport.fabric(FabricConfig.netApprox(TEN_GIGABIT, MICRO), 2);
        Run run = new Run(Topology.star(9), config);
        for (int host = 1; host < 9; host++) {
            run.add(transport, host, 0, messages(200, 2_000, transport.samples() ? 1 : 0.5))
                    .start();
        }
        run.fabric.run(run, 1_000_000 * MICRO);

        assertThat(run.flows).allSatisfy(flow -> {
            assertThat(flow.isOver()).isTrue();
            assertThat(flow.outcome().time()).isPositive();
            assertThat(flow.outcome().messages()).isGreaterThanOrEqualTo(transport.samples() ? 200 : 100);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void dctcpHoldsTheQueueWhereItsPublishedModelHasIt(int flows) {
        long mark = 20;
        Run run = new Run(
                Topology.star(flows + 1),
                FabricConfig.netApprox(TEN_GIGABIT, 10 * MICRO).queue(1_500_000, mark * 1_500));
        for (int host = 1; host <= flows; host++) {
            run.add(Transport.DCTCP_ES, host, 0, messages(1, 50_000_000, 1)).start();
        }
        Samples queue = new Samples();
        run.fabric.run(run, 5_000 * MICRO);
        long before =
                run.flows.stream().mapToLong(flow -> flow.outcome().arrived()).sum();
        for (int i = 0; i < 2_000; i++) {
            run.fabric.run(run, run.fabric.now() + 5 * MICRO);
            queue.add(run.fabric.queueTo(0) / 1_500.0);
        }
        long packets =
                run.flows.stream().mapToLong(flow -> flow.outcome().arrived()).sum() - before;

        // The queue's top is K + N, its swing half of sqrt(2 N (C RTT + K)).
        double pipe = TEN_GIGABIT / 8 * 43e-6 / 1_500;
        double top = mark + flows;
        double swing = Math.sqrt(2 * flows * (pipe + mark)) / 2;
        // Within two packets a flow: the model has all flows in step and no burst.
        assertThat(queue.mean()).isBetween(top - swing - 2 * flows, top + 1.0 * flows);
        assertThat(packets * 1_500 * 8 / 10e-3).isGreaterThan(0.94 * TEN_GIGABIT);
    }

    @Test
    void dctcpSharesLinksMaxMinFairly() {
        Run run = new Run(
                Topology.star(10), FabricConfig.netApprox(TEN_GIGABIT, MICRO).queue(1_500_000, 30_000));
        // Four flows into host 0, two into host 8, one into host 9, each from a host of its own.
        int[] targets = {0, 0, 0, 0, 8, 8, 9};
        double[] shares = {0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 1};
        for (int i = 0; i < targets.length; i++) {
            run.add(Transport.DCTCP_ES, i + 1, targets[i], messages(1, 50_000_000, 1))
                    .start();
        }
        run.fabric.run(run, 5_000 * MICRO);
        long[] before =
                run.flows.stream().mapToLong(flow -> flow.outcome().arrived()).toArray();
        run.fabric.run(run, 25_000 * MICRO);

        double all = 20e-3 * TEN_GIGABIT / 8 / 1_500;
        for (int i = 0; i < targets.length; i++) {
            assertThat((run.flows.get(i).outcome().arrived() - before[i]) / all).isCloseTo(shares[i], within(0.07));
        }
    }

    @Test
    void atpLosesWhatItMayAndUsesTheQueuesBelowTheExactTraffic() {
        Run run = new Run(Topology.star(10), FabricConfig.netApprox(TEN_GIGABIT, MICRO));
        for (int host = 1; host < 9; host++) {
            run.add(Transport.ATP_FULL, host, 0, messages(2_000, 1_400, 0.5)).start();
        }
        Flow exact = run.add(Transport.DCTCP_ES, 9, 0, messages(100, 14_600, 1));
        exact.start();
        run.fabric.run(run, 1_000_000 * MICRO);

        assertThat(run.flows).allMatch(flow -> flow.outcome().time() > 0);
        assertThat(run.fabric.stats().drops().get(0)).isZero();
        assertThat(run.fabric.stats().dropped()).isPositive();
        double ideal = 1_000 * 1_500 * 8 / TEN_GIGABIT * 1e12;
        assertThat(exact.outcome().time() / ideal).isLessThan(1.6);
    }

    @Test
    void pFabricLetsTheShortFlowPass() {
        Run run = new Run(Topology.star(3), Transport.PFABRIC_ES.fabric(FabricConfig.netApprox(TEN_GIGABIT, MICRO), 2));
        run.add(Transport.PFABRIC_ES, 1, 0, messages(1, 5_000_000, 1)).start();
        run.fabric.run(run, 1_000 * MICRO);
        Flow small = run.add(Transport.PFABRIC_ES, 2, 0, messages(1, 14_600, 1));
        small.start();
        run.fabric.run(run, 100_000 * MICRO);

        double ideal = 10 * 1_500 * 8 / TEN_GIGABIT * 1e12;
        assertThat(small.outcome().time() / ideal).isLessThan(2);
    }

    @Test
    void dctcpSharesTwoBottlenecksAsItsPaperAndNs3Have() {
        // The topology of the DCTCP paper's figure 17, which ns-3 repeats in its dctcp-example: hosts at 1 Gbit/s, ten
        // of S1
        // and twenty of S2 behind one switch, ten of S3 and the receivers behind another, 10 Gbit/s between. S1 and S3
        // send to one receiver, each of S2 to one of its own.
        Topology topology = Topology.dumbbell(30, 31, 10);
        FabricConfig config = FabricConfig.netApprox(1e9, 10 * MICRO).queue(4_000_000, 20 * 1_500);
        Run run = new Run(topology, config);
        for (int i = 0; i < 10; i++) {
            run.add(Transport.DCTCP_ES, i, 60, messages(1, 50_000_000, 1)).start();
        }
        for (int i = 10; i < 30; i++) {
            run.add(Transport.DCTCP_ES, i, i + 30, messages(1, 50_000_000, 1)).start();
        }
        for (int i = 30; i < 40; i++) {
            run.add(Transport.DCTCP_ES, i, 60, messages(1, 50_000_000, 1)).start();
        }
        run.fabric.run(run, 100_000 * MICRO);
        long[] before =
                run.flows.stream().mapToLong(flow -> flow.outcome().arrived()).toArray();
        run.fabric.run(run, 300_000 * MICRO);
        double[] mbps = new double[40];
        for (int i = 0; i < 40; i++) {
            mbps[i] = (run.flows.get(i).outcome().arrived() - before[i]) * 1_460.0 * 8 / 0.2 / 1e6;
        }
        double s1 = Arrays.stream(mbps, 0, 10).average().orElse(0);
        double s2 = Arrays.stream(mbps, 10, 30).average().orElse(0);
        double s3 = Arrays.stream(mbps, 30, 40).average().orElse(0);

        // Published: the paper 46, 475, 54; ns-3 23, 471, 74. Both fill both bottlenecks.
        assertThat(s1).isBetween(20.0, 60.0);
        assertThat(s2).isCloseTo(473, within(0.05 * 473));
        assertThat(s3).isBetween(40.0, 80.0);
        assertThat(10 * (s1 + s3)).isCloseTo(985, within(0.05 * 985));
        assertThat(10 * s1 + 20 * s2).isGreaterThan(9_400);
        assertThat(jain(mbps, 10, 30)).isGreaterThan(0.97);
    }

    private static double jain(double[] values, int from, int to) {
        double sum = Arrays.stream(values, from, to).sum();
        double squares =
                Arrays.stream(values, from, to).map(value -> value * value).sum();
        return sum * sum / (to - from) / squares;
    }

    @Test
    void aeolusKeepsTheQueueOfAnIncastShort() {
        double[] longest = new double[2];
        Transport[] transports = {Transport.AEOLUS_ES, Transport.DCTCP_ES};
        for (int i = 0; i < 2; i++) {
            Run run = new Run(Topology.star(17), FabricConfig.netApprox(TEN_GIGABIT, MICRO));
            for (int host = 1; host < 17; host++) {
                run.add(transports[i], host, 0, messages(100, 14_600, 1)).start();
            }
            run.fabric.run(run, 1_000_000 * MICRO);
            assertThat(run.flows).allMatch(Flow::isOver);
            longest[i] = run.fabric.stats().busiestQueue();
        }
        assertThat(longest[0]).isLessThan(longest[1] / 4);
    }
}

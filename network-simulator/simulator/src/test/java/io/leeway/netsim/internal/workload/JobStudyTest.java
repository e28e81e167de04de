package io.leeway.netsim.internal.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Rng;
import io.leeway.netsim.internal.transport.Batch;
import io.leeway.netsim.internal.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobStudyTest {

    private static final FabricConfig NETWORK = FabricConfig.netApprox(10e9, 1_000_000);

    private static JobStudy.Result run(Transport transport, int jobs, int messages, double load) {
        Workload workload = Workload.of(Workload.Pattern.ALL_TO_ALL, new Sizes.Fixed(1_400), messages, jobs, load)
                .at(0.5, load, 0, 0);
        return new JobStudy(Topology.leafSpine(4, 2, 4), NETWORK, transport, workload, 7).run(100);
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"ATP", "DCTCP_ES", "AEOLUS_ES", "PFABRIC_ES", "UDP"})
    void needsMemoryForTheFlowsThatAreAliveNotForAllThatEverWere(Transport transport) {
        JobStudy.Result few = run(transport, 300, 20, 0.3);
        JobStudy.Result many = run(transport, 3_000, 20, 0.3);

        assertThat(many.unfinished()).isLessThan(many.mostFlows());
        // Ten times the jobs at the same load: what is alive at once hardly grows, and is a small part of them.
        assertThat(many.mostFlows()).isLessThan(3 * few.mostFlows() + 30).isLessThan(3_000 / 5);
        assertThat(many.mostPackets()).isLessThan(4 * few.mostPackets() + 1_000);
    }

    @Test
    void needsMemoryInProportionToTheFlowsThatAreAlive() {
        JobStudy.Result some = run(Transport.DCTCP_ES, 50, 200, 0);
        JobStudy.Result more = run(Transport.DCTCP_ES, 500, 200, 0);

        assertThat(some.mostFlows()).isEqualTo(50);
        assertThat(more.mostFlows()).isEqualTo(500);
        assertThat(more.mostPackets()).isLessThan(12 * some.mostPackets());
    }

    @Test
    void aJobWhoseMessagesComeOneAfterAnotherLastsAsLongAsTheyTake() {
        Workload workload = new Workload(
                        Workload.Pattern.PAIR,
                        new Sizes.Fixed(200),
                        new Arrivals.Poisson(1e6),
                        500,
                        1,
                        1,
                        0,
                        0,
                        0,
                        List.of(),
                        List.of(),
                        List.of())
                .at(0.5, 0, 0, 0);
        for (Transport transport : Transport.values()) {
            JobStudy.Result result = new JobStudy(Topology.star(2), NETWORK, transport, workload, 3).run(1);
            double produced = transport.samples() || transport == Transport.ATP ? 500e-6 : 250e-6;
            assertThat(result.unfinished()).as(transport.key()).isZero();
            assertThat(result.approximate().mean() / produced)
                    .as(transport.key())
                    .isBetween(0.75, 1.6);
        }
    }

    @Test
    void whatIsSampledKeepsItsOrderAndItsNumber() {
        int[] sizes = new int[100];
        long[] at = new long[100];
        for (int i = 0; i < 100; i++) {
            sizes[i] = i + 1;
            at[i] = i;
        }
        int[] taken = new int[101];
        for (int seed = 0; seed < 2_000; seed++) {
            Batch sample = JobSource.sampled(new Batch(sizes, at, 0.3), new Rng(seed));
            assertThat(sample.count()).isEqualTo(30);
            assertThat(sample.sizes()).isSorted();
            for (int size : sample.sizes()) {
                taken[size]++;
            }
        }
        // Each as likely as any other: 600 of 2,000, with a deviation of 20.
        for (int size = 1; size <= 100; size++) {
            assertThat(taken[size]).isBetween(480, 720);
        }
    }

    @Test
    void theJobFollowsTheBackgroundFromQueueToQueue() {
        Workload workload = new Workload(
                        Workload.Pattern.PAIR,
                        new Sizes.KeyValue(),
                        new Arrivals.Poisson(0.5e6),
                        4_000,
                        1,
                        1,
                        0,
                        0,
                        0,
                        List.of(),
                        List.of(
                                new Background.Phase(5, 4, 0),
                                new Background.Phase(5, 3, 500_000_000L),
                                new Background.Phase(5, 2, 1_250_000_000L)),
                        List.of())
                .at(0.5, 0, 0, 0);
        FabricConfig fast = FabricConfig.netApprox(40e9, 1_000_000);
        List<JobStudy.Moment> moments =
                new JobStudy(Topology.star(8), fast, Transport.ATP_FULL, workload, 1_000).follow(1, 5_000_000);

        List<Integer> best = new ArrayList<>(List.of(moments.get(0).aim().queue()));
        for (JobStudy.Moment moment : moments) {
            if (moment.aim().queue() < best.get(best.size() - 1)) {
                best.add(moment.aim().queue());
            }
        }
        assertThat(best).containsExactly(4, 3, 2, 1);
    }

    @Test
    void saysAllThatIsWrongInAFileOfJobs() {
        List<String> problems = new ArrayList<>();
        List<FlowTrace.Job> jobs = FlowTrace.read(
                List.of(
                        "# mine",
                        "start_us,from,to,sizes,msr",
                        "1.5,0,1,1400 200",
                        "x,0,1,100",
                        "2,3,3,100",
                        "1,0,1,100",
                        "3,0,1,0",
                        "4,0,1,100,1.5",
                        "5,1,2,100,.5",
                        "6,1,2,100,,S1",
                        "7,1,2,100,,all",
                        "8,1,2,100,1,S1,x"),
                (line, what) -> problems.add(line + ": " + what));

        assertThat(jobs).hasSize(3);
        assertThat(jobs.get(2).group()).isEqualTo("S1");
        assertThat(jobs.get(2).msr()).isZero();
        assertThat(jobs.get(0)).isEqualTo(new FlowTrace.Job(1_500_000, 0, 1, List.of(1_400, 200), 0, ""));
        assertThat(jobs.get(1).msr()).isEqualTo(0.5);
        assertThat(problems)
                .satisfiesExactly(
                        one -> assertThat(one).startsWith("4: start_us"),
                        one -> assertThat(one).startsWith("5: from and to"),
                        one -> assertThat(one).startsWith("6: time goes back"),
                        one -> assertThat(one).startsWith("7: sizes"),
                        one -> assertThat(one).startsWith("8: msr"),
                        one -> assertThat(one).startsWith("11: group"),
                        one -> assertThat(one).startsWith("12: expected 4 to 6 cells"));
    }
}

package io.leeway.autotune.internal.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.autotune.internal.deploy.Step.Phase;
import io.leeway.autotune.internal.sim.Simulation;
import io.leeway.autotune.internal.sim.Topology;
import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Orchestrator;
import io.leeway.autotune.spi.Resource;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class AutoTuneTest {

    private static final int REQUESTS = 600;

    private static Mr mostImpacted(Topology topology, double noise, long seed) {
        var simulation = new Simulation(topology, noise, REQUESTS, seed);
        var comparison = new Comparison(simulation, Settings.defaults(seed));
        Deployment first = topology.first();
        return new Stress(Settings.defaults(seed), 0)
                        .all(
                                Stress.mrs(simulation),
                                group -> {
                                    Deployment reduced = first;
                                    for (Mr mr : group) {
                                        reduced = reduced.with(
                                                mr.instance(),
                                                mr.resource(),
                                                0.3 * first.get(mr.instance(), mr.resource()));
                                    }
                                    return reduced;
                                },
                                candidate -> comparison.run(first, candidate, 0.02))
                        .impacts()
                        .entrySet()
                        .stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey();
    }

    @Test
    void findsTheStorageThatAFrontEndWaitsFor() {
        int right = 0;
        int seeds = Depth.of(20, 200);
        for (int seed = 0; seed < seeds; seed++) {
            right +=
                    mostImpacted(Topology.blockedCaller(), 0.05, seed).equals(new Mr("storage", Resource.DISK)) ? 1 : 0;
        }

        assertThat(right).isGreaterThanOrEqualTo(seeds * 19 / 20);
    }

    @Test
    void partitionsFindExactlyThePlantedResources() {
        RandomGenerator random = Seeds.random("planted");
        for (int run = 0; run < Depth.of(100, 5_000); run++) {
            var mrs = new ArrayList<Mr>();
            var planted = new ArrayList<Mr>();
            for (int i = 0; i < 10; i++) {
                for (Resource resource : Resource.values()) {
                    var mr = new Mr("service" + i, resource);
                    mrs.add(mr);
                    if (planted.isEmpty() || random.nextInt(8) == 0) {
                        planted.add(mr);
                    }
                }
            }
            Settings defaults = Settings.defaults(run);
            var settings = new Settings(
                    random.nextInt(2, 9), 0.3, 1.2, 0.03, 5, 25, 200, 0.02, 0.05, 0.99, 0.001, 6, 0.1, defaults.seed());
            Stress.Outcome outcome = new Stress(settings, run)
                    .all(
                            mrs,
                            group -> {
                                // The group is carried as a deployment of its hurtful members.
                                var allocations = new TreeMap<String, Allocation>();
                                var placement = new TreeMap<String, Integer>();
                                group.stream().filter(planted::contains).forEach(mr -> {
                                    allocations.put(mr.toString(), Allocation.of(1, 1, 1, 1));
                                    placement.put(mr.toString(), 0);
                                });
                                return new Deployment(allocations, placement);
                            },
                            candidate -> {
                                double ratio = candidate.allocations().isEmpty() ? 1 : 1.5;
                                return new Comparison.Result(ratio, ratio, ratio, true, 5);
                            });

            assertThat(outcome.harmless()).doesNotContainAnyElementsOf(planted).hasSize(mrs.size() - planted.size());
        }
    }

    @Test
    void stepsShrinkByOnePointTwo() {
        Settings settings = Settings.defaults(1);
        double delta = settings.firstStep();
        var steps = new ArrayList<Double>();
        for (int i = 0; i < 11; i++) {
            steps.add(Math.round(delta * 1_000) / 10.0);
            delta /= settings.divisor();
        }

        assertThat(steps).containsExactly(30.0, 25.0, 20.8, 17.4, 14.5, 12.1, 10.0, 8.4, 7.0, 5.8, 4.8);
    }

    @Test
    void placementsFitObeyConstraintsAndNeverGoBelowTheLowerBound() {
        RandomGenerator random = Seeds.random("packing");
        Allocation capacity = Allocation.of(4, 16, 100, 100);
        for (int run = 0; run < Depth.of(500, 20_000); run++) {
            var allocations = new TreeMap<String, Allocation>();
            var most = new TreeMap<String, Resource>();
            for (int i = 0; i < random.nextInt(2, 12); i++) {
                allocations.put(
                        "s" + i,
                        Allocation.of(
                                random.nextDouble(0.1, 2),
                                random.nextDouble(0.5, 8),
                                random.nextDouble(1, 50),
                                random.nextDouble(1, 50)));
                most.put("s" + i, List.of(Resource.values()).get(random.nextInt(4)));
            }
            List<Constraint> constraints = List.of(new Constraint.Apart("s0", "s1"));
            var packing = new Packing(capacity, constraints, most, Map.of());
            int bound = packing.lowerBound(allocations);
            for (int servers = 1; servers <= allocations.size(); servers++) {
                Optional<Map<String, Integer>> placement = packing.place(allocations, servers, run % 6, run);
                if (placement.isPresent()) {
                    var deployment = new Deployment(allocations, placement.get());
                    assertThat(servers).isGreaterThanOrEqualTo(bound);
                    assertThat(constraints.get(0).allows(placement.get())).isTrue();
                    for (int server = 0; server < servers; server++) {
                        for (Resource resource : Resource.values()) {
                            assertThat(deployment.used(server, resource))
                                    .isLessThanOrEqualTo(capacity.get(resource) * 1.000001);
                        }
                    }
                }
            }
        }
    }

    @Test
    void usesFewerServersAndIsNotSlower() {
        for (int seed = 0; seed < Depth.of(1, 6); seed++) {
            Topology topology = Topology.mean();
            var simulation = new Simulation(topology, 0, REQUESTS, seed);
            AutoTune.Result result = run(simulation, topology, seed);

            assertThat(result.last().servers()).isLessThan(result.first().servers());
            assertIsNotWorse(topology, result);
        }
    }

    @Test
    void neverAcceptsWhatIsWorseOnFreshDataHoweverNoisy() {
        Topology[] topologies = {Topology.mean(), Topology.blockedCaller(), Topology.hotRod(), Topology.apartment()};
        // Each of the sixteen pairs of an application and a noise (0, 5, 10, 15 %) once; the fast tier has the pair 5.
        for (int seed = 0; seed < Depth.of(1, 16); seed++) {
            int pair = (seed + 5) % 16;
            Topology topology = topologies[pair % 4];
            int step = pair / 4;
            var simulation = new Simulation(topology, 0.05 * step, REQUESTS, seed);

            assertIsNotWorse(topology, run(simulation, topology, seed));
        }
    }

    private static AutoTune.Result run(Orchestrator orchestrator, Topology topology, long seed) {
        return new AutoTune(orchestrator, Settings.defaults(seed), topology.first(), step -> {}, () -> false).run();
    }

    private static void assertIsNotWorse(Topology topology, AutoTune.Result result) {
        var fresh = new Simulation(topology, 0, 10, 1);
        Orchestrator.Trial before = fresh.truth(result.first(), 100_000, 99);
        Orchestrator.Trial after = fresh.truth(result.last(), 100_000, 99);
        assertThat(after.latency()).isLessThanOrEqualTo(1.08 * before.latency());
        assertThat(after.throughput()).isGreaterThanOrEqualTo(0.99 * before.throughput());
        assertThat(after.errorRate()).isLessThanOrEqualTo(before.errorRate() + 0.001);
    }

    @Test
    void goesOnFromTheStepThatAJournalKept() {
        Topology topology = Topology.mean();
        var steps = new ArrayList<Step>();
        new AutoTune(
                        new Simulation(topology, 0, REQUESTS, 1),
                        Settings.defaults(1),
                        topology.first(),
                        steps::add,
                        () -> false)
                .run();
        Step packed = steps.stream()
                .filter(step -> step.phase() == Phase.LEFTOVERS)
                .findFirst()
                .orElseThrow();
        AutoTune.Result resumed = new AutoTune(
                        new Simulation(topology, 0, REQUESTS, 2),
                        Settings.defaults(1),
                        topology.first(),
                        step -> {},
                        () -> false)
                .resume(packed);

        assertThat(resumed.steps()).noneMatch(step -> step.phase() == Phase.CLAMPDOWN);
        assertThat(resumed.last().servers()).isEqualTo(packed.deployment().servers());
    }

    @Test
    void whenATrialThrowsTheFirstDeploymentIsInPlace() {
        Topology topology = Topology.mean();
        var simulation = new Simulation(topology, 0, REQUESTS, 1);
        var deployed = new ArrayList<Deployment>();
        Orchestrator failing = new Orchestrator() {
            @Override
            public Map<String, Allocation> floors() {
                return simulation.floors();
            }

            @Override
            public Allocation capacity() {
                return simulation.capacity();
            }

            @Override
            public List<Constraint> constraints() {
                return List.of();
            }

            @Override
            public java.util.Set<Resource> tunable() {
                return simulation.tunable();
            }

            @Override
            public void deploy(Deployment deployment) {
                deployed.add(deployment);
                simulation.deploy(deployment);
            }

            @Override
            public Trial measure() {
                if (deployed.size() > 30) {
                    throw new IllegalStateException("a trial that fails");
                }
                return simulation.measure();
            }
        };

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> run(failing, topology, 1))
                .hasMessage("a trial that fails");
        assertThat(deployed.get(deployed.size() - 1)).isEqualTo(topology.first());
    }

    @Test
    void changesDeploymentsOnlyAfterFiveMinutesOfAnotherLoad() {
        var library = new WorkloadSwitch<>(Map.of(100.0, "small", 400.0, "large"), 1.6, 50);
        int changes = 0;
        for (int second = 0; second < 7_200; second += 10) {
            // Bursts of four minutes never last long enough.
            double rate = second % 600 < 240 ? 200 : 50;
            changes += library.observe(second, rate).isPresent() ? 1 : 0;
        }
        assertThat(changes).isZero();

        var changed = new ArrayList<String>();
        for (int second = 7_200; second < 9_000; second += 10) {
            library.observe(second, 200).ifPresent(choice -> changed.add(choice.orElse("autoscale")));
        }
        assertThat(changed).containsExactly("large");
        assertThat(library.choose(10_000)).isEmpty();
        assertThat(library.rates().stream().max(Comparator.naturalOrder())).hasValue(400.0);
    }
}

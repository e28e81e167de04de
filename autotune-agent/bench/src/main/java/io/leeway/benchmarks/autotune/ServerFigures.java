package io.leeway.benchmarks.autotune;

import io.leeway.autotune.internal.deploy.AutoTune;
import io.leeway.autotune.internal.deploy.Settings;
import io.leeway.autotune.internal.outside.ControlGroup;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.servers.Application;
import io.leeway.autotune.internal.servers.GroupServers;
import io.leeway.autotune.internal.servers.Trials;
import io.leeway.autotune.internal.sim.Simulation;
import io.leeway.autotune.internal.sim.Topology;
import io.leeway.autotune.services.JdkService;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.TomcatService;
import io.leeway.autotune.spi.Deployment;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** How many servers AutoTune saves: in simulation of the three applications, and on real services in control groups. */
final class ServerFigures {

    private static final int SEEDS = 3;

    private ServerFigures() {}

    static void simulated(Recorder recorder) throws IOException {
        for (Topology topology : List.of(Topology.mean(), Topology.hotRod(), Topology.apartment())) {
            var factors = new ArrayList<Double>();
            var latencies = new ArrayList<Double>();
            for (int seed = 1; seed <= SEEDS; seed++) {
                var simulation = new Simulation(topology, 0.05, 600, seed);
                AutoTune.Result result = new AutoTune(
                                simulation, Settings.defaults(seed), topology.first(), step -> {}, () -> false)
                        .run();
                factors.add((double) result.first().servers() / result.last().servers());
                latencies.add(simulation.truth(result.last(), 100_000, 99).latency()
                        / simulation.truth(result.first(), 100_000, 99).latency());
            }
            System.out.println(topology.name() + " " + factors + " " + latencies);
            recorder.record(
                            "servers before by servers after, " + topology.name() + ", simulated",
                            AutoTuneFigures.median(factors),
                            "times",
                            2.0,
                            Better.HIGHER,
                            "")
                    .record(
                            "p99 after by p99 before, " + topology.name() + ", simulated",
                            AutoTuneFigures.median(latencies),
                            "times",
                            1.05,
                            Better.LOWER,
                            "");
        }
    }

    /** A front end that asks two services, each on a server of its own at first, all of them in control groups. */
    static void real(Recorder recorder) throws IOException, InterruptedException {
        try (var stock = ServiceProcess.start(
                        List.of(), false, TomcatService.class.getName(), "threads=20", "connections=10", "held=3");
                var price = ServiceProcess.start(
                        List.of(), false, JdkService.class.getName(), "threads=20", "connections=10", "held=3");
                var front = ServiceProcess.start(
                        List.of(),
                        true,
                        JdkService.class.getName(),
                        "threads=20",
                        "connections=10",
                        "held=3",
                        "calls=" + stock.uri() + ";" + price.uri());
                var load = new Load(front.uri(), 150, 1)) {
            // Compilers still at work need more than the services will, and a quota cuts into what users wait for.
            TimeUnit.SECONDS.sleep(45);
            Path file = Files.createTempFile("autotune-bench-", ".json");
            try {
                Files.writeString(file, description(front, stock, price));
                Application application = Application.read(file);
                RemoteService measured = front.service();
                var trials = new Trials(application, measured, line -> {});
                Consumer<String> log = System.out::println;
                try (var servers = new GroupServers(application, ControlGroup.standardRoot(), trials, log)) {
                    AutoTune.Result result = new AutoTune(
                                    servers,
                                    application.settings(),
                                    application.first(),
                                    step -> System.out.println(step.phase() + ": " + step.what()),
                                    () -> false)
                            .run();
                    var before = new ArrayList<Double>();
                    var after = new ArrayList<Double>();
                    for (int i = 0; i < 3; i++) {
                        before.add(observed(servers, result.first(), load));
                        after.add(observed(servers, result.last(), load));
                    }
                    System.out.println(result.last() + " " + before + " " + after);
                    recorder.record(
                                    "servers before by servers after, three services in control groups",
                                    (double) result.first().servers()
                                            / result.last().servers(),
                                    "times",
                                    1.5,
                                    Better.HIGHER,
                                    "")
                            .record(
                                    "p95 after by p95 before, three services in control groups",
                                    AutoTuneFigures.median(after) / AutoTuneFigures.median(before),
                                    "times",
                                    1.1,
                                    Better.LOWER,
                                    "");
                } finally {
                    measured.release();
                }
            } finally {
                Files.delete(file);
            }
        }
    }

    private static double observed(GroupServers servers, Deployment deployment, Load load) throws InterruptedException {
        servers.deploy(deployment);
        TimeUnit.SECONDS.sleep(2);
        load.take();
        TimeUnit.SECONDS.sleep(8);
        return load.take().p95();
    }

    private static String description(ServiceProcess... processes) {
        List<String> names = List.of("front", "stock", "price");
        var instances = new ArrayList<String>();
        for (int i = 0; i < processes.length; i++) {
            instances.add(String.format(
                    Locale.ROOT,
                    "{\"name\":\"%s\",\"pids\":[%d],\"allocation\":{\"cpu\":0.6},\"floor\":{\"cpu\":0.1},\"server\":%d}",
                    names.get(i),
                    processes[i].pid(),
                    i));
        }
        return "{\"measured\":\"front\",\"server\":{\"cpu\":0.6},\"resources\":[\"cpu\"],\"settleSeconds\":0.3,"
                + "\"trialSeconds\":2,\"instances\":[" + String.join(",", instances) + "],"
                + "\"search\":{\"partitions\":3,\"minTrials\":2,\"maxTrials\":5,\"finalTrials\":10,\"orders\":2,"
                + "\"stressTolerance\":0.1,\"finalTolerance\":0.1,\"lastStep\":0.25,\"transferStop\":0.31}}";
    }
}

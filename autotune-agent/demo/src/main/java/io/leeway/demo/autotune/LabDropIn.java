package io.leeway.demo.autotune;

import com.sun.net.httpserver.HttpServer;
import io.leeway.autotune.lab.Bottlenecks;
import io.leeway.autotune.lab.Lab;
import io.leeway.autotune.services.LabFiles;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.Mesh;
import io.leeway.autotune.services.RunningMesh;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Teller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An application of seven services before deployment: from traces to a configuration; then a fault that is found. */
public final class LabDropIn implements DropIn {

    private static final double RATE = 25;
    private static final int ENOUGH = 16;

    /** Runs it alone. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new LabDropIn(), arguments);
    }

    @Override
    public String name() {
        return "lab";
    }

    @Override
    public String title() {
        return "AutoTune's lab: an application tuned before it is deployed, and its bottleneck found";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Teller teller = context.teller();
        teller.text(
                "Seven services in JVMs of their own; one of them, the storage, has a single connection. The lab knows their"
                        + " parameters and nothing else. Traces of the first measurement say which services are worth tuning; then"
                        + " every trial starts all services with another configuration and measures them under load.");
        // A run that is begun again, with other ports, has nothing to go on with.
        Path directory = Files.createTempDirectory(context.directory(), "lab-");
        tune(context, directory);
        teller.heading("When something is slow: the instance that is the bottleneck");
        teller.text("The same services with threads and connections enough; their spans are looked at as they come.");
        find(context, directory);
    }

    private static void tune(DemoContext context, Path directory) throws IOException {
        Teller teller = context.teller();
        String load = "  rate: " + RATE + "\n  warm-up: " + context.shortOrLong(2, 8) + "s\n  measure: "
                + context.shortOrLong(3, 10) + "s\n";
        String more = "objective: p95\nlimits: [error-share <= 0.01]\nreduce: critical-path-variance\nbudget: "
                + context.shortOrLong(4, 12) + "\nverify: 1\nseed: 2\n";
        Path app = LabFiles.write(directory, Mesh.shop(), Map.of(), load, more, LabFiles.port());
        if (context.isShort()) {
            teller.text("Four trials need luck, which this seed has; the usual budget is 15.");
        }
        teller.code("bin/autotune lab app.yaml");
        Lab.Result result = Lab.run(app, true, teller::text);
        Path best = result.output().resolve("best");
        teller.text("What an operator applies is in " + best + "; changes.md says what is different:");
        teller.code(Files.readString(best.resolve("changes.md")).strip());
        teller.page("The lab's report", result.output().resolve("report.html"));
    }

    /** The same application with threads and connections enough; the storage gets a lock that every request needs. */
    private static void find(DemoContext context, Path directory) throws IOException, InterruptedException {
        Bottlenecks bottlenecks = Bottlenecks.standard();
        HttpServer sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        sink.createContext("/", exchange -> {
            try (exchange) {
                bottlenecks.take(exchange.getRequestBody().readAllBytes(), false);
                exchange.sendResponseHeaders(200, -1);
            }
        });
        sink.start();
        Mesh mesh = generous();
        try (var running = RunningMesh.start(
                        mesh, "http://127.0.0.1:" + sink.getAddress().getPort() + "/");
                var load = new Load(running.uri(mesh.front().name()), RATE, 1)) {
            watch(context, bottlenecks, running, load);
            Path page = directory.resolve("bottleneck.html");
            Files.writeString(page, bottlenecks.page());
            context.teller().page("Suspects, and an anomalous request with its critical path", page);
        } finally {
            sink.stop(0);
        }
    }

    private static Mesh generous() {
        return new Mesh(Mesh.shop().members().stream()
                .map(member ->
                        new Mesh.Member(member.name(), member.calls(), member.work(), member.held(), ENOUGH, ENOUGH))
                .toList());
    }

    private static void watch(DemoContext context, Bottlenecks bottlenecks, RunningMesh running, Load load)
            throws IOException, InterruptedException {
        Teller teller = context.teller();
        // What JVMs do at first is not what is usual.
        await(bottlenecks, context.shortOrLong(60, 150));
        bottlenecks.learnUsual();
        load.take();
        await(bottlenecks, context.shortOrLong(100, 250));
        teller.text(bottlenecks.learnUsual() + " requests say what is usual: p95 is "
                + Math.round(load.take().p95()) + " ms. Now the storage holds a lock for 30 ms.");
        running.fault("storage", "lock", 30);
        await(bottlenecks, context.shortOrLong(100, 250));
        List<Bottlenecks.Suspect> suspects = bottlenecks.live();
        teller.text("p95 is now " + Math.round(load.take().p95()) + " ms. Suspects, by the model trained on "
                + bottlenecks.model() + ":");
        suspects.forEach(suspect -> teller.text(suspect.instance() + ": " + suspect.reason() + "."));
        if (suspects.isEmpty() || !suspects.get(0).instance().equals("storage")) {
            throw new IllegalStateException("the storage is not the first suspect: " + suspects);
        }
    }

    /** Until so many requests were seen: a busy machine needs longer. */
    private static void await(Bottlenecks bottlenecks, int requests) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (bottlenecks.requests() < requests && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }
}

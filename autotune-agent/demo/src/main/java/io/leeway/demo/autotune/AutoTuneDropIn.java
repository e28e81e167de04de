package io.leeway.demo.autotune;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneController;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.services.JdkService;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.TomcatService;
import io.leeway.demo.Bars;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Teller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two services, poorly configured, under load: the agent finds better settings while they run. */
public final class AutoTuneDropIn implements DropIn {

    /** The services shall soon be warm. */
    private static final List<String> LEAN = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Runs it alone. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new AutoTuneDropIn(), arguments);
    }

    @Override
    public String name() {
        return "autotune";
    }

    @Override
    public String title() {
        return "AutoTune: settings of a running service, tuned against its latency";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Teller teller = context.teller();
        teller.text(
                "Two services run in JVMs of their own: one on Tomcat, and one on the JDK's server that asks it. The"
                        + " second has a connection pool of 2 and an executor of 4 threads, which is just enough for 30 requests a"
                        + " second, so that most of them wait. Neither knows of AutoTune; the second was started with -javaagent:autotune-agent.jar.");
        try (var back = ServiceProcess.start(
                        LEAN, false, TomcatService.class.getName(), "threads=100", "connections=20", "held=3");
                var front = ServiceProcess.start(
                        LEAN,
                        true,
                        JdkService.class.getName(),
                        "threads=4",
                        "connections=2",
                        "held=55",
                        "calls=" + back.uri());
                var load = new Load(front.uri(), 30, 1);
                var controller = controller(context, front.agents())) {
            teller.text("While this runs, the controller's page shows it:");
            teller.code("http://127.0.0.1:" + controller.port() + "/#token=" + controller.token());
            TimeUnit.SECONDS.sleep(context.shortOrLong(5, 20));
            tune(context, front.service(), load);
        }
    }

    private static AutoTuneController controller(DemoContext context, Path agents) throws IOException {
        Path directory = Files.createTempDirectory(context.directory(), "autotune-controller-");
        return AutoTuneController.start(0, directory, agents);
    }

    /** The agent tunes by itself; this only reads what it says. */
    private static void tune(DemoContext context, RemoteService service, Load load) throws InterruptedException {
        Setting first = service.read();
        var options = new JsonObject();
        options.addProperty("window", context.isShort() ? "4s" : "8s");
        options.addProperty("settle", "1s");
        options.addProperty("rounds", Integer.toString(context.shortOrLong(2, 8)));
        options.addProperty("verify.pairs", "2");
        service.tune(options.toString());
        context.teller().text("What the agent says it did: " + followed(context, service) + ".");
        Setting last = service.read();
        Setting changes = last.changedFrom(first);
        if (changes.values().isEmpty()) {
            context.teller().text("Nothing better was found: what there was before is in place.");
            return;
        }
        service.apply(first.changedFrom(last));
        Load.Seen before = observed(context, load);
        service.apply(changes);
        Load.Seen after = observed(context, load);
        service.keep();
        service.release();
        context.teller()
                .bars(new Bars(
                        "p95 that the load saw, one after the other, the connection pool and threads as they were and tuned",
                        "ms",
                        List.of(new Bars.Bar("as it was", before.p95()), new Bars.Bar("tuned", after.p95()))));
        context.teller().text("What stays: " + last.changesFrom(first) + ".");
    }

    /** Tells each round when it is over, and returns how it ended. */
    private static String followed(DemoContext context, RemoteService service) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int told = 0; System.nanoTime() < deadline; TimeUnit.MILLISECONDS.sleep(500)) {
            JsonObject status = Json.object(service.status());
            List<JsonElement> rounds = Json.array(status, "rounds");
            for (; told < rounds.size(); told++) {
                context.teller().text(Json.text(rounds.get(told).getAsJsonObject(), "line"));
            }
            if (!"tuning".equals(Json.text(status, "state"))) {
                return Json.text(status, "state");
            }
        }
        throw new IllegalStateException("the run did not end in " + PATIENCE);
    }

    private static Load.Seen observed(DemoContext context, Load load) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        load.take();
        TimeUnit.SECONDS.sleep(context.shortOrLong(4, 8));
        return load.take();
    }
}

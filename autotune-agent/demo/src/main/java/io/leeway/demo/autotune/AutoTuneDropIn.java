package io.leeway.demo.autotune;

import io.leeway.autotune.AutoTuneController;
import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.internal.tune.Outcome;
import io.leeway.autotune.internal.tune.Plan;
import io.leeway.autotune.internal.tune.Round;
import io.leeway.autotune.internal.tune.Tuner;
import io.leeway.autotune.services.JdkService;
import io.leeway.autotune.services.Load;
import io.leeway.autotune.services.TomcatService;
import io.leeway.demo.Bars;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two services, poorly configured, under load: the agent finds better settings while they run. */
public final class AutoTuneDropIn implements DropIn {

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
                        + " second has a connection pool of 2 and an executor of 3 threads, which is too few for 120 requests a"
                        + " second. Neither knows of AutoTune; the second was started with -javaagent:autotune-agent.jar.");
        try (var back = ServiceProcess.start(
                        List.of(), false, TomcatService.class.getName(), "threads=100", "connections=20", "held=3");
                var front = ServiceProcess.start(
                        List.of(),
                        true,
                        JdkService.class.getName(),
                        "threads=3",
                        "connections=2",
                        "held=10",
                        "calls=" + back.uri());
                var load = new Load(front.uri(), 120, 1);
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

    private static void tune(DemoContext context, RemoteService service, Load load) throws InterruptedException {
        var options = AutoTuneOptions.defaults()
                .with(AutoTuneOptions.WINDOW, context.isShort() ? "2s" : "6s")
                .with(AutoTuneOptions.SETTLE, "1s")
                .with(AutoTuneOptions.ROUNDS, Integer.toString(context.shortOrLong(2, 8)));
        var lines = new ArrayList<List<String>>();
        Outcome outcome = new Tuner(
                        service,
                        Plan.of(options),
                        round -> lines.add(told(context, round)),
                        () -> false,
                        () -> System.nanoTime() / 1e9,
                        1)
                .run();
        context.teller().table(new Table("What was tried", List.of("phase", "change"), lines));
        Setting changes = outcome.last().changedFrom(outcome.first());
        if (changes.values().isEmpty()) {
            context.teller().text("Nothing better was found.");
            return;
        }
        service.apply(outcome.first().changedFrom(outcome.last()));
        double before = observed(context, load);
        service.apply(changes);
        double after = observed(context, load);
        service.keep();
        context.teller()
                .bars(new Bars(
                        "p95 that the load saw, one after the other",
                        "ms",
                        List.of(new Bars.Bar("as it was", before), new Bars.Bar("tuned", after))));
        context.teller().text("What stays: " + outcome.last().changesFrom(outcome.first()) + ".");
    }

    private static List<String> told(DemoContext context, Round round) {
        context.teller().text(round.line());
        return List.of(round.phase().toString(), round.line());
    }

    private static double observed(DemoContext context, Load load) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        load.take();
        TimeUnit.SECONDS.sleep(context.shortOrLong(2, 8));
        return load.take().p95();
    }
}

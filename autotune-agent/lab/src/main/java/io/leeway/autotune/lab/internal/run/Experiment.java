package io.leeway.autotune.lab.internal.run;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.lab.Constraint;
import io.leeway.autotune.lab.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One measurement of one configuration: write, start, wait, warm up, measure, end. */
final class Experiment {

    private static final String HOLDER = "lab";

    /** Of a terminal's Ctrl-C the processes hear first; so long after one ended, this JVM has heard of it too. */
    private static final long HEARD_MILLIS = 500;

    /** Whose requests fail more often is not measured by the few that do not. */
    private static final double MOST_FAILED = 0.5;

    private final App app;
    private final Runnable measureBegins;
    private final CountDownLatch ending = new CountDownLatch(1);

    /** Of an application; told when warm-up is over. */
    Experiment(App app, Runnable measureBegins) {
        this.app = app;
        this.measureBegins = measureBegins;
    }

    /**
     * Measures; whatever fails is an outcome, with its reason.
     *
     * @throws InterruptedException also if this JVM is ending: what fails then says nothing of the configuration
     */
    Trial.Outcome measure(Setting setting, String label) throws InterruptedException {
        var values = new ArrayList<Map<String, Double>>();
        for (int i = 0; i < app.repeat(); i++) {
            try {
                values.add(once(setting, app.repeat() == 1 ? label : label + "." + (i + 1)));
            } catch (Processes.StartFailed | IOException | AutoTuneException e) {
                if (ending.await(HEARD_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new InterruptedException("ended from outside");
                }
                return new Trial.Failed(
                        e instanceof IOException io ? LabRun.reason(io) : String.valueOf(e.getMessage()));
            }
        }
        return outcome(medians(values));
    }

    private Map<String, Double> once(Setting setting, String label)
            throws Processes.StartFailed, IOException, InterruptedException {
        var configuration = new Configuration(app, setting);
        Path current = app.output().resolve("current");
        configuration.write(current);
        Map<String, String> common = Map.of("LAB_CONFIGURATION", current.toString(), "LAB_TRIAL", label);
        try (var processes = new Processes(app.home(), app.output())) {
            var hook = new Thread(() -> {
                ending.countDown();
                processes.close();
            });
            addHook(hook);
            try {
                if (!app.deploy().isEmpty()) {
                    processes.run(label + "-deploy", app.deploy(), common, app.startLimit());
                }
                var started = new LinkedHashMap<App.Service, Process>();
                for (App.Service service : app.services()) {
                    started.put(service, start(processes, configuration, service, common));
                }
                Map<String, Double> metrics = load(processes, common);
                // Requests that nobody answers fail fast, so that a service that is gone would look like a fast one.
                for (var service : started.entrySet()) {
                    processes.mustRun(service.getKey(), service.getValue());
                }
                return metrics;
            } finally {
                forget(hook);
            }
        }
    }

    private void addHook(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            ending.countDown();
            throw new InterruptedException("ended from outside");
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook runs.
            return;
        }
    }

    private Process start(
            Processes processes, Configuration configuration, App.Service service, Map<String, String> common)
            throws Processes.StartFailed, InterruptedException {
        var environment = new TreeMap<>(configuration.environment(service));
        environment.putAll(common);
        processes.mustBeFree(service);
        // Logs are found by the service's name until the next trial writes its own.
        Process process = processes.start(service.name(), configuration.command(service), environment);
        processes.await(service, process, app.startLimit());
        Setting knobs = configuration.knobs(service);
        if (!knobs.values().isEmpty()) {
            Path agents = service.agents() == null ? AgentAddress.standardDirectory() : service.agents();
            var remote = new RemoteService(AgentAddress.find(agents, Long.toString(process.pid())), HOLDER);
            remote.apply(knobs);
            remote.keep();
            remote.release();
        }
        return process;
    }

    private Map<String, Double> load(Processes processes, Map<String, String> common)
            throws Processes.StartFailed, InterruptedException {
        if (app.load() instanceof App.Load.Command command) {
            return printed(processes.run("load", command.command(), common, command.limit()));
        }
        double[] cpu = new double[1];
        var load = new OpenLoad((App.Load.Open) app.load(), app.study().seed());
        Map<String, Double> metrics = load.run(() -> {
            measureBegins.run();
            cpu[0] = processes.cpuMillis();
        });
        double requests = metrics.getOrDefault("requests", 0.0);
        if (requests > 0) {
            metrics.put("cpu-ms", (processes.cpuMillis() - cpu[0]) / requests);
        }
        return metrics;
    }

    /** The metrics in the last line that is a JSON object; what is no finite number there is none. */
    private static Map<String, Double> printed(String text) throws Processes.StartFailed {
        List<String> lines = text.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("{") && line.endsWith("}"))
                .toList();
        if (lines.isEmpty()) {
            throw new Processes.StartFailed("the load's command printed no JSON object of metrics");
        }
        JsonObject json = Json.object(lines.get(lines.size() - 1));
        var metrics = new TreeMap<String, Double>();
        json.entrySet()
                .forEach(entry -> number(entry.getValue()).ifPresent(value -> metrics.put(entry.getKey(), value)));
        return metrics;
    }

    private static Optional<Double> number(JsonElement element) {
        try {
            double value = element instanceof JsonPrimitive primitive ? primitive.getAsDouble() : Double.NaN;
            return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Map<String, Double> medians(List<Map<String, Double>> values) {
        var medians = new TreeMap<String, Double>();
        for (String name : values.get(0).keySet()) {
            double[] sorted = values.stream()
                    .filter(one -> one.containsKey(name))
                    .mapToDouble(one -> one.getOrDefault(name, 0.0))
                    .sorted()
                    .toArray();
            medians.put(name, sorted[(sorted.length - 1) / 2]);
        }
        return medians;
    }

    private Trial.Outcome outcome(Map<String, Double> metrics) {
        boolean isRaised = app.objective().startsWith("-");
        String name = isRaised ? app.objective().substring(1) : app.objective();
        Double value = metrics.get(name);
        double failed = app.load() instanceof App.Load.Open ? metrics.getOrDefault("error-share", 0.0) : 0;
        if (failed > MOST_FAILED) {
            return new Trial.Failed(String.format(
                    Locale.ROOT, "%.0f %% of the requests failed, so that their times say nothing", 100 * failed));
        }
        if (value == null) {
            return new Trial.Failed("the metric " + name + " is missing or no number; there are " + metrics.keySet());
        }
        var broken = new ArrayList<String>();
        for (Constraint limit : app.limits()) {
            List<String> missing = limit.names().stream()
                    .filter(metric -> !metrics.containsKey(metric))
                    .toList();
            if (!missing.isEmpty()) {
                return new Trial.Failed("the metric " + missing + " of the limit " + limit
                        + " is missing or no number; there are " + metrics.keySet());
            }
            if (!limit.holdsFor(metrics)) {
                broken.add(limit.toString());
            }
        }
        return new Trial.Complete(isRaised ? -value : value, metrics, broken);
    }

    /** How long one measurement takes at least. */
    static Duration least(App app) {
        return app.load() instanceof App.Load.Open open
                ? open.warmUp().plus(open.measure()).multipliedBy(app.repeat())
                : Duration.ZERO;
    }
}

package io.leeway.autotune.lab.internal.run;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.Parameter;
import io.leeway.autotune.lab.Reduction;
import io.leeway.autotune.lab.Space;
import io.leeway.autotune.lab.Study;
import io.leeway.autotune.lab.Trial;
import io.leeway.autotune.lab.internal.report.RunPage;
import io.leeway.autotune.lab.internal.trace.Reducer;
import io.leeway.autotune.lab.internal.trace.ServiceStatistics;
import io.leeway.autotune.lab.internal.trace.TraceReader;
import io.leeway.autotune.lab.internal.trace.Traces;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Reduce, propose, apply, load, measure, until the budget is used; then the best and the configuration without tuning
 * are measured again in turn, and what an operator applies is written. After every step all of it is on disk: a run
 * that is killed goes on with the trial that was being measured (Gagan Somashekhar, "Performance Management of
 * Large-Scale Microservices Applications", 2023, section 3.3.2).
 */
public final class LabRun {

    private static final int EXPORT_MILLIS = 6_000;

    /** So many failed trials at the beginning say that the files are wrong, not the configurations. */
    private static final int HOPELESS = 3;

    /** Where the stored study says what its values are of. */
    private static final String MEASURED = "measured";

    /**
     * The directories of this process's runs. Who finds one here does not open its lock: where locks are a process's, as POSIX has
     * them, the system takes them away when any channel of the file is closed.
     */
    private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

    /**
     * How a run ended.
     *
     * @param study all trials
     * @param output where everything is
     * @param isBetter whether the best is better than no tuning on fresh measurements
     * @param verification what they said, for people
     */
    public record Result(Study study, Path output, boolean isBetter, List<String> verification) {}

    private final App app;
    private final Experiment experiment;
    private final Predicate<ServiceStatistics> isBottleneck;
    private final Consumer<String> teller;
    private final LongSupplier nanos;
    private final long deadline;
    private final Map<String, Set<String>> reductions = new LinkedHashMap<>();
    private Map<String, ServiceStatistics> statistics = Map.of();

    private LabRun(App app, Predicate<ServiceStatistics> isBottleneck, Consumer<String> teller, LongSupplier nanos) {
        this.app = app;
        this.experiment = new Experiment(app, () -> {});
        this.isBottleneck = isBottleneck;
        this.teller = teller;
        this.nanos = nanos;
        this.deadline = nanos.getAsLong() + app.timeLimit().toNanos();
    }

    /**
     * Runs an application file, or goes on with it.
     *
     * @param file the application file
     * @param isFresh whether what an earlier run left is forgotten
     * @param isBottleneck the classifier of one of the reductions
     * @param teller told of every step, a line each
     */
    public static Result run(
            Path file, boolean isFresh, Predicate<ServiceStatistics> isBottleneck, Consumer<String> teller)
            throws IOException, InterruptedException {
        App app = AppFile.read(file);
        Files.createDirectories(app.output());
        Path output = app.output().toRealPath();
        if (!HERE.add(output)) {
            throw inUse(app);
        }
        try {
            return runAlone(app, isFresh, isBottleneck, teller);
        } finally {
            HERE.remove(output);
        }
    }

    @SuppressWarnings("try") // The lock is held, not used.
    private static Result runAlone(
            App app, boolean isFresh, Predicate<ServiceStatistics> isBottleneck, Consumer<String> teller)
            throws IOException, InterruptedException {
        try (var channel = FileChannel.open(
                        app.output().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = locked(channel, app)) {
            int ended = Processes.endLeftOvers(app.output());
            if (ended > 0) {
                teller.accept("ended " + ended + " processes that an earlier run left behind");
            }
            if (isFresh) {
                Files.deleteIfExists(study(app));
                Files.deleteIfExists(app.output().resolve("traces.jsonl"));
            }
            return new LabRun(app, isBottleneck, teller, System::nanoTime).run();
        }
    }

    /** Reads an application file and says what it would do, without doing anything. */
    public static String check(Path file) {
        App app = AppFile.read(file);
        return String.format(
                Locale.ROOT,
                "%s: %d services, %d parameters, %d trials with %s, at least %d s",
                app.name(),
                app.services().size(),
                app.space().size(),
                app.study().budget(),
                app.study().method().text(),
                Experiment.least(app).toSeconds() * (app.study().budget() + 2L * app.verify()));
    }

    private static FileLock locked(FileChannel channel, App app) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
        } catch (OverlappingFileLockException e) {
            // Told below, as when another process has it.
        }
        throw inUse(app);
    }

    private static AutoTuneException inUse(App app) {
        return AutoTuneError.NO_EXPERIMENT.because("another run has " + app.output());
    }

    private static Path study(App app) {
        return app.output().resolve("study.json");
    }

    private Result run() throws IOException, InterruptedException {
        Study study = Files.exists(study(app)) ? goOn() : begin();
        boolean isInTime = true;
        while (isInTime && isLeft(study)) {
            Trial trial = next(study);
            save(study);
            tell(study, trial, experiment.measure(complete(trial.setting()), "trial-" + trial.number()));
            failAtOnce(study);
            isInTime = nanos.getAsLong() - deadline < 0;
        }
        if (!isInTime) {
            teller.accept("the time limit is over");
        }
        return end(study);
    }

    /** Where the configuration without tuning and the next ones fail, so will the rest of a long night. */
    private void failAtOnce(Study study) {
        List<Trial> trials = study.trials();
        if (trials.size() == HOPELESS && trials.stream().allMatch(trial -> trial.outcome() instanceof Trial.Failed)) {
            throw AutoTuneError.NO_EXPERIMENT.because("the first " + HOPELESS
                    + " trials failed, so that the run ends here; mend it and begin with --fresh. The last: "
                    + told(trials.get(HOPELESS - 1).outcome()));
        }
    }

    private boolean isLeft(Study study) {
        List<Trial> trials = study.trials();
        return trials.size() < app.study().budget()
                || trials.stream().anyMatch(trial -> trial.outcome() instanceof Trial.Running);
    }

    /** A trial that a killed run did not end comes first. */
    private static Trial next(Study study) {
        return study.trials().stream()
                .filter(trial -> trial.outcome() instanceof Trial.Running)
                .findFirst()
                .orElseGet(study::ask);
    }

    /** Parameters that are not tuned have their standard. */
    private Setting complete(Setting setting) {
        return app.space().setting(app.space().point(setting));
    }

    private void tell(Study study, Trial trial, Trial.Outcome outcome) throws IOException {
        study.tell(trial.number(), outcome);
        save(study);
        page(study, List.of());
        String changes = trial.setting().changesFrom(study.space().standard());
        teller.accept(String.format(
                Locale.ROOT,
                "trial %d, %d of %d: %s (best %s)  %s",
                trial.number(),
                trial.number() + 1,
                app.study().budget(),
                told(outcome),
                study.bestTrial().map(best -> shown(best.value())).orElse("none"),
                changes.isEmpty() ? "without tuning" : changes));
    }

    /** What went wrong with a file: some exceptions of files have nothing but its name as their message. */
    public static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        if (!(e instanceof FileSystemException file) || file.getReason() != null) {
            return message;
        }
        String what = e instanceof AccessDeniedException
                ? "may not be read or written"
                : e instanceof NoSuchFileException
                        ? "is not there"
                        : e instanceof FileAlreadyExistsException
                                ? "is there already and no directory"
                                : e instanceof NotDirectoryException ? "is no directory" : "cannot be used";
        return file.getFile() + " " + what;
    }

    private String told(Trial.Outcome outcome) {
        if (outcome instanceof Trial.Complete complete) {
            return app.objective() + " " + shown(complete.value())
                    + (complete.isWithinLimits() ? "" : ", broke " + String.join(", ", complete.broken()));
        }
        return outcome instanceof Trial.Failed failed ? "failed: " + failed.reason() : "runs";
    }

    private static String shown(double value) {
        if (Double.isInfinite(value)) {
            return "failed or beyond a limit";
        }
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 1e9 ? "%.3e" : size >= 100 ? "%.0f" : "%.3g", value);
    }

    private Study goOn() throws IOException {
        Study stored;
        String measured;
        try {
            String text = Files.readString(study(app));
            stored = Study.fromJson(text);
            measured = Json.text(Json.object(text), MEASURED, measured());
        } catch (AutoTuneException e) {
            throw AutoTuneError.BAD_STATE.because(study(app) + ": " + e.getMessage(), e);
        }
        same(stored.space());
        if (!measured.equals(measured())) {
            throw changed("what is measured has changed", "was " + measured + " and is " + measured());
        }
        long ended = stored.trials().stream()
                .filter(trial -> !(trial.outcome() instanceof Trial.Running))
                .count();
        teller.accept("goes on after " + ended + " trials");
        Study study = Study.fromJson(withOptions(stored));
        if (!app.reduction().equals("none")) {
            Path kept = app.output().resolve("traces.jsonl");
            reduce(TraceReader.files(Files.exists(kept) ? List.of(kept) : app.traces()));
        }
        return study;
    }

    /** Values of other parameters, or of what is named alike and has other values, say nothing of these. */
    private void same(Space stored) {
        Set<String> services = new TreeSet<>();
        for (Parameter parameter : stored.parameters()) {
            boolean isFixed = parameter.size() == 1;
            if (app.space().parameters().stream()
                    .noneMatch(known -> known.equals(parameter)
                            || (isFixed
                                    && known.name().equals(parameter.name())
                                    && known.standard().equals(parameter.standard())))) {
                throw changed("the parameters have changed", parameter.name() + " is another one");
            }
            if (!isFixed) {
                services.add(parameter.service());
            }
        }
        for (Parameter parameter : app.space().parameters()) {
            boolean isKept = app.reduction().equals("none") || services.contains(parameter.service());
            if (isKept
                    && stored.parameters().stream()
                            .noneMatch(known -> known.name().equals(parameter.name()))) {
                throw changed("the parameters have changed", parameter.name() + " is new");
            }
        }
        if (!stored.constraints().toString().equals(app.space().constraints().toString())) {
            throw changed("the constraints have changed", "were " + stored.constraints());
        }
    }

    private AutoTuneException changed(String what, String how) {
        return AutoTuneError.BAD_STATE.because(
                what + " since " + study(app) + " was written: " + how + "; begin with --fresh");
    }

    /** Values that were measured otherwise are not compared. How long and how often may change. */
    private String measured() {
        String load = app.load() instanceof App.Load.Open open
                // Where services listen may change from run to run, what they are asked for may not.
                ? open.rate() + " requests a second for "
                        + open.requests().stream()
                                .map(request -> request.weight() + " of "
                                        + request.uri().getRawPath())
                                .collect(Collectors.joining(", "))
                : String.join(" ", ((App.Load.Command) app.load()).command());
        return app.objective() + " within " + app.limits() + " under " + load + ", reduced by " + app.reduction();
    }

    /** A larger budget or another optimiser in the file counts from now on. */
    private String withOptions(Study stored) {
        JsonObject json = Json.object(stored.toJson());
        json.addProperty("budget", app.study().budget());
        json.addProperty("method", app.study().method().name());
        return json.toString();
    }

    private Study begin() throws IOException, InterruptedException {
        if (app.reduction().equals("none")) {
            return Study.of(app.space(), app.study());
        }
        if (!app.traces().isEmpty()) {
            return Study.of(reduced(TraceReader.files(app.traces())), app.study());
        }
        teller.accept("receives traces of the configuration without tuning at port " + app.tracePort());
        try (var receiver = new SpanReceiver(app.tracePort())) {
            // Spans of the warm-up say how a JVM starts, not where requests spend their time.
            Trial.Outcome outcome =
                    new Experiment(app, receiver::clear).measure(app.space().standard(), "traces");
            if (outcome instanceof Trial.Failed failed) {
                throw AutoTuneError.NO_EXPERIMENT.because("the configuration without tuning: " + failed.reason());
            }
            // Exporters send in batches, the last one when their process has ended or soon after.
            java.util.concurrent.TimeUnit.MILLISECONDS.sleep(receiver.spans().isEmpty() ? EXPORT_MILLIS : 200);
            Files.write(
                    app.output().resolve("traces.jsonl"),
                    receiver.spans().stream().map(TraceReader::line).toList());
            Study study = Study.of(reduced(receiver.traces()), app.study());
            study.tell(study.ask().number(), outcome);
            save(study);
            return study;
        }
    }

    private void reduce(Traces traces) {
        if (traces.traces().isEmpty()) {
            throw AutoTuneError.BAD_TRACES.because("there is no trace; " + traces.faults());
        }
        traces.faults().forEach(fault -> teller.accept("traces: " + fault));
        statistics = ServiceStatistics.of(traces.traces());
        for (Reduction reduction : Reduction.values()) {
            reductions.put(reduction.key(), Reducer.services(reduction, statistics, isBottleneck));
        }
    }

    private Space reduced(Traces traces) {
        reduce(traces);
        Set<String> kept = reductions.getOrDefault(app.reduction(), Set.of());
        Set<String> known = new TreeSet<>();
        app.space().parameters().forEach(parameter -> known.add(parameter.service()));
        // Traces may tell instances apart; parameters belong to services.
        List<String> services =
                kept.stream().map(name -> name.replaceFirst("@.*", "")).toList();
        if (services.stream().noneMatch(known::contains)) {
            throw AutoTuneError.BAD_TRACES.because(
                    "the traces' services " + statistics.keySet() + " have none of the parameters' " + known);
        }
        Space space = app.space().of(services);
        teller.accept(String.format(
                Locale.ROOT,
                "%s keeps %d of %d services and %d of %d parameters: %s",
                app.reduction(),
                kept.size(),
                statistics.size(),
                space.parameters().stream()
                        .filter(parameter -> parameter.size() > 1)
                        .count(),
                app.space().size(),
                String.join(", ", kept)));
        return space;
    }

    private Result end(Study study) throws IOException, InterruptedException {
        Optional<Trial> best = study.bestTrial();
        if (best.isEmpty()) {
            throw AutoTuneError.NO_EXPERIMENT.because(
                    "no trial of " + study.trials().size() + " may be the best; the last: "
                            + told(study.trials().get(study.trials().size() - 1).outcome()));
        }
        Setting setting = complete(best.get().setting());
        Setting standard = app.space().standard();
        var fresh = new ArrayList<double[]>();
        if (!setting.equals(standard)) {
            for (int i = 0; i < app.verify() && nanos.getAsLong() - deadline < 0; i++) {
                // In turn, so that what changes with time changes both.
                double before = fresh("without tuning", experiment.measure(standard, "verify-" + i + "-standard"));
                double after = fresh("the best", experiment.measure(setting, "verify-" + i + "-best"));
                fresh.add(new double[] {before, after});
            }
        }
        boolean isBetter = isBetter(study, best.get(), fresh);
        List<String> lines = verification(best.get(), fresh, isBetter);
        lines.forEach(teller);
        var configuration = new Configuration(app, isBetter ? setting : standard);
        configuration.writeForOperators(app.output().resolve("best"), standard);
        importances(study);
        page(study, lines);
        return new Result(study, app.output(), isBetter, lines);
    }

    private double fresh(String what, Trial.Outcome outcome) {
        teller.accept("verified, " + what + ": " + told(outcome));
        return outcome instanceof Trial.Complete complete && complete.isWithinLimits()
                ? complete.value()
                : Double.POSITIVE_INFINITY;
    }

    private static boolean isBetter(Study study, Trial best, List<double[]> fresh) {
        return fresh.isEmpty()
                ? best.number() > 0 && !(best.value() >= study.trials().get(0).value())
                : median(fresh, 1) < median(fresh, 0);
    }

    private static double median(List<double[]> pairs, int which) {
        double[] sorted =
                pairs.stream().mapToDouble(pair -> pair[which]).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private List<String> verification(Trial best, List<double[]> fresh, boolean isBetter) {
        var lines = new ArrayList<String>();
        if (!fresh.isEmpty()) {
            double before = median(fresh, 0);
            double after = median(fresh, 1);
            lines.add(String.format(
                    Locale.ROOT,
                    "On fresh measurements in turn: %s %s without tuning, %s with trial %d (%s).",
                    app.objective(),
                    shown(before),
                    shown(after),
                    best.number(),
                    Double.isFinite(before) && Double.isFinite(after) && before != 0
                            ? String.format(Locale.ROOT, "%+.1f %%", 100 * (after / before - 1))
                            : "no comparison"));
        }
        lines.add(
                isBetter
                        ? "What to apply is in " + app.output().resolve("best") + "."
                        : "Nothing better than no tuning was found: best/ has the configuration as it was.");
        return lines;
    }

    private void importances(Study study) throws IOException {
        var array = new JsonArray();
        study.importances().forEach((name, share) -> {
            var json = new JsonObject();
            json.addProperty("parameter", name);
            json.addProperty("share", share);
            array.add(json);
        });
        atomically(app.output().resolve("importances.json"), array + "\n");
    }

    private void save(Study study) throws IOException {
        JsonObject json = Json.object(study.toJson());
        json.addProperty(MEASURED, measured());
        atomically(study(app), json.toString());
    }

    private void page(Study study, List<String> verification) throws IOException {
        atomically(
                app.output().resolve("report.html"),
                RunPage.of(new RunPage.Content(
                        app.name(), app.objective(), study, reductions, app.reduction(), statistics, verification)));
    }

    /** A reader sees the old or the new text, also after a kill at any moment. */
    private static void atomically(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (var channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var bytes = java.nio.ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

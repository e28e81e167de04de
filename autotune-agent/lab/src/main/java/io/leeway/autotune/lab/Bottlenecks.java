package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.lab.internal.detect.Dataset;
import io.leeway.autotune.lab.internal.detect.Diagnosis;
import io.leeway.autotune.lab.internal.detect.Features;
import io.leeway.autotune.lab.internal.detect.GraphDetector;
import io.leeway.autotune.lab.internal.detect.Models;
import io.leeway.autotune.lab.internal.detect.Recording;
import io.leeway.autotune.lab.internal.report.TracePage;
import io.leeway.autotune.lab.internal.trace.Span;
import io.leeway.autotune.lab.internal.trace.Trace;
import io.leeway.autotune.lab.internal.trace.TraceReader;
import io.leeway.autotune.lab.internal.trace.Traces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Names the instances that are the bottleneck in traces (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 5.1). Thread-safe.
 *
 * @since 0.1
 */
public final class Bottlenecks {

    private static final int LIVE_SPANS = 20_000;
    private static final int LEAST_TRACES = 20;

    /**
     * An instance and why.
     *
     * @param instance its name in the traces
     * @param score in [0, 1]
     * @param reason its times against what is usual, as a sentence
     */
    public record Suspect(String instance, double score, String reason) {}

    /**
     * Simulated applications to learn from.
     *
     * @param applications how many
     * @param traces of each
     * @param ratio of anomalous traces to normal ones
     */
    public record Simulated(int applications, int traces, double ratio) {}

    private final GraphDetector detector;
    private final List<Span> live = new ArrayList<>();
    private @Nullable Features usual;

    private Bottlenecks(GraphDetector detector) {
        this.detector = detector;
    }

    /** With the model that comes along, which was trained on simulated applications. */
    public static Bottlenecks standard() {
        return new Bottlenecks(Models.standard());
    }

    /**
     * With a model of one's own.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_MODEL} if it is none of this version
     */
    public static Bottlenecks of(Path model) {
        return new Bottlenecks(Models.of(model));
    }

    /**
     * Trains a model on simulated applications, and on recordings of real ones, and writes it; some minutes.
     *
     * @param model the file
     * @param simulated what is simulated
     * @param recordings directories of recordings (traces with a {@code labels.json}); may be empty
     * @param epochs how often each trace is seen
     * @param seed of all randomness
     * @param teller told of every epoch
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_TRACES} if a recording cannot be used,
     *     with {@link AutoTuneError#BAD_REQUEST} if the model has no place
     */
    public static void train(
            Path model, Simulated simulated, List<Path> recordings, int epochs, long seed, Consumer<String> teller)
            throws IOException {
        Path directory = model.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory) || Files.isDirectory(model)) {
            // Known before minutes of training, not after.
            throw AutoTuneError.BAD_REQUEST.because(model + " cannot be written: it is a directory, or in none");
        }
        List<Recording> recorded =
                recordings.stream().map(Recording::below).flatMap(List::stream).toList();
        Dataset data = Dataset.simulated(simulated.applications(), simulated.traces(), simulated.ratio(), seed);
        String told = simulated.applications() + " simulated applications of 8 to 31 services, " + simulated.traces()
                + " traces each, anomalous to normal " + simulated.ratio() + ", seed " + seed;
        if (!recorded.isEmpty()) {
            data = data.with(Recording.dataset(recorded, seed), seed);
            told += "; " + Recording.told(recorded);
        }
        Models.write(GraphDetector.train(data, epochs, seed, told, teller), model);
    }

    /** What the model was trained on, for people. */
    public String model() {
        return detector.data();
    }

    /**
     * What is wrong in traces.
     *
     * @param baseline files of traces from when all was well; empty to take what is usual from the traces themselves
     * @param traces files of traces to look at
     * @param page where a page for people is written; null for none
     * @param teller told of what could not be read
     * @return the most suspect first
     */
    public List<Suspect> find(List<Path> baseline, List<Path> traces, @Nullable Path page, Consumer<String> teller)
            throws IOException {
        Traces read = read(traces, teller);
        Features features = Features.of(
                baseline.isEmpty() ? read.traces() : read(baseline, teller).traces());
        Diagnosis diagnosis = Diagnosis.of(read.traces(), features, detector);
        if (page != null) {
            Files.writeString(page, TracePage.of("Which instance is the bottleneck", diagnosis, model()));
        }
        teller.accept(diagnosis.anomalous() + " of " + diagnosis.traces() + " requests are anomalous");
        return suspects(diagnosis);
    }

    private static Traces read(List<Path> files, Consumer<String> teller) {
        Traces read = TraceReader.files(files);
        read.faults().forEach(fault -> teller.accept("left out: " + fault));
        if (read.traces().isEmpty()) {
            throw AutoTuneError.BAD_TRACES.because("there is no trace in " + files + " " + read.faults());
        }
        return read;
    }

    private static List<Suspect> suspects(Diagnosis diagnosis) {
        return diagnosis.suspects().stream()
                .map(suspect -> new Suspect(suspect.instance(), suspect.score(), suspect.reason()))
                .toList();
    }

    /**
     * Takes spans of a running application, in any of the formats; the oldest are forgotten.
     *
     * @param body as exporters send it
     * @param isProtobuf whether it is OTLP's protobuf and no JSON
     * @return how many spans were read
     */
    public synchronized int take(byte[] body, boolean isProtobuf) {
        var reader = new TraceReader();
        if (isProtobuf) {
            reader.protobuf(body);
        } else {
            reader.json(new String(body, StandardCharsets.UTF_8));
        }
        List<Span> taken = reader.take();
        live.addAll(taken);
        if (live.size() > LIVE_SPANS) {
            live.subList(0, live.size() - LIVE_SPANS).clear();
        }
        return taken.size();
    }

    /** Says that all is well now: the spans taken so far are what is usual, and are forgotten. */
    public synchronized int learnUsual() {
        List<Trace> traces = Traces.of(live, List.of()).traces();
        if (traces.size() < LEAST_TRACES) {
            throw AutoTuneError.BAD_TRACES.because(
                    "there are " + traces.size() + " requests so far; " + LEAST_TRACES + " say what is usual");
        }
        usual = Features.of(traces);
        live.clear();
        return traces.size();
    }

    /** How many requests the spans taken since belong to. */
    public synchronized int requests() {
        return (int) live.stream().map(Span::trace).distinct().count();
    }

    /** What is wrong in the spans taken since; against themselves where it was not said what is usual. */
    public synchronized List<Suspect> live() {
        List<Trace> traces = Traces.of(live, List.of()).traces();
        return traces.size() < LEAST_TRACES ? List.of() : suspects(diagnosis(traces));
    }

    /**
     * The same as a page for people: suspects with reasons, and the timeline of an anomalous request.
     *
     * @return HTML
     */
    public synchronized String page() {
        return TracePage.of(
                "Which instance is the bottleneck",
                diagnosis(Traces.of(live, List.of()).traces()),
                model());
    }

    private Diagnosis diagnosis(List<Trace> traces) {
        Features known = usual;
        return Diagnosis.of(traces, known == null ? Features.of(traces) : known, detector);
    }
}

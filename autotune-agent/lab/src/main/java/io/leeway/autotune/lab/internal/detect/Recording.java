package io.leeway.autotune.lab.internal.detect;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.internal.trace.Trace;
import io.leeway.autotune.lab.internal.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was recorded of a real application while faults were injected into it, one after the other: a directory with
 * {@code labels.json}, which names a file of traces from when all was well ({@code usual}) and {@code cases}, each with its
 * {@code traces}, {@code fault}, {@code culprits} and {@code anomaly} (single, multiple or cascading; none if there is no
 * culprit).
 *
 * @param application its name
 * @param usual what is usual in it
 * @param cases what was injected
 */
public record Recording(String application, Features usual, List<Case> cases) {

    /**
     * Traces of one time.
     *
     * @param fault the kind, for people
     * @param culprits instances into which it was injected; none where all was well
     * @param anomaly how it shows; null where all was well
     * @param traces of requests that began in this time
     */
    public record Case(
            String fault, Set<String> culprits, TraceSimulator.@Nullable Anomaly anomaly, List<Trace> traces) {

        /** Copies. */
        public Case {
            culprits = Set.copyOf(culprits);
            traces = List.copyOf(traces);
        }
    }

    private static final String LABELS = "labels.json";

    /** Copies. */
    public Recording {
        cases = List.copyOf(cases);
    }

    /**
     * All in the directories below one, or the one in it.
     *
     * @throws AutoTuneException with {@link AutoTuneError#BAD_TRACES} if there is none, or one cannot be used
     */
    public static List<Recording> below(Path directory) {
        if (Files.exists(directory.resolve(LABELS))) {
            return List.of(of(directory));
        }
        if (!Files.isDirectory(directory)) {
            throw AutoTuneError.BAD_TRACES.because("there is no directory " + directory);
        }
        try (Stream<Path> files = Files.list(directory)) {
            List<Recording> recordings = files.filter(file -> Files.exists(file.resolve(LABELS)))
                    .sorted()
                    .map(Recording::of)
                    .toList();
            if (recordings.isEmpty()) {
                throw AutoTuneError.BAD_TRACES.because("there is no " + LABELS + " in or below " + directory);
            }
            return recordings;
        } catch (IOException e) {
            throw AutoTuneError.BAD_TRACES.because(directory + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Recording of(Path directory) {
        Path labels = directory.resolve(LABELS);
        try {
            JsonObject json = Json.object(Files.readString(labels));
            var cases = new ArrayList<Case>();
            for (JsonElement one : Json.array(json, "cases")) {
                cases.add(read(directory, one.getAsJsonObject()));
            }
            return new Recording(
                    String.valueOf(directory.getFileName()),
                    Features.of(traces(directory, Json.text(json, "usual"))),
                    cases);
        } catch (IOException | IllegalStateException | IllegalArgumentException | AutoTuneException e) {
            throw AutoTuneError.BAD_TRACES.because(labels + ": " + e.getMessage(), e);
        }
    }

    private static Case read(Path directory, JsonObject json) {
        var culprits = new TreeSet<String>();
        Json.array(json, "culprits").forEach(name -> culprits.add(name.getAsString()));
        List<Trace> traces = traces(directory, Json.text(json, "traces"));
        for (String culprit : culprits) {
            if (traces.stream().noneMatch(trace -> reaches(trace, Set.of(culprit)))) {
                throw AutoTuneError.BAD_TRACES.because(
                        "the culprit " + culprit + " is in no trace of " + Json.text(json, "traces"));
            }
        }
        TraceSimulator.Anomaly anomaly = culprits.isEmpty()
                ? null
                : TraceSimulator.Anomaly.valueOf(
                        Json.text(json, "anomaly", "single").toUpperCase(Locale.ROOT));
        return new Case(Json.text(json, "fault", "unknown"), culprits, anomaly, traces);
    }

    private static List<Trace> traces(Path directory, String name) {
        List<Trace> traces = TraceReader.files(List.of(directory.resolve(name))).traces();
        if (traces.isEmpty()) {
            throw AutoTuneError.BAD_TRACES.because("there is no trace in " + name);
        }
        return traces;
    }

    private static boolean reaches(Trace trace, Set<String> culprits) {
        return trace.nodes().stream().anyMatch(node -> culprits.contains(node.service()));
    }

    /** What they are, for people. */
    public static String told(List<Recording> recordings) {
        var faults = new TreeSet<String>();
        int traces = 0;
        for (Recording recording : recordings) {
            for (Case one : recording.cases()) {
                faults.addAll(
                        one.culprits().isEmpty()
                                ? List.of()
                                : List.of(one.fault().split("\\+")));
                traces += one.traces().size();
            }
        }
        return recordings.size() + " real applications, " + traces + " traces, faults injected: "
                + String.join(", ", faults);
    }

    /** Their traces with labels, in a random order; requests that no culprit takes part in are normal. */
    public static Dataset dataset(List<Recording> recordings, long seed) {
        var samples = new ArrayList<Dataset.Sample>();
        for (Recording recording : recordings) {
            for (Case one : recording.cases()) {
                for (Trace trace : one.traces()) {
                    TraceSimulator.Anomaly anomaly = reaches(trace, one.culprits()) ? one.anomaly() : null;
                    samples.add(Dataset.sample(trace, one.culprits(), recording.usual(), anomaly));
                }
            }
        }
        Collections.shuffle(samples, new Random(seed));
        return new Dataset(samples);
    }
}

package io.leeway.autotune.internal.servers;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.internal.deploy.Step;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The steps of a search, a line each, written through to the disk: a search that was killed goes on from the last. */
public final class Journal {

    private final Path file;

    /** At this path. */
    public Journal(Path file) {
        this.file = file;
    }

    /** Adds a step. */
    public void add(Step step) {
        try {
            Files.write(
                    file,
                    (json(step) + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND,
                    StandardOpenOption.DSYNC);
        } catch (IOException e) {
            throw AutoTuneError.BAD_STATE.because(file.toString(), e);
        }
    }

    /** The last step that is whole, of a search that did not end. A line that was cut off by a crash does not count. */
    public Optional<Step> last() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(file);
            boolean whole = Files.size(file) == 0 || Files.readString(file).endsWith("\n");
            int last = whole ? lines.size() - 1 : lines.size() - 2;
            if (!whole) {
                Files.writeString(file, last < 0 ? "" : String.join("\n", lines.subList(0, last + 1)) + "\n");
            }
            return last < 0
                    ? Optional.empty()
                    : Optional.of(step(Json.object(lines.get(last)))).filter(step -> step.phase() != Step.Phase.DONE);
        } catch (IOException | IllegalArgumentException e) {
            throw AutoTuneError.BAD_STATE.because(file.toString(), e);
        }
    }

    private static JsonObject json(Step step) {
        var allocations = new JsonObject();
        step.deployment().allocations().forEach((name, allocation) -> {
            var amounts = new JsonObject();
            allocation
                    .amounts()
                    .forEach((resource, amount) ->
                            amounts.addProperty(resource.name().toLowerCase(Locale.ROOT), amount));
            allocations.add(name, amounts);
        });
        var placement = new JsonObject();
        step.deployment().placement().forEach(placement::addProperty);
        var json = new JsonObject();
        json.addProperty("phase", step.phase().name());
        json.addProperty("delta", step.delta());
        json.addProperty("iteration", step.iteration());
        json.addProperty("what", step.what());
        json.add("allocations", allocations);
        json.add("placement", placement);
        return json;
    }

    private static Step step(JsonObject json) {
        var allocations = new TreeMap<String, Allocation>();
        JsonObject given = Json.object(json, "allocations");
        for (String name : given.keySet()) {
            Map<Resource, Double> amounts = new EnumMap<>(Resource.class);
            JsonObject each = Json.object(given, name);
            each.keySet()
                    .forEach(resource -> amounts.put(
                            Resource.valueOf(resource.toUpperCase(Locale.ROOT)), Json.number(each, resource)));
            allocations.put(name, new Allocation(amounts));
        }
        var placement = new TreeMap<String, Integer>();
        JsonObject places = Json.object(json, "placement");
        places.keySet().forEach(name -> placement.put(name, (int) Json.number(places, name)));
        return new Step(
                Step.Phase.valueOf(Json.text(json, "phase")),
                new Deployment(allocations, placement),
                Json.number(json, "delta"),
                (int) Json.number(json, "iteration"),
                Json.text(json, "what"));
    }
}

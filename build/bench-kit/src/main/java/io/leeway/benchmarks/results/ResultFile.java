package io.leeway.benchmarks.results;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The results of one product: {@code docs/benchmarks/results/<product>.json}, sorted by name. */
public record ResultFile(Path path) {

    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .serializeNulls()
            .disableHtmlEscaping()
            .create();

    /** The file of a product below the repository's root. */
    public static ResultFile of(Path root, String product) {
        return new ResultFile(directory(root).resolve(product + ".json"));
    }

    static Path directory(Path root) {
        return root.resolve("docs/benchmarks/results");
    }

    /** What is recorded; nothing if there is no file. */
    public List<Result> read() throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        return List.copyOf(GSON.fromJson(Files.readString(path), new TypeToken<List<Result>>() {}));
    }

    /** Adds results; one that has the name of a recorded one takes its place. */
    public void merge(Collection<Result> results) throws IOException {
        var byName = new TreeMap<String, Result>();
        read().forEach(result -> byName.put(result.name(), result));
        results.forEach(result -> byName.put(result.name(), result));
        Files.createDirectories(path.toAbsolutePath().getParent());
        Files.writeString(path, GSON.toJson(byName.values()) + "\n");
    }
}

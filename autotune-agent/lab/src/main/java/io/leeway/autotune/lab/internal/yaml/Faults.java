package io.leeway.autotune.lab.internal.yaml;

import io.leeway.autotune.AutoTuneError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** What is wrong with files, so that all of it is told at once. Not thread-safe. */
public final class Faults {

    private final List<String> faults = new ArrayList<>();

    /** Something is wrong at a node. */
    void at(Path file, Node node, String what) {
        int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
        add(file.getFileName() + ":" + line + ": " + what);
    }

    /** Something is wrong. */
    public void add(String what) {
        faults.add(what);
    }

    /** Whether something is wrong so far. */
    public boolean any() {
        return !faults.isEmpty();
    }

    /** Throws {@link AutoTuneError#BAD_FILE} with all faults, one a line, if there is one. */
    public void check() {
        if (any()) {
            throw AutoTuneError.BAD_FILE.because("\n  " + String.join("\n  ", faults) + "\n");
        }
    }
}

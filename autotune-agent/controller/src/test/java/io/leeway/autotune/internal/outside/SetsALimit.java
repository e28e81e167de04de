package io.leeway.autotune.internal.outside;

import io.leeway.autotune.AutoTuneException;
import java.io.IOException;
import java.nio.file.Path;

/** Limits a group below a directory and says what came of it. */
final class SetsALimit {

    private SetsALimit() {}

    public static void main(String[] arguments) throws IOException {
        try {
            new ControlGroup(Path.of(arguments[0]), "app").setCpu(1);
            System.out.println("limited");
        } catch (AutoTuneException e) {
            System.out.println(e.getMessage());
        }
    }
}

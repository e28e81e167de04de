package io.leeway.lazytables.internal.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody looks at the output. */
final class Terminal {

    private Terminal() {}

    /**
     * Whether the standard output is a terminal, as far as the system tells (Linux does).
     *
     * <p>{@code System.console()} asks for the input as well, which a run in a pipe does not have although somebody
     * looks.
     */
    static boolean isThere() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}

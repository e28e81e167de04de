package io.leeway.eppi.internal.cli;

import io.leeway.eppi.internal.local.LocalProcesses;
import io.leeway.eppi.internal.net.Shown;
import java.io.PrintStream;

/** {@code eppi construct}: begins a construction and says how far it is. */
final class ConstructCommand {

    private ConstructCommand() {}

    static void run(Arguments arguments, PrintStream out) {
        String url = arguments.need("coordinator");
        arguments.mostWords(0);
        arguments.end();
        out.println(LocalProcesses.construct(url, step -> System.err.println(Shown.line(step))));
    }
}

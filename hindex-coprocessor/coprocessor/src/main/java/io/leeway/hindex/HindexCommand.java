package io.leeway.hindex;

import io.leeway.hindex.internal.cli.CommandLine;
import io.leeway.hindex.internal.cli.Console;

/** The command line: what operators do with indexes. {@code hindex --help} tells more. */
public final class HindexCommand {

    private HindexCommand() {}

    /** Runs a command and ends the process with what {@link #run} returns. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs a command, also in HBase's shell, by {@code hindex.rb}.
     *
     * @return 0 if all is well, 1 if something was found, 2 if it could not be done
     */
    public static int run(String... words) {
        return CommandLine.run(words, Console.ofProcess());
    }
}

package io.leeway.hindex;

import io.leeway.hindex.internal.cli.CommandLine;
import io.leeway.hindex.internal.cli.Console;

/** The command line: what operators do with indexes. {@code hindex --help} tells more. */
public final class HindexCommand {

    private HindexCommand() {}

    /** Runs a command and ends the process: with 0 if all is well, 1 if something was found, 2 if it could not be done. */
    public static void main(String[] arguments) {
        System.exit(CommandLine.run(arguments, Console.ofProcess()));
    }
}

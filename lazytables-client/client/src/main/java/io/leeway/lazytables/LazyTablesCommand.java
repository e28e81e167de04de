package io.leeway.lazytables;

import io.leeway.lazytables.internal.cli.CommandLine;

/**
 * The command line: {@code lazytables --help}.
 *
 * @since 0.1
 */
public final class LazyTablesCommand {

    private LazyTablesCommand() {}

    /** Runs a command and ends the process with 0, with 1 if it failed, or with 2 if the arguments are wrong. */
    public static void main(String[] args) {
        System.exit(CommandLine.run(args));
    }
}

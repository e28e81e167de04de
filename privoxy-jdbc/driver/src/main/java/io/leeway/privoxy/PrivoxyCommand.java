package io.leeway.privoxy;

import io.leeway.privoxy.internal.cli.CommandLine;
import io.leeway.privoxy.internal.cli.Console;

/**
 * The command line: checks policies, explains decisions, and looks at recorded traffic. {@code privoxy --help} tells
 * more.
 *
 * @since 0.1
 */
public final class PrivoxyCommand {

    private PrivoxyCommand() {}

    /** Runs a command and ends the process: with 0 if all is well, 1 if something was found, 2 if it could not be done. */
    public static void main(String[] arguments) {
        System.exit(CommandLine.run(arguments, Console.ofProcess()));
    }
}

package io.leeway.lazybase;

import io.leeway.lazybase.internal.cli.CommandLine;
import io.leeway.lazybase.internal.console.Console;

/**
 * The command line: {@code bin/lazybase --help}.
 *
 * @since 0.1
 */
public final class LazyBaseCommand {

    private LazyBaseCommand() {}

    private static AutoCloseable start(LazyBaseOptions options) {
        return options.get(LazyBaseOptions.ZOOKEEPER).isEmpty()
                ? LazyBaseServer.start(options)
                : LazyBaseNode.start(options, System.out::println);
    }

    /** Exits with 0 if all went well, 1 if not, 2 if the arguments make no sense. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(Console.ofProcess(), LazyBaseCommand::start).run(arguments));
    }
}

package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.console.Arguments;
import io.leeway.privoxy.internal.console.CommandException;
import io.leeway.privoxy.internal.console.Console;
import io.leeway.privoxy.internal.console.Usage;

/** One command. Stateless. */
interface Command {

    /** What is typed before a command. */
    String PROGRAM = "privoxy";
    /** All is well. */
    int FINE = 0;
    /** Something was found that needs a look. */
    int FOUND = 1;
    /** It could not be done. */
    int FAILED = 2;

    /** How it is called. */
    Usage usage();

    /** Does it. */
    int run(Arguments arguments, Console console) throws CommandException;
}

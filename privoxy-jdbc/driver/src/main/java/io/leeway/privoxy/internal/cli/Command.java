package io.leeway.privoxy.internal.cli;

/** One command. Stateless. */
interface Command {

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

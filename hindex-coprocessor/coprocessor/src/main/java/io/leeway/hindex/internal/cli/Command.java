package io.leeway.hindex.internal.cli;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** One command. */
record Command(Usage usage, Action action) {

    /** All is well. */
    static final int FINE = 0;

    /** Something was found that needs a look. */
    static final int FOUND = 1;

    /** It could not be done. */
    static final int FAILED = 2;

    /** What a command does. */
    @FunctionalInterface
    interface Action {
        /** Does it; the exit code. */
        int run(Arguments arguments, Connection connection, Console console) throws IOException, CommandException;
    }
}

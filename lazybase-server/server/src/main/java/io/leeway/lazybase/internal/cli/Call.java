package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.internal.console.Arguments;
import io.leeway.lazybase.internal.console.Console;
import java.util.Map;

/**
 * A command as it was called.
 *
 * @param console where it writes
 * @param arguments its words
 * @param given options of the server, by their whole keys
 */
record Call(Console console, Arguments arguments, Map<String, String> given) {

    /** Checks all options at once. */
    LazyBaseOptions options() {
        return LazyBaseOptions.of(given);
    }

    String operand(int index) {
        return arguments.operands().get(index);
    }
}

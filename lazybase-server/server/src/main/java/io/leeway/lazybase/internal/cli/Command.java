package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.internal.console.CommandException;
import io.leeway.lazybase.internal.console.Usage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One command.
 *
 * @param usage how it is called
 * @param body what it does; the exit code comes back
 */
record Command(Usage usage, Body body) {

    /** What a command does. */
    @FunctionalInterface
    interface Body {
        int run(Call call) throws CommandException, IOException, InterruptedException;
    }

    static Command of(
            String name,
            String operands,
            String summary,
            List<String> description,
            List<Usage.Option> own,
            List<Usage.Option> common,
            Body body) {
        var options = new ArrayList<>(own);
        options.addAll(common);
        return new Command(new Usage("bin/lazybase", name, summary, operands, description, options), body);
    }
}

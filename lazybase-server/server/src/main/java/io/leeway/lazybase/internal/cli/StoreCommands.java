package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.internal.console.CommandException;
import io.leeway.lazybase.internal.console.ProgressLine;
import io.leeway.lazybase.internal.console.Usage;
import io.leeway.lazybase.internal.console.Words;
import io.leeway.lazybase.internal.pipeline.Verification;
import io.leeway.lazybase.internal.storage.FencedStore;
import io.leeway.lazybase.internal.storage.LocalStore;
import io.leeway.lazybase.internal.storage.Stores;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.LongConsumer;

/** Copies and checks the data of servers that are stopped. */
final class StoreCommands {

    private StoreCommands() {}

    static List<Command> all(List<Usage.Option> options) {
        return List.of(
                Command.of(
                        "backup",
                        "DIRECTORY",
                        "copies the data of a server that is stopped",
                        List.of("The copy is checked."),
                        List.of(),
                        options,
                        StoreCommands::backup),
                Command.of(
                        "restore",
                        "DIRECTORY",
                        "copies a backup to where there is no data yet",
                        List.of("The backup is checked first."),
                        List.of(),
                        options,
                        StoreCommands::restore),
                Command.of(
                        "verify",
                        "",
                        "reads every file of a server that is stopped and checks it",
                        List.of("Checksums, numbers of rows, the order of keys."),
                        List.of(),
                        options,
                        StoreCommands::verify));
    }

    private static Path directory(Call call) {
        return Path.of(call.options().get(LazyBaseOptions.DIRECTORY));
    }

    private static int backup(Call call) throws CommandException, IOException {
        Path to = Path.of(call.operand(0));
        try (var lock = DirectoryLock.of(directory(call));
                Store from = Stores.of(call.options());
                Store copy = new LocalStore(to.resolve("store"))) {
            copy(call, from, directory(call), copy, to);
            return verify(call, copy);
        }
    }

    private static int restore(Call call) throws CommandException, IOException {
        Path from = Path.of(call.operand(0));
        Path to = directory(call);
        if (!Files.isDirectory(from.resolve("store"))) {
            throw new CommandException(from + " has no data.");
        }
        try (Store backup = new LocalStore(from.resolve("store"));
                Store store = Stores.of(call.options())) {
            if (Stores.hasData(store)) {
                throw new CommandException(to + " has data; restore to another --directory.");
            }
            int result = verify(call, backup);
            if (result == 0) {
                copy(call, backup, from, store, to);
            }
            return result;
        }
    }

    private static void copy(Call call, Store from, Path fromDirectory, Store to, Path toDirectory)
            throws CommandException, IOException {
        if (!Stores.hasData(from)) {
            throw new CommandException(fromDirectory + " has no data.");
        }
        if (Stores.hasData(to)) {
            throw new CommandException(toDirectory + " has data already.");
        }
        try (var line = ProgressLine.of(call.console(), "copying")) {
            Stores.copy(from, to, sum(line, Stores.size(from)));
        }
        Path users = fromDirectory.resolve("users");
        if (Files.exists(users)) {
            Files.createDirectories(toDirectory);
            Files.copy(users, toDirectory.resolve("users"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static LongConsumer sum(ProgressLine line, long all) {
        long[] done = new long[1];
        return more -> {
            done[0] += more;
            line.at(done[0], all);
        };
    }

    private static int verify(Call call) throws CommandException, IOException {
        // Holds off a server on this machine; where the store is elsewhere nobody can be held off.
        try (var lock = DirectoryLock.of(directory(call));
                Store store = Stores.of(call.options())) {
            return verify(call, store);
        }
    }

    private static int verify(Call call, Store raw) throws CommandException, IOException {
        if (!Stores.hasData(raw)) {
            throw new CommandException("There is no data.");
        }
        Store store = FencedStore.view(raw);
        Verification.Report report;
        try (var line = ProgressLine.of(call.console(), "checking")) {
            report = Verification.run(store, sum(line, Stores.size(store)));
        }
        report.faults().forEach(fault -> call.console().out().println("damaged: " + fault));
        call.console()
                .out()
                .println(Words.count(report.files(), "file") + " with " + Words.count(report.rows(), "row") + ", "
                        + report.faults().size() + " damaged");
        return report.faults().isEmpty() ? 0 : 1;
    }
}

package io.leeway.hindex.internal.cli;

import io.leeway.hindex.HindexAdmin;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexInfo;
import io.leeway.hindex.IndexMode;
import io.leeway.hindex.IndexState;
import io.leeway.hindex.VerifyMethod;
import io.leeway.hindex.VerifyReport;
import io.leeway.hindex.internal.console.Arguments;
import io.leeway.hindex.internal.console.CommandException;
import io.leeway.hindex.internal.console.Console;
import io.leeway.hindex.internal.console.ProgressLine;
import io.leeway.hindex.internal.console.Usage;
import io.leeway.hindex.internal.console.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** All commands. */
final class Commands {

    private static final Usage.Option RATE =
            new Usage.Option("rate", "ROWS", "no more than so many rows a second; as fast as it goes unless given");
    private static final Usage.Option METHOD = new Usage.Option(
            "method",
            "METHOD",
            "hash (looks up each row and entry; the default) or\nmerge (sorts, reads both sides once)");
    private static final Usage.Option ALL = new Usage.Option(
            "all", "", "also versions with timestamps after the beginning of the command;\nfor tables that rest");
    private static final Usage.Option REGIONS = new Usage.Option("regions", "", "a line for each region of the table");
    private static final String TABLE_AND_INDEX = "TABLE INDEX";

    private Commands() {}

    static List<Command> all() {
        return List.of(
                command("list", "show indexes and what state they are in", "[TABLE]", List.of(), Commands::list),
                command(
                        "create",
                        "define an index and build it while the table is used",
                        "TABLE INDEX DEFINITION",
                        List.of(RATE, new Usage.Option("no-build", "", "only define it; hindex build goes on")),
                        Commands::create),
                command(
                        "build",
                        "add the entries of what was in the table before; goes on where it ended",
                        TABLE_AND_INDEX,
                        List.of(RATE),
                        Commands::build),
                QueryCommand.command(),
                command(
                        "verify",
                        "compare an index with its table while both are used",
                        TABLE_AND_INDEX,
                        List.of(METHOD, ALL, REGIONS, RATE),
                        Commands::verify),
                command(
                        "repair",
                        "verify, and put right what is wrong",
                        TABLE_AND_INDEX,
                        List.of(METHOD, ALL, REGIONS, RATE),
                        Commands::repair),
                command(
                        "pause",
                        "stop reads of an index, and its build; writes keep it",
                        TABLE_AND_INDEX,
                        List.of(),
                        step("paused", HindexAdmin::pause)),
                command("resume", "end a pause", TABLE_AND_INDEX, List.of(), step("resumed", HindexAdmin::resume)),
                command(
                        "disable",
                        "stop keeping an index; it is to be built from the beginning to be used again",
                        TABLE_AND_INDEX,
                        List.of(),
                        step("disabled", HindexAdmin::disable)),
                command(
                        "mode",
                        "have an index follow its table in another way: deferred, sync, async, immutable",
                        "TABLE INDEX MODE",
                        List.of(),
                        Commands::mode),
                command(
                        "drop",
                        "remove an index with its entries",
                        TABLE_AND_INDEX,
                        List.of(),
                        step("dropped", HindexAdmin::drop)),
                command(
                        "uninstall",
                        "have tables without indexes name nothing of hindex, before its jar is taken away",
                        "[TABLE]",
                        List.of(),
                        Commands::uninstall));
    }

    private static int uninstall(Arguments arguments, HindexAdmin indexes, Console console) throws IOException {
        List<TableName> changed = indexes.uninstall(
                arguments.operands().stream().map(TableName::valueOf).toArray(TableName[]::new));
        changed.forEach(table -> console.out().println(table));
        console.out()
                .println(count(changed.size(), "table", "tables")
                        + " changed. No table that was looked at needs hindex any more; take it out of hbase-site.xml, then"
                        + " start the servers without its jar.");
        return Command.FINE;
    }

    private static Command command(
            String name, String summary, String operands, List<Usage.Option> options, Administration action) {
        var all = new ArrayList<>(options);
        all.addAll(Site.OPTIONS);
        return new Command(
                new Usage(Command.PROGRAM, name, summary, operands, List.of(), all),
                (arguments, connection, console) -> action.run(arguments, HindexAdmin.of(connection), console));
    }

    /** What most commands do. */
    @FunctionalInterface
    private interface Administration {
        int run(Arguments arguments, HindexAdmin indexes, Console console) throws IOException, CommandException;
    }

    private static TableName table(Arguments arguments) {
        return TableName.valueOf(arguments.operands().get(0));
    }

    private static String index(Arguments arguments) {
        return arguments.operands().get(1);
    }

    private static int list(Arguments arguments, HindexAdmin indexes, Console console) throws IOException {
        List<IndexInfo> found = arguments.operands().isEmpty() ? indexes.list() : indexes.list(table(arguments));
        found.stream()
                .sorted(Comparator.comparing(IndexInfo::table)
                        .thenComparing(info -> info.definition().name()))
                .forEach(info -> console.out()
                        .println(info.table() + " " + info.definition().name() + ": "
                                + info.definition().toText()
                                + (info.definition().state() == IndexState.ACTIVE && !info.isComplete()
                                        ? " (its table does not exist, is disabled or is not complete: the master or hindex"
                                                + " build puts that right, and it is read after that)"
                                        : "")));
        console.out().println(count(found.size(), "index", "indexes"));
        return Command.FINE;
    }

    private static String count(long number, String one, String several) {
        return Words.number(number) + " " + (number == 1 ? one : several);
    }

    private static int create(Arguments arguments, HindexAdmin indexes, Console console)
            throws IOException, CommandException {
        indexes.create(
                table(arguments),
                IndexDefinition.parse(index(arguments), arguments.operands().get(2)));
        if (arguments.has("no-build")) {
            console.out()
                    .println("The index " + index(arguments) + " of " + table(arguments)
                            + " is defined; writes keep it. Build it to read it.");
            return Command.FINE;
        }
        return build(arguments, indexes, console);
    }

    private static int build(Arguments arguments, HindexAdmin indexes, Console console)
            throws IOException, CommandException {
        boolean built;
        try (ProgressLine line = ProgressLine.of(console, "Building " + index(arguments))) {
            built = rated(arguments, indexes)
                    .withProgress(progress -> line.at((long) (progress.share() * 10_000), 10_000))
                    .build(table(arguments), index(arguments));
        }
        if (built) {
            console.out()
                    .println("The index " + index(arguments) + " of " + table(arguments)
                            + " is complete and can be read.");
            return Command.FINE;
        }
        IndexState state =
                indexes.get(table(arguments), index(arguments)).definition().state();
        console.out()
                .println("The index " + index(arguments) + " of " + table(arguments) + " is "
                        + state.name().toLowerCase(Locale.ROOT) + ", not complete.");
        return Command.FOUND;
    }

    private static HindexAdmin rated(Arguments arguments, HindexAdmin indexes) throws CommandException {
        String rate = arguments.get("rate");
        if (rate == null) {
            return indexes;
        }
        if (!rate.matches("[0-9]{1,9}") || Integer.parseInt(rate) == 0) {
            throw arguments.problem("--rate " + rate + " is no number of rows; write for instance --rate 5000");
        }
        return indexes.withRate(Integer.parseInt(rate));
    }

    private static int verify(Arguments arguments, HindexAdmin indexes, Console console)
            throws IOException, CommandException {
        VerifyReport report = compare("Verifying ", arguments, console, rated(arguments, indexes), HindexAdmin::verify);
        show(report, arguments, console);
        console.out().println(outcome(report));
        if (report.malformed() > 0) {
            console.out()
                    .println(count(report.malformed(), "value is", "values are")
                            + " not what the index's columns are declared as, or too long: no query finds them.");
        }
        return report.isComplete() ? Command.FINE : Command.FOUND;
    }

    private static String outcome(VerifyReport report) {
        if (!report.isComplete()) {
            return "The index is not as it should be; hindex repair puts it right.";
        }
        if (!report.isSound()) {
            return "Nothing is missing. Dangling entries are what writes that failed or a killed server have left: no"
                    + " query returns them, and regions remove them by themselves, after a kill when they are open again"
                    + " and hindex.failed.delay has passed; hindex repair removes them now.";
        }
        if (!report.isExact()) {
            return "The index is sound; stale entries go with the next major compaction of the table.";
        }
        return report.malformed() > 0
                ? "The index holds exactly what the table has, but for values that have no entry."
                : "The index holds exactly what the table has.";
    }

    private static int repair(Arguments arguments, HindexAdmin indexes, Console console)
            throws IOException, CommandException {
        VerifyReport report = compare("Repairing ", arguments, console, rated(arguments, indexes), HindexAdmin::repair);
        show(report, arguments, console);
        console.out()
                .println("What was missing was added, what was stale or dangling removed"
                        + (report.deleted() == 0
                                ? "."
                                : ", but for " + count(report.deleted(), "entry", "entries")
                                        + " of deleted values: a compaction that has begun removes them."));
        return Command.FINE;
    }

    /** What compares. */
    @FunctionalInterface
    private interface Comparison {
        VerifyReport run(HindexAdmin indexes, TableName table, String index, VerifyMethod method, long asOf)
                throws IOException;
    }

    private static VerifyReport compare(
            String what, Arguments arguments, Console console, HindexAdmin indexes, Comparison comparison)
            throws IOException, CommandException {
        long asOf = arguments.has("all") ? Long.MAX_VALUE : System.currentTimeMillis();
        VerifyMethod method = method(arguments);
        try (ProgressLine line = ProgressLine.of(console, what + index(arguments))) {
            return comparison.run(
                    indexes.withProgress(progress -> line.at((long) (progress.share() * 10_000), 10_000)),
                    table(arguments),
                    index(arguments),
                    method,
                    asOf);
        }
    }

    private static VerifyMethod method(Arguments arguments) throws CommandException {
        String method = arguments.get("method");
        return switch (method == null ? "hash" : method) {
            case "hash" -> VerifyMethod.HASH;
            case "merge" -> VerifyMethod.MERGE;
            default -> throw arguments.problem("there is no method " + method + "; give hash or merge");
        };
    }

    private static void show(VerifyReport report, Arguments arguments, Console console) {
        if (arguments.has("regions")) {
            for (VerifyReport.Region region : report.regions()) {
                console.out()
                        .println("region from '" + region.start() + "': "
                                + line(
                                        region.rows(),
                                        region.entries(),
                                        region.missing(),
                                        region.stale(),
                                        region.dangling(),
                                        region.malformed()));
            }
        }
        console.out()
                .println(line(
                        report.rows(),
                        report.entries(),
                        report.missing(),
                        report.stale(),
                        report.dangling(),
                        report.malformed()));
    }

    private static String line(long rows, long entries, long missing, long stale, long dangling, long malformed) {
        return count(rows, "row", "rows") + ", " + count(entries, "entry", "entries") + ": " + Words.number(missing)
                + " missing, " + Words.number(stale) + " stale, " + Words.number(dangling) + " dangling"
                + (malformed == 0 ? "" : ", " + Words.number(malformed) + " malformed");
    }

    private static int mode(Arguments arguments, HindexAdmin indexes, Console console)
            throws IOException, CommandException {
        String word = arguments.operands().get(2);
        for (IndexMode mode : IndexMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(word)) {
                indexes.mode(table(arguments), index(arguments), mode);
                console.out()
                        .println("The index " + index(arguments) + " of " + table(arguments) + " is kept in mode "
                                + word + " from now on.");
                return Command.FINE;
            }
        }
        throw arguments.problem("there is no mode " + word + "; give deferred, sync, async or immutable");
    }

    /** What is done to one index. */
    @FunctionalInterface
    private interface Step {
        void run(HindexAdmin indexes, TableName table, String index) throws IOException;
    }

    private static Administration step(String done, Step step) {
        return (arguments, indexes, console) -> {
            step.run(indexes, table(arguments), index(arguments));
            console.out().println("The index " + index(arguments) + " of " + table(arguments) + " is " + done + ".");
            return Command.FINE;
        };
    }
}

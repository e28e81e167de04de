package io.leeway.eppi.internal.cli;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Member.Role;
import io.leeway.eppi.internal.config.NodeKey;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.console.DidYouMean;
import io.leeway.eppi.internal.console.TextTable;
import io.leeway.eppi.internal.console.Words;
import io.leeway.eppi.internal.index.IndexEntry;
import io.leeway.eppi.internal.local.LocalProcesses;
import io.leeway.eppi.internal.net.Shown;
import io.leeway.eppi.internal.provider.Provider;
import io.leeway.eppi.internal.report.Report;
import io.leeway.eppi.internal.search.Remote;
import io.leeway.eppi.node.EppiCoordinator;
import io.leeway.eppi.node.EppiIndexServer;
import io.leeway.eppi.node.EppiOption;
import io.leeway.eppi.node.EppiOptions;
import io.leeway.eppi.node.EppiProvider;
import io.leeway.eppi.node.EppiSearcher;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Reads the arguments and runs the command. */
public final class CommandLine {

    private static final int FAILED = 1;
    private static final int USAGE = 2;
    /** A database that takes connections and says nothing must not keep a thread for each try. */
    private static final int LOGIN_SECONDS = 30;

    private static final Set<Code> MISTYPED = Set.of(Code.CONFIGURATION, Code.EPSILON, Code.IDENTITY);
    private static final List<String> COMMANDS = List.of(
            "coordinator", "provider", "index", "construct", "query", "report", "keys", "enrol", "withdraw", "local");

    private CommandLine() {}

    /** Runs to the end of the command; the result is the exit code. */
    public static int run(String... args) {
        return run(List.of(args), System.out, System.err);
    }

    static int run(List<String> words, PrintStream out, PrintStream err) {
        if (words.isEmpty() || words.get(0).equals("help") || words.contains("--help")) {
            out.print(help());
            return words.isEmpty() ? USAGE : 0;
        }
        try {
            run(words.get(0), new Arguments(words.subList(1, words.size())), out);
            return 0;
        } catch (EppiException e) {
            err.println("eppi: " + e.getMessage());
            return MISTYPED.contains(e.code()) ? USAGE : FAILED;
        }
    }

    private static void run(String command, Arguments arguments, PrintStream out) {
        switch (command) {
            case "coordinator" ->
                node(arguments, options -> {
                    EppiCoordinator node = EppiCoordinator.start(options);
                    return new Running(node, node.url());
                });
            case "provider" ->
                node(arguments, options -> {
                    // Of this process, so not where a node is a part of somebody's.
                    DriverManager.setLoginTimeout(LOGIN_SECONDS);
                    EppiProvider node = EppiProvider.start(options);
                    return new Running(node, node.url());
                });
            case "index" ->
                node(arguments, options -> {
                    EppiIndexServer node = EppiIndexServer.start(options);
                    return new Running(node, Optional.of(node.url()));
                });
            case "construct" -> ConstructCommand.run(arguments, out);
            case "query" -> query(arguments, out);
            case "report" -> report(arguments, out);
            case "keys" -> keys(arguments, out);
            case "enrol" -> RegisterCommand.enrol(arguments, out);
            case "withdraw" -> RegisterCommand.withdraw(arguments, out);
            case "local" -> LocalCommand.run(arguments, out);
            default ->
                throw EppiException.of(
                        Code.CONFIGURATION,
                        "there is no command " + command + DidYouMean.hint(command, COMMANDS) + "; there are: "
                                + String.join(", ", COMMANDS));
        }
    }

    private interface Start {
        Running with(Map<String, String> options);
    }

    private record Running(AutoCloseable node, Optional<String> url) {}

    /** Until the process is told to end, or its parent ends. */
    private static void node(Arguments arguments, Start start) {
        boolean isWithParent = arguments.flag("with-parent");
        arguments.mostWords(0);
        Running running = start.with(arguments.ofProduct());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(running.node), "eppi-end"));
        System.out.println(LocalProcesses.READY + running.url.orElse(""));
        System.out.flush();
        try {
            if (isWithParent) {
                while (System.in.read() >= 0) {
                    // Only the end matters.
                }
                return;
            }
            new CountDownLatch(1).await();
        } catch (IOException e) {
            throw EppiException.of(Code.GONE, "the parent's pipe broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace") // The process ends; nobody is left to throw to.
    private static void close(AutoCloseable node) {
        try {
            node.close();
        } catch (Exception e) {
            System.err.println("eppi: " + e);
        }
    }

    private static void query(Arguments arguments, PrintStream out) {
        boolean isAskingProviders = !arguments.flag("index-only");
        String identity = arguments.word(0, "the identity");
        arguments.mostWords(1);
        EppiSearcher searcher = EppiSearcher.of(arguments.ofProduct());
        if (!isAskingProviders) {
            searcher.query(identity).forEach(out::println);
            return;
        }
        EppiSearcher.Result result = searcher.search(identity);
        out.println("privacy: " + result.privacy());
        for (EppiSearcher.Answer answer : result.answers()) {
            String said =
                    answer.error().isEmpty() ? Words.count(answer.records().size(), "record") : answer.error();
            out.println(answer.provider() + ": " + said);
            // What a provider says must not look like what another says, nor steer the terminal.
            answer.records().forEach(row -> out.println("  " + Shown.line(String.join(" | ", row))));
        }
    }

    private static void report(Arguments arguments, PrintStream out) {
        arguments.mostWords(1);
        Map<String, String> options = arguments.ofProduct();
        Settings settings = arguments.hasWord(0)
                ? Settings.of(options, EppiOptions.ROSTER, EppiOptions.INDEX, EppiOptions.NETWORK_KEY)
                : Settings.of(options, EppiOptions.ROSTER, EppiOptions.INDEX);
        Roster roster = Roster.read(settings.path(EppiOptions.ROSTER));
        var remote = new Remote(settings.required(EppiOptions.INDEX), roster);
        if (arguments.hasWord(0)) {
            Token token = Token.of(arguments.word(0, "the identity"), Provider.networkKey(settings));
            IndexEntry entry = remote.query(token);
            int providers = remote.providers().size();
            out.println("epsilon asked: " + entry.epsilon());
            out.println("got: " + Report.inWords(entry, providers));
            out.println("cost of a search: " + entry.listed().length + " of " + providers + " providers are asked");
            return;
        }
        print(Report.of(remote.whole()), out);
    }

    private static void print(Report report, PrintStream out) {
        out.printf(
                Locale.ROOT,
                "epoch %d, %d persons, %d providers, policy %s%n",
                report.epoch(),
                report.persons(),
                report.providers(),
                report.policy());
        var table = new TextTable(
                "epsilon", "persons", "everywhere", "noise got %", "wish met %", "to ask, median", "to ask, mean");
        for (Report.OfClass each : report.classes()) {
            table.add(
                    decimal(2, each.epsilon()),
                    Integer.toString(each.persons()),
                    Integer.toString(each.everywhere()),
                    each.isKnown() ? decimal(1, 100 * each.got()) : "-",
                    each.isKnown() ? decimal(1, 100 * each.satisfied()) : "-",
                    Integer.toString(each.medianCost()),
                    decimal(1, each.meanCost()));
        }
        out.print(table);
        if (report.classes().stream().anyMatch(Report.OfClass::isCrowded)) {
            out.println(Report.CROWDED);
        }
    }

    private static String decimal(int digits, double value) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static void keys(Arguments arguments, PrintStream out) {
        String role = arguments.word(0, "the role (coordinator, provider, index, searcher or registrar)");
        String name = Roster.checkedName(arguments.word(1, "the member's name"));
        arguments.mostWords(2);
        Path file = Path.of(arguments.need("key"));
        String address = arguments.need("address");
        Roster.checkAddress(address);
        String password = password();
        arguments.end();
        if (Files.exists(file)) {
            throw EppiException.of(Code.CONFIGURATION, file + " exists already and is not replaced");
        }
        Role known = role(role);
        NodeKey key = NodeKey.create(file, name, password);
        out.println(Roster.line(known, name, address, key.certificate()));
    }

    private static Role role(String word) {
        try {
            return Role.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw EppiException.of(Code.CONFIGURATION, "there is no role " + word, e);
        }
    }

    private static String password() {
        String password = System.getenv("EPPI_KEY_PASSWORD");
        if (password == null || password.length() < 6) {
            throw EppiException.of(
                    Code.CONFIGURATION, "set EPPI_KEY_PASSWORD in the environment to 6 characters or more");
        }
        return password;
    }

    private static String help() {
        var text = new StringBuilder("""
                eppi coordinator|provider|index --config=FILE [--KEY=VALUE ...]
                  Runs a node until it is told to end. Keys may stand without "eppi.".
                eppi construct --coordinator=URL
                  Tells the first coordinator, at its eppi.http, to construct an index, and waits for it.
                eppi query IDENTITY --config=FILE [--index-only]
                  Asks the index, checks its signatures, and asks every listed provider for records.
                eppi report [IDENTITY] --config=FILE
                  The privacy that the network, or a person, got, and what a search costs.
                eppi keys ROLE NAME --key=FILE --address=HOST:PORT
                  Makes a member's key (password in EPPI_KEY_PASSWORD) and prints its line of the roster.
                eppi enrol IDENTITY --epsilon=E --config=FILE
                eppi enrol --from=FILE --config=FILE
                  Enters a person's wish into the register and signs it, as the registrar; or those of a file whose
                  lines are "epsilon identity".
                eppi withdraw IDENTITY --config=FILE
                  Takes a person out of the register; the next index has that person no more.
                eppi local [--directory=DIR] [--providers=N] [--persons=N] [--once]
                  A whole network on this machine: keys, databases, a process for each member, and an index.

                Options:
                """);
        for (EppiOption<?> option : EppiOptions.all()) {
            String preset = option.preset().isEmpty() ? "" : " (" + option.preset() + ")";
            text.append("  --").append(option.key()).append(preset).append("\n      ");
            text.append(option.text()).append('\n');
        }
        return text.toString();
    }
}

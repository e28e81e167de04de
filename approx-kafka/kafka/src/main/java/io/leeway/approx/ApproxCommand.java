package io.leeway.approx;

import io.leeway.approx.internal.console.Arguments;
import io.leeway.approx.internal.console.CommandException;
import io.leeway.approx.internal.console.DidYouMean;
import io.leeway.approx.internal.console.Usage;
import io.leeway.approx.internal.net.ClassProbe;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/** The command line: {@code bin/approx --help}. */
public final class ApproxCommand {

    private static final String PROGRAM = "approx";

    private static final Set<ApproxOption> OF_GATEWAYS = EnumSet.of(
            ApproxOption.BOOTSTRAP,
            ApproxOption.PRODUCER,
            ApproxOption.GATEWAY_LISTEN,
            ApproxOption.KEYSTORE,
            ApproxOption.KEYSTORE_PASSWORD,
            ApproxOption.RECEIVE,
            ApproxOption.REPORTS,
            ApproxOption.MARK);
    private static final Set<ApproxOption> OF_BOTH = EnumSet.of(ApproxOption.TOKEN, ApproxOption.STATUS);

    private static final Set<String> NOT_OPTIONS = Set.of("config", "rate", "seconds");

    private static final Usage.Option CONFIG =
            new Usage.Option("config", "FILE", "a file of properties with these options, approx. in front of each");

    private static final List<Usage> USAGES = List.of(
            usage(
                    "gateway",
                    "the gateway beside the brokers, until it is stopped",
                    "Takes the sample of approximate topics by datagram, and writes it into them.",
                    options(true, CONFIG)),
            usage(
                    "shim",
                    "the shim as a sidecar, until it is stopped",
                    "Clients that take its address for that of the brokers have their approximate topics sampled. At the end it"
                            + " waits, until approx.deadline at most, for what is on its way.",
                    options(false, CONFIG)),
            usage(
                    "status",
                    "what a shim or a gateway says",
                    "The other side has to have approx.status.",
                    List.of(
                            new Usage.Option("at", "HOST:PORT", "its approx.status"),
                            new Usage.Option("reports", "", "the last reports of windows instead, one a line"))),
            usage(
                    "keys",
                    "a key store for a gateway and a trust store for shims",
                    "By the JDK's keytool; the certificate is valid for 825 days.",
                    List.of(
                            new Usage.Option("directory", "DIR", "where they go"),
                            new Usage.Option("names", "NAMES", "as in dns:gateway.example,ip:10.0.0.1"),
                            new Usage.Option("password", "PASSWORD", "of both stores, at least 6 characters"))),
            usage(
                    "classes",
                    "whether loss differs by priority class on the way to the gateway",
                    "Loads the way with twice this rate for some seconds. Ends with code 0 if the lowest class loses clearly"
                            + " more than the highest, else with 1.",
                    options(
                            false,
                            CONFIG,
                            new Usage.Option("rate", "MBIT", "for each of the two classes"),
                            new Usage.Option("seconds", "N", "how long; 5 if not given"))),
            usage(
                    "queues",
                    "configurations of routers and switches: eight priority queues with small buffers",
                    "Prints; what is printed has to be looked at and applied by those who run the network.",
                    List.of(
                            new Usage.Option(
                                    "format",
                                    "FORMAT",
                                    "tc (if not given): commands for a Linux router; sonic: tables of a\n"
                                            + "switch with SONiC, to be joined with its config_db.json"),
                            new Usage.Option(
                                    "interface",
                                    "NAMES",
                                    "of the router, as eth1; of the switch, as Ethernet0,Ethernet4"),
                            new Usage.Option("rate", "MBIT", "of the router's interface (tc)"),
                            new Usage.Option("mtu", "BYTES", "of packets (sonic); 1500 if not given"),
                            new Usage.Option(
                                    "mark",
                                    "PACKETS",
                                    "from which the queue of exact traffic marks (sonic); 65 if not given"))));

    private static final int LEAST_PASSWORD = 6;
    private static final Pattern NAMES = Pattern.compile("(dns|ip):[^,\\s]+(,(dns|ip):[^,\\s]+)*");

    private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

    /** Whether the process ends already, and waits for the main thread: to exit then would be to wait for oneself. */
    private static volatile boolean ending;

    private ApproxCommand() {}

    /** Runs a command; the exit code is 0, 1 if it failed, or 2 if it was misunderstood. */
    public static void main(String[] arguments) {
        // Kafka's client logs through SLF4J, which complains if there is nothing behind it; what matters is logged by
        // the JDK.
        if (System.getProperty(SLF4J_VERBOSITY) == null) {
            System.setProperty(SLF4J_VERBOSITY, "ERROR");
        }
        int code = run(System.out, System.err, arguments);
        if (!ending) {
            System.exit(code);
        }
    }

    private static Usage usage(String name, String summary, String description, List<Usage.Option> options) {
        return new Usage(PROGRAM, name, summary, "", List.of(description), options);
    }

    private static List<Usage.Option> options(boolean gateway, Usage.Option... more) {
        List<Usage.Option> options = new ArrayList<>(List.of(more));
        for (ApproxOption option : ApproxOption.values()) {
            if (OF_BOTH.contains(option) || OF_GATEWAYS.contains(option) == gateway) {
                String fallback = option.fallback().isEmpty() ? "" : " [" + option.fallback() + "]";
                options.add(new Usage.Option(
                        option.key().substring(ApproxOptions.PREFIX.length()), "VALUE", option.text() + fallback));
            }
        }
        return options;
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        try {
            String name = arguments.length == 0 ? "--help" : arguments[0];
            if (name.equals("--help") || name.equals("help")) {
                out.print(help());
                return 0;
            }
            Usage usage = find(name);
            List<String> words = Arrays.stream(arguments)
                    .skip(1)
                    // In front of an option "approx." may stand, as it does in files.
                    .map(word -> word.startsWith("--" + ApproxOptions.PREFIX)
                            ? "--" + word.substring(2 + ApproxOptions.PREFIX.length())
                            : word)
                    .toList();
            if (words.contains("--help")) {
                out.print(usage.help());
                return 0;
            }
            return run(out, name, Arguments.of(usage, words));
        } catch (CommandException | IllegalArgumentException e) {
            err.println("approx: " + e.getMessage());
            return 2;
        } catch (ApproxException e) {
            err.println("approx: " + e.getMessage());
            return 1;
        } catch (IOException | RuntimeException e) {
            err.println("approx: " + told(e));
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    /** What went wrong: messages of files are their paths only, and some have none. */
    private static String told(Throwable e) {
        List<String> parts = new ArrayList<>();
        if (e.getClass() != IOException.class) {
            String name = e.getClass().getSimpleName().replaceAll("Exception$", "");
            parts.add(name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
        }
        for (Throwable each = e; each != null; each = each.getCause()) {
            if (each.getMessage() != null) {
                parts.add(each.getMessage());
            }
        }
        return String.join(": ", parts);
    }

    private static String help() {
        StringBuilder text =
                new StringBuilder("Approximate topics for Kafka's clients.\n\nUsage: approx COMMAND [options]\n\n");
        USAGES.forEach(usage -> Usage.line(text, usage.name(), usage.summary()));
        return text.append("\nOptions are told by: approx COMMAND --help\n").toString();
    }

    private static Usage find(String name) throws CommandException {
        for (Usage usage : USAGES) {
            if (usage.name().equals(name)) {
                return usage;
            }
        }
        List<String> names = USAGES.stream().map(Usage::name).toList();
        throw new CommandException(
                "There is no command " + name + DidYouMean.hint(name, names) + " See: approx --help");
    }

    private static int run(PrintStream out, String command, Arguments given)
            throws CommandException, IOException, InterruptedException {
        switch (command) {
            case "gateway" -> gateway(out, options(given));
            case "shim" -> shim(out, options(given));
            case "status" -> out.print(status(given));
            case "classes" -> {
                return classes(out, given);
            }
            case "keys" -> keys(out, given);
            default -> out.print(queues(given));
        }
        return 0;
    }

    private static String queues(Arguments given) throws CommandException {
        String format = given.get("format");
        if (format == null || format.equals("tc")) {
            return Queues.script(required(given, "interface"), whole(required(given, "rate")));
        }
        if (format.equals("sonic")) {
            return SwitchQueues.sonic(
                    List.of(required(given, "interface").split(",")),
                    whole(given, "mtu", 1_500),
                    whole(given, "mark", 65));
        }
        throw given.problem("--format is tc or sonic, not " + format);
    }

    private static String required(Arguments given, String name) throws CommandException {
        String value = given.get(name);
        if (value == null || value.isEmpty()) {
            throw given.problem("--" + name + "=... is missing");
        }
        return value;
    }

    private static ApproxOptions options(Arguments given) throws CommandException, IOException {
        Map<String, String> all = new LinkedHashMap<>();
        String config = given.get("config");
        if (config != null) {
            Properties file = new Properties();
            try (Reader in = Files.newBufferedReader(Path.of(config), StandardCharsets.UTF_8)) {
                file.load(in);
            } catch (NoSuchFileException e) {
                throw new CommandException("There is no file " + config + ".", e);
            } catch (IllegalArgumentException | IOException e) {
                throw new CommandException("The file " + config + " cannot be read: " + told(e) + ".", e);
            }
            for (String name : file.stringPropertyNames()) {
                if (!name.startsWith(ApproxOptions.PREFIX)) {
                    // Else it would be ignored, as it is among the properties of a broker.
                    throw new CommandException("In " + config + " there is " + name + ", which does not begin with "
                            + ApproxOptions.PREFIX + ": in a file options have it in front.");
                }
                all.put(name, file.getProperty(name));
            }
        }
        for (Arguments.Given each : given.inOrder()) {
            if (!NOT_OPTIONS.contains(each.name())) {
                all.put(ApproxOptions.PREFIX + each.name(), Objects.requireNonNull(given.get(each.name())));
            }
        }
        return ApproxOptions.of(all);
    }

    private static void gateway(PrintStream out, ApproxOptions options) throws InterruptedException {
        try (ApproxGateway gateway = new ApproxGateway(options);
                ApproxStatus status = status(options, null, gateway)) {
            out.println(
                    "gateway at port " + gateway.port() + (status == null ? "" : ", status at port " + status.port()));
            awaitEnd();
        }
    }

    private static void shim(PrintStream out, ApproxOptions options) throws InterruptedException {
        try (ApproxShim shim = new ApproxShim(options);
                ApproxStatus status = status(options, shim, null)) {
            out.println("bootstrap.servers=" + shim.bootstrap()
                    + (status == null ? "" : ", status at port " + status.port()));
            awaitEnd();
            shim.drain(options.duration(ApproxOption.DEADLINE).toMillis());
        }
    }

    private static @org.jspecify.annotations.Nullable ApproxStatus status(
            ApproxOptions options,
            @org.jspecify.annotations.Nullable ApproxShim shim,
            @org.jspecify.annotations.Nullable ApproxGateway gateway) {
        return options.has(ApproxOption.STATUS)
                ? new ApproxStatus(options.address(ApproxOption.STATUS), shim, gateway)
                : null;
    }

    /** Until the process is asked to end; what is open is closed then, before it does. */
    private static void awaitEnd() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Thread here = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ending = true;
            asked.countDown();
            try {
                here.join(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        asked.await();
    }

    private static int classes(PrintStream out, Arguments given)
            throws CommandException, IOException, InterruptedException {
        int megabits = whole(required(given, "rate"));
        int seconds = whole(given, "seconds", 5);
        ApproxOptions options = options(given);
        int lowest = (int) options.number(ApproxOption.QUEUES) - 1;
        List<ClassProbe.Result> results =
                ClassProbe.run(options, List.of(1, lowest), megabits * 125_000.0, Duration.ofSeconds(seconds));
        for (ClassProbe.Result result : results) {
            out.printf(
                    Locale.ROOT,
                    "queue %d: %d datagrams, %.1f %% lost%n",
                    result.queue(),
                    result.sent(),
                    100 * result.loss());
        }
        Verdict verdict = Verdict.of(results.get(0), results.get(1));
        out.println(verdict.text);
        return verdict == Verdict.DIFFER ? 0 : 1;
    }

    private static int whole(Arguments given, String name, int fallback) throws CommandException {
        String value = given.get(name);
        return value == null ? fallback : whole(value);
    }

    private static int whole(String text) {
        if (!text.matches("[1-9]\\d{0,5}")) {
            throw new IllegalArgumentException("a whole number above 0, not " + text);
        }
        return Integer.parseInt(text);
    }

    /** What two classes under load tell of a network. */
    enum Verdict {
        /** The lower one loses more. */
        DIFFER("The classes are told apart: approx.overload may list this network."),
        /** Both lose alike. */
        ALIKE("The network treats the classes alike: approx.overload must not list it; see approx queues."),
        /** Nothing is lost. */
        IDLE("Hardly anything was lost, so this tells nothing: try a higher rate.");

        private static final double SOME = 0.02;

        final String text;

        Verdict(String text) {
            this.text = text;
        }

        static Verdict of(ClassProbe.Result high, ClassProbe.Result low) {
            if (high.loss() < SOME && low.loss() < SOME) {
                return IDLE;
            }
            // Both lose in the highest class too, if the rate is more than the way has at all.
            return low.loss() > 1.5 * high.loss() + SOME ? DIFFER : ALIKE;
        }
    }

    private static String status(Arguments given) throws CommandException, IOException, InterruptedException {
        String path = given.has("reports") ? "/reports" : "/status";
        String at = required(given, "at");
        URI uri = URI.create("http://" + at + path);
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        HttpResponse<String> answer;
        try {
            answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(
                    "nobody answers at " + at + " as a shim or a gateway does; has it approx.status=" + at + "?", e);
        }
        if (answer.statusCode() != 200) {
            throw new IOException("what answers at " + at + " is no shim or gateway: " + answer.statusCode());
        }
        return answer.body();
    }

    private static void keys(PrintStream out, Arguments given)
            throws CommandException, IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of(required(given, "directory")));
        String password = required(given, "password");
        String names = required(given, "names");
        if (password.length() < LEAST_PASSWORD) {
            throw given.problem("--password is at least " + LEAST_PASSWORD + " characters long");
        }
        if (!NAMES.matcher(names).matches()) {
            throw given.problem("--names is dns:HOST or ip:ADDRESS, several separated by commas, not " + names);
        }
        for (String file : List.of("keys.p12", "certificate.pem", "trust.p12")) {
            if (Files.exists(directory.resolve(file))) {
                throw given.problem("there is " + directory.resolve(file)
                        + " already: take another directory, or remove what is in it");
            }
        }
        String keys = directory.resolve("keys.p12").toString();
        String certificate = directory.resolve("certificate.pem").toString();
        keytool(List.of(
                "-genkeypair",
                "-alias",
                "gateway",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "825",
                "-dname",
                "CN=approx gateway",
                "-ext",
                "san=" + names,
                "-keystore",
                keys,
                "-storetype",
                "PKCS12",
                "-storepass",
                password));
        keytool(List.of(
                "-exportcert",
                "-alias",
                "gateway",
                "-keystore",
                keys,
                "-storepass",
                password,
                "-rfc",
                "-file",
                certificate));
        keytool(List.of(
                "-importcert",
                "-noprompt",
                "-alias",
                "gateway",
                "-file",
                certificate,
                "-keystore",
                directory.resolve("trust.p12").toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                password));
        out.println("approx.keystore=" + keys + " for the gateway, approx.trust=" + directory.resolve("trust.p12")
                + " for shims");
    }

    private static void keytool(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(arguments);
        command.add(
                0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new ApproxException(ApproxError.KEYS, "keytool failed.");
        }
    }
}

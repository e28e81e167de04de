package io.leeway.approx;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

/** The command line: {@code bin/approx --help}. */
public final class ApproxCommand {

    private static final String HELP = """
            approx gateway [--config=FILE] [--KEY=VALUE...]   the gateway beside the brokers, until it is stopped
            approx shim    [--config=FILE] [--KEY=VALUE...]   the shim as a sidecar, until it is stopped
            approx status  --at=HOST:PORT [--reports]         what a shim or a gateway with approx.status says
            approx keys    --directory=DIR --names=NAMES --password=PASSWORD
                                                              a key store for a gateway and a trust store for shims;
                                                              NAMES as in dns:gateway.example,ip:10.0.0.1
            approx classes --rate=MBIT [--seconds=N] [--config=FILE] [--KEY=VALUE...]
                                                              whether loss differs by priority class on the way to the
                                                              gateway: loads it with twice this rate for some seconds
            approx queues  --interface=NAME --rate=MBIT       the tc commands of eight priority queues with small buffers

            KEY is an option's with or without "approx." in front.
            """;

    private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

    private ApproxCommand() {}

    /** Runs a command; the exit code is 0, 1 if it failed, or 2 if it was misunderstood. */
    public static void main(String[] arguments) {
        // Kafka's client logs through SLF4J, which complains if there is nothing behind it; what matters is logged by
        // the JDK.
        if (System.getProperty(SLF4J_VERBOSITY) == null) {
            System.setProperty(SLF4J_VERBOSITY, "ERROR");
        }
        System.exit(run(System.out, System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        try {
            Map<String, String> given =
                    parse(Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
            switch (arguments.length == 0 ? "--help" : arguments[0]) {
                case "gateway" -> gateway(out, given);
                case "shim" -> shim(out, given);
                case "status" -> out.print(status(given));
                case "classes" -> {
                    return classes(out, given);
                }
                case "keys" -> keys(out, given);
                case "queues" -> out.print(Queues.script(required(given, "interface"), whole(required(given, "rate"))));
                case "--help", "help" -> out.print(HELP);
                default -> {
                    err.print("approx: there is no command " + arguments[0] + "\n" + HELP);
                    return 2;
                }
            }
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("approx: " + e.getMessage());
            return 2;
        } catch (ApproxException | IOException e) {
            err.println("approx: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static Map<String, String> parse(String[] arguments) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String argument : arguments) {
            if (!argument.startsWith("--")) {
                throw new IllegalArgumentException("not an option: " + argument);
            }
            int equals = argument.indexOf('=');
            given.put(
                    argument.substring(2, equals < 0 ? argument.length() : equals),
                    equals < 0 ? "" : argument.substring(equals + 1));
        }
        return given;
    }

    private static String required(Map<String, String> given, String key) {
        String value = given.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("--" + key + "=... is missing");
        }
        return value;
    }

    private static ApproxOptions options(Map<String, String> given) throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        if (given.containsKey("config")) {
            Properties file = new Properties();
            try (Reader in = Files.newBufferedReader(Path.of(required(given, "config")), StandardCharsets.UTF_8)) {
                file.load(in);
            }
            file.stringPropertyNames().forEach(name -> all.put(name, file.getProperty(name)));
        }
        given.forEach((key, value) -> {
            if (!key.equals("config")) {
                all.put(key.startsWith(ApproxOptions.PREFIX) ? key : ApproxOptions.PREFIX + key, value);
            }
        });
        return ApproxOptions.of(all);
    }

    private static void gateway(PrintStream out, Map<String, String> given) throws IOException, InterruptedException {
        ApproxOptions options = options(given);
        try (ApproxGateway gateway = new ApproxGateway(options);
                ApproxStatus status = status(options, null, gateway)) {
            out.println(
                    "gateway at port " + gateway.port() + (status == null ? "" : ", status at port " + status.port()));
            awaitEnd();
        }
    }

    private static void shim(PrintStream out, Map<String, String> given) throws IOException, InterruptedException {
        ApproxOptions options = options(given);
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
            asked.countDown();
            try {
                here.join(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        asked.await();
    }

    private static int classes(PrintStream out, Map<String, String> given) throws IOException, InterruptedException {
        int megabits = whole(required(given, "rate"));
        int seconds = whole(given.getOrDefault("seconds", "5"));
        given.remove("rate");
        given.remove("seconds");
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

    private static String status(Map<String, String> given) throws IOException, InterruptedException {
        String path = given.containsKey("reports") ? "/reports" : "/status";
        URI uri = URI.create("http://" + required(given, "at") + path);
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static void keys(PrintStream out, Map<String, String> given) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of(required(given, "directory")));
        String password = required(given, "password");
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
                "san=" + required(given, "names"),
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
        List<String> command = new java.util.ArrayList<>(arguments);
        command.add(
                0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new ApproxException(ApproxError.KEYS, "keytool failed.");
        }
    }
}

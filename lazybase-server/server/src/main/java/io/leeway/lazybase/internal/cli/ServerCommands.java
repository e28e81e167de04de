package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseOption;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.internal.console.CommandException;
import io.leeway.lazybase.internal.console.Console;
import io.leeway.lazybase.internal.console.TextTable;
import io.leeway.lazybase.internal.console.Usage;
import io.leeway.lazybase.internal.pg.Users;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** Starts servers, looks after them. */
final class ServerCommands {

    private static final String READ_ONLY = "read-only";
    private static final int SHORTEST_PASSWORD = 8;

    private final Function<LazyBaseOptions, AutoCloseable> server;

    ServerCommands(Function<LazyBaseOptions, AutoCloseable> server) {
        this.server = server;
    }

    List<Command> all(List<Usage.Option> options) {
        return List.of(
                Command.of(
                        "start",
                        "",
                        "starts the server and stays",
                        List.of("Prints where clients connect and where the page is. Ends orderly on SIGTERM."),
                        List.of(),
                        options,
                        this::start),
                Command.of(
                        "status",
                        "",
                        "what the pipeline of a running server does",
                        List.of("Metrics of the server on this machine, at lazybase.web.port."),
                        List.of(),
                        options,
                        ServerCommands::status),
                Command.of(
                        "user",
                        "NAME",
                        "adds a user or changes the password",
                        List.of("The password is read from the terminal, or from the input. With the first user the"
                                + " server asks for passwords, after its next start."),
                        List.of(new Usage.Option(READ_ONLY, "", "the user may not write")),
                        options,
                        ServerCommands::user),
                Command.of(
                        "options",
                        "",
                        "all options of the server",
                        List.of(),
                        List.of(),
                        options,
                        ServerCommands::list));
    }

    private int start(Call call) throws InterruptedException {
        AutoCloseable running = server.apply(call.options());
        call.console().out().println(running);
        call.console().out().flush();
        var ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                running.close();
                            } catch (Exception e) {
                                call.console().err().println("lazybase: " + e.getMessage());
                            }
                            ended.countDown();
                        },
                        "lazybase-stop"));
        ended.await();
        return 0;
    }

    private static int status(Call call) throws CommandException, InterruptedException {
        int port = call.options().get(LazyBaseOptions.WEB_PORT);
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        String body;
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandException("No server answers at port " + port + " (--web.port).", e);
        }
        var table = new TextTable("what", "value");
        body.lines().filter(line -> line.startsWith("lazybase_")).forEach(line -> {
            int split = line.lastIndexOf(' ');
            table.add(line.substring(0, split), line.substring(split + 1));
        });
        call.console().out().print(table);
        return 0;
    }

    private static int user(Call call) throws CommandException, IOException {
        String name = call.operand(0);
        Path directory = Path.of(call.options().get(LazyBaseOptions.DIRECTORY));
        String password = password(call.console(), name);
        if (password.length() < SHORTEST_PASSWORD) {
            throw new CommandException("A password has " + SHORTEST_PASSWORD + " characters at least.");
        }
        Files.createDirectories(directory);
        byte[] salt = new byte[16];
        new SecureRandom().nextBytes(salt);
        boolean readOnly = call.arguments().has(READ_ONLY);
        new Users(directory.resolve("users")).put(name, readOnly ? Users.Role.READ : Users.Role.WRITE, password, salt);
        call.console()
                .out()
                .println("User " + name + (readOnly ? " may read" : " may read and write")
                        + "; a server that had no users yet asks for passwords after its next start.");
        return 0;
    }

    /** From Java 22 on a console is there without a terminal, too; it reads from the input then. */
    @SuppressWarnings("SystemConsoleNull")
    static String password(Console console, String name) throws IOException {
        if (console.isTerminal() && System.console() != null) {
            char[] typed = System.console().readPassword("Password of %s: ", name);
            return typed == null ? "" : new String(typed);
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }

    private static int list(Call call) {
        for (LazyBaseOption<?> option : LazyBaseOptions.all()) {
            call.console().out().println(option.key() + "=" + option.preset());
            String bounds = option.bounds().isEmpty() ? "" : " (" + option.bounds() + ")";
            call.console().out().println("    " + option.text() + bounds);
        }
        return 0;
    }
}
